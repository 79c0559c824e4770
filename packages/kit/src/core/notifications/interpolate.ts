/** Fills the `{name}` holes of a text; one without a value stays as it is. */
export function interpolate(
  text: string,
  values: Readonly<Record<string, string | number>> = {},
): string {
  return text.replace(/\{(\w+)\}/g, (hole, name: string) => String(values[name] ?? hole))
}
