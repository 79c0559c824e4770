import { checkLocale } from '#checks'

import { instanceOf } from '../kit/Kit.ts'
import type { Kit } from '../kit/Kit.ts'
import { themeVariables } from './theme.ts'
import type { ThemeMode, ThemeVariables } from './theme.ts'

/**
 * Changes the theme. A mode or variable that is not given keeps its value.
 *
 * @example setTheme(kit, { mode: 'dark', variables: { '--gf-accent': '#CD9D6A' } })
 */
export function setTheme(
  kit: Kit,
  parameters: {
    /** The mode. */
    mode?: ThemeMode | undefined
    /** The variables to change. */
    variables?: ThemeVariables | undefined
  },
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
 * @throws {OptionsError} in development, if the site configured no catalog for it
 */
export function setLocale(kit: Kit, locale: string): void {
  const instance = instanceOf(kit)
  checkLocale(locale, instance.options.locales)
  instance.dispatch({ type: 'locale.changed', locale })
}
