import { createContext, use, useCallback, useEffect, useState } from 'react'

import { interpolate } from '../../core/notifications/interpolate.ts'
import { useInstance, useKitState } from '../../react/context.ts'

/** The strings of a language by key. English is used while they load. */
export type Catalogue = Readonly<Record<string, string>>

export const TextContext = createContext<Catalogue>({})

const noCatalogue: Catalogue = {}

/** The catalogue of the active language, loaded on first use. */
export function useCatalogue(): Catalogue {
  const kit = useInstance()
  const locale = useKitState((state) => state.locale)
  const load = kit.options.locales?.[locale]
  const [loaded, setLoaded] = useState<{ load: typeof load; catalogue: Catalogue }>()
  useEffect(() => {
    if (!load) return
    let stale = false
    load().then(
      ({ default: catalogue }) => !stale && setLoaded({ load, catalogue }),
      // Falls back to English; selecting the language again retries.
      () => {},
    )
    return () => {
      stale = true
    }
  }, [load])
  return loaded && loaded.load === load ? loaded.catalogue : noCatalogue
}

/**
 * Returns a function that translates the keys of `text`, using `options.messages`, then the catalogue,
 * then the English `text`. Replaces `{name}` placeholders with `values`.
 *
 * @param loaded - the result of `useCatalogue`, needed outside the modal
 * @example const t = useText(connectingText); t('connecting.declined', { wallet: 'Halyard' })
 */
export function useText<text extends Catalogue>(text: text, loaded?: Catalogue): Translate<text> {
  const kit = useInstance()
  const context = use(TextContext)
  const catalogue = loaded ?? context
  return useCallback(
    (key, values) =>
      interpolate(kit.options.messages?.[key] ?? catalogue[key] ?? text[key] ?? key, values),
    [kit, catalogue, text],
  )
}

export type Translate<text extends Catalogue> = (
  key: keyof text & string,
  values?: Record<string, string | number>,
) => string

/** The writing direction of a language. */
export function directionOf(locale: string): 'ltr' | 'rtl' {
  return /^(ar|he|fa|ur)(-|$)/.test(locale) ? 'rtl' : 'ltr'
}
