import { BaseError } from '@gatefold/protocol'
import { isPairingExpired, parsePairingUri } from '@gatefold/sign'

/**
 * Reads the pairing URI from scanned, pasted or linked text: the URI itself, or a wallet link with it in
 * the parameter `uri`.
 *
 * @param now - Unix time in ms
 * @throws {PairingUriError} if the text has no valid pairing URI
 * @throws {CodeExpiredError} if the URI has expired
 */
export function readPairingUri(text: string, now: number): { uri: string; topic: string } {
  const uri = unwrap(text.trim())
  const { topic, expiryTimestamp } = parsePairingUri(uri)
  if (expiryTimestamp !== undefined && isPairingExpired(expiryTimestamp, now)) {
    throw new CodeExpiredError()
  }
  return { uri, topic }
}

/** The pairing URI has expired. */
export class CodeExpiredError extends BaseError {
  override name = 'CodeExpiredError'
  constructor() {
    super('This QR code has expired.', {
      code: 'phone.code_expired',
      metaMessages: ['Create a new one in the app and scan it.'],
    })
  }
}

function unwrap(text: string): string {
  if (!/^[a-z][\w+.-]*:\/\//i.test(text) || /^wc:/i.test(text) || !URL.canParse(text)) return text
  const uri = new URL(text).searchParams.get('uri')
  if (!uri) return text
  // Some messengers percent-encode links a second time.
  return /^wc%3a/i.test(uri) ? decodeURIComponent(uri) : uri
}
