/**
 * A link from the directory that may stand in an `href`, or undefined.
 *
 * @param options.app - also the scheme of an app, such as `wallet://`
 */
export function safeHref(
  link: string | null | undefined,
  options: { app?: boolean } = {},
): string | undefined {
  if (!link || !URL.canParse(link)) return undefined
  const { protocol } = new URL(link)
  if (protocol === 'https:' || protocol === 'http:') return link
  const risky = ['javascript:', 'data:', 'vbscript:', 'blob:', 'file:', 'about:', 'view-source:']
  return options.app && !risky.includes(protocol) ? link : undefined
}
