import { BaseError } from '@gatefold/protocol'
import { base64urlnopad } from '@scure/base'

/** The input of the PRF. Outputs differ for each passkey, and a passkey is used before its user is known. */
const prfInput = new TextEncoder().encode('gatefold recovery key 1')

/**
 * The result of using a passkey: the output of its PRF, and the signed response
 * for the server.
 */
export type UsedPasskey = {
  credentialId: string
  prf: Uint8Array<ArrayBuffer>
  response: PublicKeyCredential
}

/** Whether this document may use passkeys. Official clients do not give their frame this permission. */
export async function maySeePasskeys(): Promise<boolean> {
  if (!('PublicKeyCredential' in globalThis)) return false
  const { featurePolicy } = document as { featurePolicy?: { allowsFeature(name: string): boolean } }
  return featurePolicy?.allowsFeature('publickey-credentials-get') ?? probePermission()
}

/**
 * Asks for a passkey of a site that cannot exist. Browsers refuse this before they show a dialog: with
 * `NotAllowedError` if the document may not use passkeys, otherwise with `SecurityError`. Firefox and Safari have no
 * API for this permission.
 *
 * @see Credential Management Level 1, "Request a Credential"; WebAuthn Level 3, section 5.1.4.2
 */
async function probePermission(): Promise<boolean> {
  try {
    const challenge = toChallenge(undefined)
    // Host names cannot contain a space, so no browser requests the site's list of related origins.
    await navigator.credentials.get({ publicKey: { challenge, rpId: 'no site' } })
    return true
  } catch (error) {
    return !(error instanceof DOMException && error.name === 'NotAllowedError')
  }
}

/**
 * Creates a passkey with a PRF, and asks for its output.
 *
 * @throws {PasskeyError} if the visitor cancels, or the authenticator has no PRF.
 * @see WebAuthn Level 3, section 10.1.4
 */
export async function createPasskey(options: {
  userId: string
  userName: string
  challenge?: string | undefined
  excluded?: readonly string[]
  signal?: AbortSignal | undefined
}): Promise<UsedPasskey & { created: PublicKeyCredential }> {
  const { signal } = options
  const created = await ask(() =>
    navigator.credentials.create({
      ...(signal && { signal }),
      publicKey: {
        rp: { name: 'Gatefold', id: location.hostname },
        user: {
          id: new TextEncoder().encode(options.userId),
          name: options.userName,
          displayName: options.userName,
        },
        challenge: toChallenge(options.challenge),
        pubKeyCredParams: [
          { type: 'public-key', alg: -7 },
          { type: 'public-key', alg: -257 },
        ],
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
        excludeCredentials: (options.excluded ?? []).map(toDescriptor),
        extensions: { prf: { eval: { first: prfInput } } },
      },
    }),
  )
  const credentialId = created.id
  const { enabled, results } = created.getClientExtensionResults().prf ?? {}
  if (results?.first)
    return { created, credentialId, prf: toBytes(results.first), response: created }
  // Some authenticators report nothing until the passkey is used.
  if (enabled === false) throw new PasskeyError('frame.passkey_prf')
  return { created, ...(await readPasskey([credentialId], undefined, signal)) }
}

/**
 * Asks for a passkey's output.
 *
 * @param ids - the passkeys that can be used; if empty, any passkey of this
 *   site.
 * @param signal - closes the browser's dialog.
 * @throws {PasskeyError} if the visitor cancels, or the authenticator has no PRF.
 */
export async function readPasskey(
  ids: readonly string[],
  challenge?: string,
  signal?: AbortSignal,
): Promise<UsedPasskey> {
  const response = await ask(() =>
    navigator.credentials.get({
      ...(signal && { signal }),
      publicKey: {
        rpId: location.hostname,
        challenge: toChallenge(challenge),
        allowCredentials: ids.map(toDescriptor),
        userVerification: 'required',
        extensions: { prf: { eval: { first: prfInput } } },
      },
    }),
  )
  const first = response.getClientExtensionResults().prf?.results?.first
  if (!first) throw new PasskeyError('frame.passkey_prf')
  return { credentialId: response.id, prf: toBytes(first), response }
}

async function ask(request: () => Promise<Credential | null>): Promise<PublicKeyCredential> {
  let credential: Credential | null
  try {
    credential = await request()
  } catch (error) {
    throw new PasskeyError('frame.passkey', error)
  }
  if (!credential) throw new PasskeyError('frame.passkey')
  return credential as PublicKeyCredential
}

/**
 * The challenge of the server, or random bytes if no server checks the
 * response.
 */
function toChallenge(challenge: string | undefined): Uint8Array<ArrayBuffer> {
  return challenge === undefined
    ? crypto.getRandomValues(new Uint8Array(32))
    : new Uint8Array(base64urlnopad.decode(challenge))
}

function toDescriptor(id: string): PublicKeyCredentialDescriptor {
  return { type: 'public-key', id: new Uint8Array(base64urlnopad.decode(id)) }
}

function toBytes(source: BufferSource): Uint8Array<ArrayBuffer> {
  if (source instanceof ArrayBuffer) return new Uint8Array(source)
  // A copy, because the buffer must not be a `SharedArrayBuffer`.
  return new Uint8Array(new Uint8Array(source.buffer, source.byteOffset, source.byteLength))
}

/** A passkey was not used. */
export class PasskeyError extends BaseError {
  override name = 'PasskeyError'
  constructor(code: 'frame.passkey' | 'frame.passkey_prf', cause?: unknown) {
    super(
      code === 'frame.passkey'
        ? 'No passkey was used. Try again, or use another method.'
        : 'This passkey cannot protect a wallet. Use another one, or a password.',
      { code, cause, docsPath: 'docs/custody.md' },
    )
  }
}
