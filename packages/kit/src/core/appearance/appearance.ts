import { instanceOf } from '../kit/Kit.ts'
import type { Kit } from '../kit/Kit.ts'
import { themeVariables } from './theme.ts'
import type { ThemeMode, ThemeVariables } from './theme.ts'

/** Changes the theme. A mode or variable that is not given keeps its value. @see spec §2.15.1 */
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
 * Changes the language. The UI then loads its catalog of strings.
 *
 * @param locale - BCP 47, such as `ar`
 */
export function setLocale(kit: Kit, locale: string): void {
  const instance = instanceOf(kit)
  instance.dispatch({ type: 'locale.changed', locale })
}
