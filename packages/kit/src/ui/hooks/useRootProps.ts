import { useSyncExternalStore } from 'react'
import type { CSSProperties } from 'react'

import { useKitState } from '../../react/context.ts'
import { directionOf } from './useText.ts'

const query = '(prefers-color-scheme: dark)'

/** Attributes of the kit's root element: theme, language, CSS variables. */
export function useRootProps() {
  const theme = useKitState((state) => state.theme)
  const locale = useKitState((state) => state.locale)
  const dark = useSyncExternalStore(
    watchScheme,
    () => matchMedia(query).matches,
    () => false,
  )
  const mode = theme.mode === 'system' ? (dark ? 'dark' : 'light') : theme.mode
  return {
    'data-gatefold': '',
    'data-theme': mode,
    dir: directionOf(locale),
    lang: locale,
    style: theme.variables as CSSProperties,
  }
}

function watchScheme(listener: () => void): () => void {
  const scheme = matchMedia(query)
  scheme.addEventListener('change', listener)
  return () => scheme.removeEventListener('change', listener)
}
