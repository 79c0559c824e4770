import { createContext, useCallback, useContext, useEffect, useState } from 'react'

import { interpolate } from '../../core/notifications/interpolate.ts'
import { useInstance, useKitState } from '../../react/context.ts'

/** The strings of a language by key. The UI is in English until they are loaded. */
export type Catalog = Readonly<Record<string, string>>

export const TextContext = createContext<Catalog>({})

const noCatalog: Catalog = {}

/** The catalog of the active language, loaded on first use; empty until then, and if the site configured none. */
export function useCatalog(): Catalog {
  const kit = useInstance()
  const locale = useKitState((state) => state.locale)
  const load = kit.options.locales?.[locale]
  const [loaded, setLoaded] = useState<{ load: typeof load; catalog: Catalog }>()
  useEffect(() => {
    if (!load) return
    let stale = false
    load().then(
      ({ default: catalog }) => !stale && setLoaded({ load, catalog }),
      // Falls back to English; selecting the language again retries.
      () => {},
    )
    return () => {
      stale = true
    }
  }, [load])
  return loaded && loaded.load === load ? loaded.catalog : noCatalog
}

/**
 * Returns a function that translates the keys of `text`, using `options.messages`, then the catalog,
 * then the English `text`. Replaces `{name}` placeholders with `values`.
 *
 * @param loaded - the result of `useCatalog`, needed outside the modal
 * @example const t = useText(connectingText); t('connecting.declined', { wallet: 'Halyard' })
 */
export function useText<text extends Catalog>(text: text, loaded?: Catalog): Translate<text> {
  const kit = useInstance()
  const context = useContext(TextContext)
  const catalog = loaded ?? context
  return useCallback(
    (key, values) =>
      interpolate(kit.options.messages?.[key] ?? catalog[key] ?? text[key] ?? key, values),
    [kit, catalog, text],
  )
}

export type Translate<text extends Catalog> = (
  key: keyof text & string,
  values?: Record<string, string | number>,
) => string

/** The writing direction of a language. */
export function directionOf(locale: string): 'ltr' | 'rtl' {
  return /^(ar|he|fa|ur)(-|$)/.test(locale) ? 'rtl' : 'ltr'
}
