import { BaseError } from '@gatefold/protocol'
import { fromBase64 } from './crypto/base64.ts'

/** What a wallet scans. @see contracts/relay.md 4.4 */
export type PairingUri = {
  /** 64 hex. */
  topic: string
  /** 64 hex. */
  symKey: string
  relay: { protocol: string }
  /** Unix time in seconds; undefined from clients that do not say. */
  expiryTimestamp?: number | undefined
  /** What the app will ask first, such as `wc_sessionAuthenticate`. */
  methods?: readonly string[] | undefined
}

/** A pairing lives this long. @see spec §4.7, §9.1.1 */
export const pairingLifetimeSeconds = 240
/** So close to its end it counts as expired. @see spec §4.7, §9.1.1 */
export const pairingMarginSeconds = 10

/** Whether a wallet could no longer answer in time. @param now - Unix time in ms */
export function isPairingExpired(expirySeconds: number, now: number): boolean {
  return now / 1_000 >= expirySeconds - pairingMarginSeconds
}

/** @example formatPairingUri({ topic, symKey, relay: { protocol: 'irn' }, expiryTimestamp }) */
export function formatPairingUri(pairing: PairingUri): string {
  const { topic, symKey, relay, expiryTimestamp, methods } = pairing
  const query = new URLSearchParams()
  if (expiryTimestamp !== undefined) query.set('expiryTimestamp', String(expiryTimestamp))
  if (methods?.length) query.set('methods', methods.join(','))
  query.set('relay-protocol', relay.protocol)
  query.set('symKey', symKey)
  return `wc:${topic}@2?${query}`
}

/**
 * Reads a pairing URI: its fields in any order, `wc:` or `wc://`, or base64 of the whole.
 *
 * @throws {PairingUriError} that says what is wrong with it. It may be expired: see `isPairingExpired`.
 */
export function parsePairingUri(text: string): PairingUri {
  const trimmed = text.trim()
  const uri = /^wc:/i.test(trimmed) ? trimmed : unwrap(trimmed)
  const match = /^wc:(?:\/\/)?([^@?]*)@(\d+)(?:-1)?\/?(?:\?(.*))?$/i.exec(uri)
  if (!match) throw new PairingUriError('It does not have the form “wc:<topic>@2?…”.')
  const [, topic = '', version, query = ''] = match
  if (version !== '2')
    throw new PairingUriError(`It is of version ${version}; only version 2 is in use.`)
  const fields = new URLSearchParams(query)
  const symKey = fields.get('symKey') ?? ''
  const protocol = fields.get('relay-protocol') ?? ''
  const expiry = fields.get('expiryTimestamp')
  if (!isHex32(topic)) throw new PairingUriError('Its topic must be 64 hex digits.')
  if (!isHex32(symKey)) throw new PairingUriError('Its symKey must be 64 hex digits.')
  if (protocol === '') throw new PairingUriError('It names no relay-protocol.')
  if (expiry !== null && !/^\d{1,12}$/.test(expiry))
    throw new PairingUriError('Its expiryTimestamp must be a Unix time in seconds.')
  const methods = fields.get('methods')?.split(',').filter(Boolean)
  return {
    topic: topic.toLowerCase(),
    symKey: symKey.toLowerCase(),
    relay: { protocol },
    ...(expiry === null ? {} : { expiryTimestamp: Number(expiry) }),
    ...(methods?.length ? { methods } : {}),
  }
}

function isHex32(text: string) {
  return /^[0-9a-f]{64}$/i.test(text)
}

function unwrap(text: string) {
  try {
    return new TextDecoder().decode(fromBase64(text))
  } catch {
    // Not base64 either: the caller says what a URI looks like.
    return ''
  }
}

/** A text that is no pairing URI. */
export class PairingUriError extends BaseError {
  override name = 'PairingUriError'
  constructor(reason: string) {
    super('This is not a pairing URI.', {
      code: 'sign.invalid_uri',
      metaMessages: [reason, 'Copy the whole link that the app shows, and try again.'],
      docsPath: 'docs/sign.md#errors',
    })
  }
}
