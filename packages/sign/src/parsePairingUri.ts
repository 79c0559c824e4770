import { BaseError } from '@gatefold/protocol'
import { fromBase64 } from '@gatefold/protocol/relay'
import type { PairingUri } from './pairingUri.ts'

/**
 * Parses a pairing URI with fields in any order, after `wc:` or `wc://`. Also accepts the whole URI in base64.
 * Does not check the expiry; see `isPairingExpired`.
 *
 * @throws {PairingUriError} with the problem in `metaMessages`
 */
export function parsePairingUri(text: string): PairingUri {
  const trimmed = text.trim()
  const uri = /^wc:/i.test(trimmed) ? trimmed : unwrap(trimmed)
  const match = /^wc:(?:\/\/)?([^@?]*)@(\d+)(?:-1)?\/?(?:\?(.*))?$/i.exec(uri)
  if (!match) throw new PairingUriError('It does not have the form “wc:<topic>@2?…”.')
  const [, topic = '', version, query = ''] = match
  if (version !== '2')
    throw new PairingUriError(`It is version ${version}; only version 2 is supported.`)
  const fields = new URLSearchParams(query)
  const symKey = fields.get('symKey') ?? ''
  const protocol = fields.get('relay-protocol') ?? ''
  const expiry = fields.get('expiryTimestamp')
  if (!isHex32(topic)) throw new PairingUriError('Its topic must be 64 hex digits.')
  if (!isHex32(symKey)) throw new PairingUriError('Its symKey must be 64 hex digits.')
  if (protocol === '') throw new PairingUriError('It has no relay-protocol.')
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
    // Not base64: the caller throws.
    return ''
  }
}

/** The text is not a pairing URI. */
export class PairingUriError extends BaseError {
  override name = 'PairingUriError'
  constructor(reason: string) {
    super('This is not a pairing URI.', {
      code: 'sign.invalid_uri',
      metaMessages: [reason, 'Copy the whole link from the app and try again.'],
      docsPath: 'docs/sign.md#errors',
    })
  }
}
