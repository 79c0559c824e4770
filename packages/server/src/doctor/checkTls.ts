import { connect, type PeerCertificate, type TLSSocket } from 'node:tls'
import { isIP } from 'node:net'
import { get } from 'node:https'
import { networkFix, reasonOf, type ClockSample, type Finding } from './Finding.ts'
import { readDate } from './checkRpc.ts'

const timeoutMs = 5_000
/** Remaining validity below which a certificate is reported, in days. Automatic renewal starts earlier. */
const renewDays = 14

/** A public URL of the server, and the setting that it comes from. */
export type PublicUrl = { url: string; setting: string }

/** Checks the TLS certificates of the server's public URLs as a browser does. */
export async function checkTls(
  urls: readonly PublicUrl[],
  now: () => number,
): Promise<{ findings: Finding[]; clocks: ClockSample[] }> {
  if (urls.length === 0) {
    const message =
      'No public URL is known. Set GATEFOLD_RELAY_URLS=wss://gate.my.site, or pass --url https://gate.my.site'
    return { findings: [{ check: 'tls', status: 'skipped', message }], clocks: [] }
  }
  const results = await Promise.all(urls.map((url) => checkUrl(url, now)))
  return {
    findings: results.map(({ finding }) => finding),
    clocks: results.flatMap(({ clock }) => clock ?? []),
  }
}

async function checkUrl(
  { url: text, setting }: PublicUrl,
  now: () => number,
): Promise<{ finding: Finding; clock?: ClockSample | undefined }> {
  const url = new URL(text)
  const { host, hostname } = url
  const finding = (status: Finding['status'], message: string, fix?: string) => ({
    finding: { check: 'tls' as const, status, message: `${host} ${message}`, ...(fix && { fix }) },
  })
  if (url.protocol === 'http:' || url.protocol === 'ws:') {
    if (/^(localhost|127\.0\.0\.1|\[::1\])$/.test(hostname))
      return finding('ok', 'is on this machine and needs no TLS.')
    return finding(
      'error',
      'has no TLS: browsers refuse it on pages served over https.',
      `Put a reverse proxy with a certificate in front of the server, and use ${url.protocol === 'ws:' ? 'wss' : 'https'}://${host}. See docs/relay-production.md.`,
    )
  }
  let socket: TLSSocket
  try {
    socket = await open(url)
  } catch (error) {
    const reason = reasonOf(error)
    const isTls = /^(ERR_SSL|EPROTO)/.test(reason)
    return finding(
      'error',
      isTls ? 'does not support TLS.' : `cannot be reached: ${reason}.`,
      (isTls ? undefined : networkFix(reason, setting)) ??
        `Configure a certificate for ${hostname} in the reverse proxy. See docs/relay-production.md.`,
    )
  }
  const certificate = socket.getPeerCertificate()
  const refused = socket.authorizationError
  socket.destroy()
  const problem = describe(certificate, hostname, refused, now())
  if (problem) return finding(problem.status, problem.message, problem.fix)
  return {
    ...finding('ok', `has a valid certificate until ${day(certificate.valid_to)}.`),
    clock: await readClock(url, now).catch(() => undefined),
  }
}

/** Connects without rejecting an invalid certificate, to report all of its problems. */
function open(url: URL): Promise<TLSSocket> {
  const host = url.hostname.replace(/^\[|\]$/g, '')
  return new Promise((resolve, reject) => {
    const socket = connect(
      {
        host,
        port: Number(url.port) || 443,
        ...(isIP(host) === 0 && { servername: host }),
        rejectUnauthorized: false,
        timeout: timeoutMs,
      },
      () => resolve(socket),
    )
    socket.once('error', reject)
    socket.once('timeout', () => socket.destroy(new Error('timeout')))
  })
}

function describe(
  certificate: PeerCertificate,
  hostname: string,
  // With `rejectUnauthorized: false`, Node sets the code of the error.
  refused: unknown,
  now: number,
): Pick<Finding, 'status' | 'message' | 'fix'> | undefined {
  const from = Date.parse(certificate.valid_from)
  const to = Date.parse(certificate.valid_to)
  const renew = 'Renew the certificate (certbot renew) and reload the reverse proxy.'
  if (now > to)
    return {
      status: 'error',
      message: `has a certificate that expired on ${day(to)}.`,
      fix: renew,
    }
  if (now < from)
    return {
      status: 'error',
      message: `has a certificate that is not valid before ${day(from)}.`,
      fix: 'Check the clock of this machine, or install a certificate that is valid now.',
    }
  const code =
    typeof refused === 'string' ? refused : refused instanceof Error ? reasonOf(refused) : ''
  if (/ALTNAME/.test(code))
    return {
      status: 'error',
      message: `has a certificate for another name (${certificate.subjectaltname ?? certificate.subject.CN}).`,
      fix: `Install a certificate for ${hostname}.`,
    }
  if (/UNABLE_TO_VERIFY_LEAF|UNABLE_TO_GET_ISSUER/.test(code))
    return {
      status: 'error',
      message: 'sends an incomplete or unknown certificate chain.',
      fix: 'Configure the full chain (fullchain.pem in nginx’s ssl_certificate), from a public certificate authority.',
    }
  if (code)
    return {
      status: 'error',
      message: `has a certificate that browsers do not trust (${code}).`,
      fix: 'Install a certificate from a public certificate authority, such as Let’s Encrypt.',
    }
  const days = Math.floor((to - now) / 86_400_000)
  if (days < renewDays)
    return {
      status: 'warning',
      message: `has a certificate that expires in ${days} days (${day(to)}).`,
      fix: `${renew} Check why it was not renewed automatically.`,
    }
  return undefined
}

function day(time: number | string) {
  return new Date(time).toISOString().slice(0, 10)
}

function readClock(url: URL, now: () => number): Promise<ClockSample | undefined> {
  const { host } = url
  const before = now()
  return new Promise((resolve, reject) => {
    const request = get(`https://${host}/health/live`, { timeout: timeoutMs }, (response) => {
      response.resume()
      resolve(readDate(response.headers.date ?? null, host, (before + now()) / 2))
    })
    request.once('error', reject)
    request.once('timeout', () => request.destroy(new Error('timeout')))
  })
}
