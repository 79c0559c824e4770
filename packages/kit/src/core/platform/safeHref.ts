/** Schemes that run script, read local data, or start any Android activity. */
const unsafeProtocols = [
  'javascript:',
  'data:',
  'vbscript:',
  'blob:',
  'file:',
  'about:',
  'view-source:',
  'intent:',
]

/**
 * Returns the link if it is safe as an `href`, otherwise undefined.
 *
 * @param options.app - whether custom schemes of apps, such as `wallet://`, are allowed
 * @see docs/threats.md#dangerous-links
 */
export function safeHref(
  link: string | null | undefined,
  options: { app?: boolean } = {},
): string | undefined {
  if (!link || !URL.canParse(link)) return undefined
  const { protocol } = new URL(link)
  if (protocol === 'https:' || protocol === 'http:') return link
  return options.app && !unsafeProtocols.includes(protocol) ? link : undefined
}
