import { lstatSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../config.ts'
import { createKeys, KeyError } from '../frame/createKeys.ts'
import { verifySmtp } from '../mail/verifySmtp.ts'
import { selectRoles } from '../roles.ts'
import { openEscrow } from '../storage/frame/openEscrow.ts'
import { StorageUnavailableError } from '../storage/StorageUnavailableError.ts'
import { checkFrameFiles } from './checkFrameFiles.ts'
import { networkFix, reasonOf, type Finding } from './Finding.ts'

const timeoutMs = 10_000

type Result = Omit<Finding, 'check'>

/**
 * Checks what the secure frame needs: a separate origin that serves the files of
 * its site, its keys, and the SMTP server. Sends no mail, and creates no file.
 *
 * @param keyIds - ids of the keys that the database needs; none if it could not be read.
 */
export async function checkFrame(
  config: Config,
  keyIds: readonly string[],
): Promise<{ findings: Finding[] }> {
  if (!selectRoles(config.roles).includes('frame')) {
    const message = 'The role frame is off.'
    return { findings: [{ check: 'frame', status: 'skipped', message }] }
  }
  const escrow = await readEscrow(config)
  const keys = [
    checkKeyFile(config, 'frame', keyIds),
    'message' in escrow ? escrow : checkKeyFile(config, 'escrow', escrow.keyIds),
  ]
  const [site, smtp] = await Promise.all([checkSite(config), checkSmtp(config)])
  const { frameUrl: url, frameSite } = config
  const files =
    site.status === 'ok' && url !== undefined && frameSite !== undefined
      ? [await checkFrameFiles({ url, site: frameSite })]
      : []
  const results = [...keys, site, ...files, smtp]
  return { findings: results.map((result) => ({ check: 'frame', ...result })) }
}

/** Ids of the keys that encrypt recovery keys in the escrow store. */
async function readEscrow({
  escrowDatabaseUrl: databaseUrl,
  dataDir,
}: Config): Promise<{ keyIds: string[] } | Result> {
  const escrow = openEscrow({ databaseUrl, dataDir })
  try {
    return { keyIds: await escrow.listKeyIds() }
  } catch (error) {
    const reason = reasonOf(error instanceof StorageUnavailableError ? error.cause : error)
    return {
      status: 'error',
      message: `The escrow store cannot be read: ${reason}.`,
      fix:
        networkFix(reason, 'GATEFOLD_ESCROW_DATABASE_URL') ??
        'Correct GATEFOLD_ESCROW_DATABASE_URL, or let the user of the server read escrow.db.',
    }
  } finally {
    await escrow.close()
  }
}

/**
 * The key files: format, permissions, and whether the server still has to
 * create them.
 */
function checkKeyFile(config: Config, name: 'frame' | 'escrow', keyIds: readonly string[]): Result {
  const setting = name === 'frame' ? 'GATEFOLD_FRAME_KEYS' : 'GATEFOLD_ESCROW_KEYS'
  const given = name === 'frame' ? config.frameKeys : config.escrowKeys
  const file = given ?? join(config.dataDir, `${name}.keys`)
  const found = lstatSync(file, { throwIfNoEntry: false })
  if (!found) {
    if (given === undefined && keyIds.length === 0)
      return { status: 'ok', message: `The keys of the ${name} store will be created.` }
    return {
      status: 'error',
      message: `The file with the keys of the ${name} store does not exist, and the stored shares cannot be read without it.`,
      fix: `Restore ${file} from its backup, or correct ${setting}.`,
    }
  }
  let ids: readonly string[]
  try {
    ;({ ids } = createKeys({ file, dataDir: config.dataDir, name: `${name}.keys` }))
  } catch (error) {
    if (!(error instanceof KeyError)) throw error
    const [fix] = error.metaMessages
    return {
      status: 'error',
      message: error.shortMessage,
      fix: fix ?? `Let the user of the server read ${file}.`,
    }
  }
  const missing = keyIds.filter((id) => !ids.includes(id))
  if (missing.length > 0)
    return {
      status: 'error',
      message: `The keys of the ${name} store lack ${missing.join(', ')}, which the database needs.`,
      fix: `Add the replaced keys to ${file} as additional lines.`,
    }
  // On Windows, the mode says nothing about other users.
  if (process.platform !== 'win32' && (found.mode & 0o077) !== 0 && !found.isSymbolicLink())
    return {
      status: 'error',
      message: `Other users of this machine can read the keys of the ${name} store.`,
      fix: `chmod 600 ${file}`,
    }
  const rotated = ids.length > 1 ? `, of which ${ids.length - 1} only decrypt` : ''
  const keys = ids.length === 1 ? '1 key' : `${ids.length} keys`
  return { status: 'ok', message: `The ${name} store has ${keys}${rotated}.` }
}

/**
 * Checks the site at the public origin, including the server's headers, which a
 * proxy can drop or change.
 */
async function checkSite({ frameUrl, frameSite }: Config): Promise<Result> {
  if (frameUrl === undefined)
    return {
      status: 'skipped',
      message: 'GATEFOLD_FRAME_URL is not set: the frame works on this machine only.',
    }
  if (frameSite === undefined)
    return {
      status: 'error',
      message: 'GATEFOLD_FRAME_SITE is not set: the frame has its API, but no site.',
      fix: 'Set it to the folder of the built site, packages/frame/dist.',
    }
  const { host, hostname, protocol } = new URL(frameUrl)
  if (protocol === 'http:' && !/^(localhost|127\.0\.0\.1|\[::1\])$/.test(hostname))
    return {
      status: 'error',
      message: `${host} has no TLS: browsers give the frame no keys and no storage.`,
      fix: `Put a reverse proxy with a certificate in front of the frame’s port, and use https://${host}.`,
    }
  let response: Response
  try {
    response = await fetch(`${frameUrl}/sdk?projectId=default`, {
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    })
    await response.body?.cancel()
  } catch (error) {
    const reason = reasonOf(error)
    return {
      status: 'error',
      message: `${host} did not respond: ${reason}.`,
      fix:
        networkFix(reason, 'GATEFOLD_FRAME_URL') ??
        'Start the server, and route this host to the port of the frame.',
    }
  }
  const problem = describeHeaders(response)
  if (problem !== undefined)
    return {
      status: 'error',
      message: `${host} ${problem}.`,
      fix: 'Route this host only to the port of the frame, and let the proxy forward the headers unchanged.',
    }
  return { status: 'ok', message: `${host} serves the frame with its headers.` }
}

function describeHeaders({ status, headers }: Response): string | undefined {
  if (status !== 200) return `responds to /sdk with the status ${status}`
  const policies = (headers.get('content-security-policy') ?? '').split(',')
  const policy = policies[0] ?? ''
  if (!/connect-src 'self'/.test(policy) || !/frame-ancestors /.test(policy))
    return 'does not send the Content-Security-Policy of the frame'
  if (policies.length > 1)
    return 'sends a second Content-Security-Policy, which restricts the frame further'
  if (headers.has('x-frame-options'))
    return 'sends X-Frame-Options, so that no site can embed the frame'
  if (!headers.get('permissions-policy')?.includes('publickey-credentials-get=(self)'))
    return 'does not send the Permissions-Policy of the frame'
  return undefined
}

/**
 * Whether the SMTP server accepts the connection, the certificate and the
 * login, and whether the sender matches the login.
 */
async function checkSmtp({ smtpUrl, mailFrom, host }: Config): Promise<Result> {
  if (smtpUrl === undefined) {
    if (/^(localhost|127\.0\.0\.1|::1)$/.test(host))
      return { status: 'skipped', message: 'GATEFOLD_SMTP_URL is not set: mails are at /dev/mail.' }
    return {
      status: 'error',
      message: 'GATEFOLD_SMTP_URL is not set: logins by email are refused.',
      fix: 'Set GATEFOLD_SMTP_URL and GATEFOLD_MAIL_FROM.',
    }
  }
  const { hostname, protocol } = new URL(smtpUrl)
  try {
    const { isEncrypted } = await verifySmtp(smtpUrl, { timeoutMs })
    if (isEncrypted || /^(localhost|127\.0\.0\.1|\[::1\])$/.test(hostname))
      return (
        describeSender(smtpUrl, mailFrom!) ?? {
          status: 'ok',
          message: `${hostname} accepts the login for mails from ${mailFrom}.`,
        }
      )
    return {
      status: 'error',
      message: `${hostname} offers no TLS: codes would be sent in plain text.`,
      fix: 'Use an SMTP server with TLS, such as smtps://user:password@host:465.',
    }
  } catch (error) {
    const reason = reasonOf(error)
    return {
      status: 'error',
      message: `${hostname} does not accept mails: ${reason}.`,
      fix:
        networkFix(reason, 'GATEFOLD_SMTP_URL') ??
        `Correct the user, the password or the ${protocol === 'smtps:' ? 'host name of the certificate' : 'port'} in GATEFOLD_SMTP_URL.`,
    }
  }
}

/**
 * Compares the domain of the sender with that of the login. If the login is an
 * address, the SMTP server may refuse mails from another domain, or send them
 * without passing that domain's SPF and DMARC checks. A login that is not an
 * address has no domain to compare.
 */
function describeSender(smtpUrl: string, mailFrom: string): Result | undefined {
  const domainOf = (address: string) => /@([^\s<>@]+)>?$/.exec(address)?.[1]?.toLowerCase()
  const login = domainOf(decodeURIComponent(new URL(smtpUrl).username))
  const sender = domainOf(mailFrom)!
  const isWithin = (inner: string, outer: string) => `.${inner}`.endsWith(`.${outer}`)
  if (login === undefined || isWithin(sender, login) || isWithin(login, sender)) return undefined
  return {
    status: 'warning',
    message: `Mails come from ${sender}, but the login is an address at ${login}: they may be refused, or count as spam.`,
    fix: `Use an address at ${login} in GATEFOLD_MAIL_FROM, or let the SMTP server send for ${sender} (SPF, DKIM).`,
  }
}
