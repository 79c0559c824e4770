import { instanceOf } from '../kit/Kit.ts'
import type { Kit } from '../kit/Kit.ts'
import { themeVariables } from './theme.ts'
import type { ThemeMode, ThemeVariables } from './theme.ts'

/** Changes the theme; variables that are not given keep their value. @see spec §2.15.1 */
export function setTheme(
  kit: Kit,
  parameters: { mode?: ThemeMode | undefined; variables?: ThemeVariables | undefined },
): void {
  const instance = instanceOf(kit)
  const { theme } = instance.getState()
  instance.dispatch({
    type: 'theme.changed',
    theme: {
      mode: parameters.mode ?? theme.mode,
      variables: { ...theme.variables, ...themeVariables(parameters.variables) },
    },
  })
}

/**
 * Changes the language; its catalog is loaded lazily.
 *
 * @param locale - BCP 47, such as `ar`
 */
export function setLocale(kit: Kit, locale: string): void {
  const instance = instanceOf(kit)
  instance.dispatch({ type: 'locale.changed', locale })
}
