/** @see spec §2.15.1 */
export type ThemeMode = 'light' | 'dark' | 'system'

/** The public theme variables, with the official `--w3m-*` names as aliases. @see spec §2.15.1, §9.11.1 */
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

export type ThemeState = { mode: ThemeMode; variables: Record<string, string> }

/**
 * Converts theme variables to CSS variables named `--gf-*`. If a variable and its `--w3m-*` alias are both
 * given, the alias is ignored. Numbers become pixels, except the z-index (no unit) and the mix strength (a percentage).
 */
export function themeVariables(variables: ThemeVariables = {}): Record<string, string> {
  const result: Record<string, string> = {}
  const names = Object.keys(variables) as (keyof ThemeVariables)[]
  for (const name of names.toSorted(
    (a, b) => Number(b.startsWith('--w3m')) - Number(a.startsWith('--w3m')),
  )) {
    const value = variables[name]
    if (value === undefined) continue
    const own = name.replace('--w3m-', '--gf-')
    if (typeof value === 'string' || own === '--gf-z-index') result[own] = String(value)
    else result[own] = own === '--gf-color-mix-strength' ? `${value}%` : `${value}px`
  }
  return result
}
