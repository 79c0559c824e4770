/** One result of `gatefold doctor`. */
export type Finding = {
  check:
    | 'settings'
    | 'database'
    | 'origins'
    | 'redis'
    | 'rpc'
    | 'prices'
    | 'swaps'
    | 'socials'
    | 'frame'
    | 'tls'
    | 'clock'
  /** `skipped` if there was nothing to check. */
  status: 'ok' | 'warning' | 'error' | 'skipped'
  /** What was found. Never contains a password, a key or a URL's path. */
  message: string
  /** What to do; for every warning and error. */
  fix?: string
}

/** The time on another machine, compared with the time on this one. */
export type ClockSample = {
  source: string
  /** How far this machine's clock is ahead of the source's, in ms. Accurate to about a second. */
  aheadMs: number
}

/** The code of a connection error from Node or a database, such as `ECONNREFUSED` or `28P01`. */
export function reasonOf(error: unknown): string {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const { code } = cause as NodeJS.ErrnoException
    // The codes of this project's own errors are in lower case.
    if (typeof code === 'string' && /^[A-Z\d_]+$/.test(code)) return code
    if (cause instanceof AggregateError && cause.errors.length > 0) return reasonOf(cause.errors[0])
    if (cause.cause === undefined) return cause.message
  }
  return String(error)
}

/** The fix for a failed connection, or `undefined` if the cause is not the network. */
export function networkFix(reason: string, setting: string): string | undefined {
  if (reason === 'ECONNREFUSED')
    return `Nothing is listening there. Start the service, or correct the host and port in ${setting}.`
  if (reason === 'ENOTFOUND' || reason === 'EAI_AGAIN')
    return `The host name cannot be resolved. Correct it in ${setting}, or check this machine's DNS.`
  if (/timeout|ETIMEDOUT|ECONNRESET|EHOSTUNREACH|ENETUNREACH|UND_ERR/i.test(reason))
    return `Check that no firewall blocks this machine, and check the host in ${setting}.`
  return undefined
}
