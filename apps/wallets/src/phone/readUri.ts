import { BaseError } from '@gatefold/protocol'
import { isPairingExpired, parsePairingUri } from '@gatefold/sign'

/**
 * The pairing URI in what a person scanned, pasted or followed: the URI itself, or a link to a wallet
 * that carries it as `uri`.
 *
 * @param now - Unix time in ms
 * @throws {PairingUriError} when there is none
 * @throws {CodeExpiredError} when it is too old to be answered
 */
export function readUri(text: string, now: number): { uri: string; topic: string } {
  const uri = unwrap(text.trim())
  const { topic, expiryTimestamp } = parsePairingUri(uri)
  if (expiryTimestamp !== undefined && isPairingExpired(expiryTimestamp, now)) {
    throw new CodeExpiredError()
  }
  return { uri, topic }
}

/** A code that nobody waits behind any more. */
export class CodeExpiredError extends BaseError {
  override name = 'CodeExpiredError'
  constructor() {
    super('This code is too old.', {
      code: 'phone.code_expired',
      metaMessages: ['Make a fresh one in the app, and scan that.'],
    })
  }
}

function unwrap(text: string): string {
  if (!/^[a-z][\w+.-]*:\/\//i.test(text) || /^wc:/i.test(text) || !URL.canParse(text)) return text
  const uri = new URL(text).searchParams.get('uri')
  if (!uri) return text
  // Some messengers encode a link once more on its way.
  return /^wc%3a/i.test(uri) ? decodeURIComponent(uri) : uri
}
