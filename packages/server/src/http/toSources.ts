/** Formats lists of allowed origins as sources of a Content-Security-Policy. */
export function toSources(origins: readonly string[]): string {
  return [...new Set(origins.flatMap((origin) => toSource(origin) ?? []))].join(' ')
}

/** Formats an entry of an origin list as a CSP source; `undefined` if it could end the directive. */
function toSource(entry: string): string | undefined {
  if (entry === '*') return entry
  const [, scheme = 'https://', host] =
    /^([a-z][a-z0-9+.-]*:\/\/)?([a-z0-9*_.-]+(?::(?:\d+|\*))?)(?:\/|$)/i.exec(entry) ?? []
  return host && `${scheme}${host}`.toLowerCase()
}
