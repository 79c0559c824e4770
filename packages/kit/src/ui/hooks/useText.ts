import { createContext, use, useCallback, useEffect, useState } from 'react'

import { interpolate } from '../../core/notifications/interpolate.ts'
import { useKit, useKitState } from '../../react/context.ts'

/** Texts of the visitor's language, by key; English stands in until they are there. */
export type Catalogue = Readonly<Record<string, string>>

export const TextContext = createContext<Catalogue>({})

const noCatalogue: Catalogue = {}

/** The catalogue of the language in use, loaded when it is first needed. */
export function useCatalogue(): Catalogue {
  const kit = useKit()
  const locale = useKitState((state) => state.locale)
  const load = kit.options.locales?.[locale]
  const [loaded, setLoaded] = useState<{ load: typeof load; catalogue: Catalogue }>()
  useEffect(() => {
    if (!load) return
    let stale = false
    load().then(
      ({ default: catalogue }) => !stale && setLoaded({ load, catalogue }),
      // English stands in; choosing the language again tries again.
      () => {},
    )
    return () => {
      stale = true
    }
  }, [load])
  return loaded && loaded.load === load ? loaded.catalogue : noCatalogue
}

/**
 * The texts of one chunk, in the visitor's language: the site's own words first, then the catalogue,
 * then English. `{name}` holes are filled from `values`.
 *
 * @param loaded - outside the modal, what `useCatalogue` returned
 * @example const t = useText(connectingText); t('connecting.declined', { wallet: 'Halyard' })
 */
export function useText<text extends Catalogue>(text: text, loaded?: Catalogue): Translate<text> {
  const kit = useKit()
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

/** Languages that are written right to left. */
export function directionOf(locale: string): 'ltr' | 'rtl' {
  return /^(ar|he|fa|ur)(-|$)/.test(locale) ? 'rtl' : 'ltr'
}
