/** Whether the modal is light, dark, or follows the visitor's setting. */
export type ThemeMode = 'light' | 'dark' | 'system'

/**
 * The theme variables, by name. AppKit's names (`--w3m-*`) are aliases.
 *
 * - `--gf-accent`: the color of buttons and links; its lightness is adjusted for readable contrast
 * - `--gf-background`: the color of the card
 * - `--gf-color-mix`, `--gf-color-mix-strength`: a color that is mixed into all others, and by how many percent
 * - `--gf-font-family`: the CSS font family; by default the system's
 * - `--gf-font-size-master`: the base font size; a number is in px
 * - `--gf-border-radius-master`: the base of all corner radii; a number is in px
 * - `--gf-z-index`: the z-index of the modal
 */
export type ThemeVariables = Partial<
  Record<
    | '--gf-accent'
    | '--gf-background'
    | '--gf-color-mix'
    | '--gf-color-mix-strength'
    | '--gf-font-family'
    | '--gf-font-size-master'
    | '--gf-border-radius-master'
    | '--gf-z-index'
    | '--w3m-accent'
    | '--w3m-background'
    | '--w3m-color-mix'
    | '--w3m-color-mix-strength'
    | '--w3m-font-family'
    | '--w3m-font-size-master'
    | '--w3m-border-radius-master'
    | '--w3m-z-index',
    string | number
  >
>

/** The names of the theme variables. */
export const themeVariableNames: readonly string[] = [
  '--gf-accent',
  '--gf-background',
  '--gf-color-mix',
  '--gf-color-mix-strength',
  '--gf-font-family',
  '--gf-font-size-master',
  '--gf-border-radius-master',
  '--gf-z-index',
]

/** The current theme. */
export type ThemeState = {
  /** The mode as configured; `system` is not resolved. */
  mode: ThemeMode
  /** CSS values by `--gf-*` name. */
  variables: Record<string, string>
}

/**
 * Converts theme variables to CSS variables named `--gf-*`. If a variable and its `--w3m-*` alias are both
 * given, the alias is ignored. Numbers become pixels, except the z-index (no unit) and the mix strength (a percentage).
 */
export function themeVariables(variables: ThemeVariables = {}): Record<string, string> {
  const result: Record<string, string> = {}
  for (const [name, value] of Object.entries(variables)) {
    const own = name.replace('--w3m-', '--gf-') as keyof ThemeVariables
    if (value === undefined || (own !== name && variables[own] !== undefined)) continue
    if (typeof value === 'string' || own === '--gf-z-index') result[own] = String(value)
    else result[own] = own === '--gf-color-mix-strength' ? `${value}%` : `${value}px`
  }
  return result
}
