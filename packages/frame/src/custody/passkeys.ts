import { BaseError } from '@gatefold/protocol'
import { base64urlnopad } from '@scure/base'

/** The input of the PRF. Outputs differ for each passkey, and a passkey is used before its user is known. */
const prfInput = new TextEncoder().encode('gatefold recovery key 1')

const prfExtension = { extensions: { prf: { eval: { first: prfInput } } } }

/**
 * The errors of a visitor who cancels, of a document that may not use passkeys, and of a passkey that exists already.
 * Authenticators and browsers that fail because of the PRF report others.
 *
 * @see WebAuthn Level 3, sections 5.1.3 and 5.1.4
 */
const cancellations = new Set([
  'NotAllowedError',
  'AbortError',
  'SecurityError',
  'InvalidStateError',
])

/**
 * The result of using a passkey: the output of its PRF, and the signed response
 * for the server.
 */
export type UsedPasskey = {
  credentialId: string
  /** `undefined` if the authenticator or the browser has no PRF. */
  prf: Uint8Array<ArrayBuffer> | undefined
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
 * Creates a passkey, and asks for the output of its PRF. Only the result shows
 * whether there is one.
 *
 * @param options.usesPrf - whether to ask for a PRF at all.
 * @throws {PasskeyError} `frame.passkey` if the visitor cancels; `frame.passkey_prf` if no passkey with a PRF can be
 *   created.
 * @see WebAuthn Level 3, section 10.1.4
 */
export async function createPasskey(options: {
  userId: string
  userName: string
  challenge?: string | undefined
  excluded?: readonly string[]
  usesPrf?: boolean
  signal?: AbortSignal | undefined
}): Promise<UsedPasskey & { created: PublicKeyCredential }> {
  const { usesPrf = true, signal } = options
  const created = await ask(usesPrf, () =>
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
        ...(usesPrf && prfExtension),
      },
    }),
  )
  const credentialId = created.id
  const { enabled, results } = created.getClientExtensionResults().prf ?? {}
  const passkey = { created, credentialId, prf: toBytes(results?.first), response: created }
  if (passkey.prf || !usesPrf || enabled === false) return passkey
  // Some authenticators report nothing until the passkey is used.
  try {
    return { ...passkey, ...(await readPasskey([credentialId], { signal })) }
  } catch (error) {
    // A passkey that was just created can be used for logins, even if reading its output fails.
    if (error instanceof PasskeyError && error.code === 'frame.passkey_prf') return passkey
    await discardPasskey(credentialId)
    throw error
  }
}

/**
 * Reports that this site does not know a passkey, so that the authenticator removes it. Otherwise, a passkey that opens
 * nothing would be offered at each login. Browsers without this API keep it.
 *
 * @see https://www.w3.org/TR/webauthn-3/#sctn-signalUnknownCredential
 */
export async function discardPasskey(credentialId: string): Promise<void> {
  const credentials = PublicKeyCredential as Partial<typeof PublicKeyCredential>
  await credentials
    .signalUnknownCredential?.({ rpId: location.hostname, credentialId })
    .catch(() => undefined)
}

/**
 * Uses a passkey, and asks for the output of its PRF.
 *
 * @param ids - the passkeys that can be used; if empty, any passkey of this
 *   site.
 * @param options.usesPrf - whether to ask for the output at all.
 * @param options.signal - closes the browser's dialog.
 * @throws {PasskeyError} `frame.passkey` if the visitor cancels; `frame.passkey_prf` if no passkey with a PRF can be
 *   used.
 */
export async function readPasskey(
  ids: readonly string[],
  options: {
    challenge?: string
    usesPrf?: boolean
    signal?: AbortSignal | undefined
  } = {},
): Promise<UsedPasskey> {
  const { challenge, usesPrf = true, signal } = options
  const response = await ask(usesPrf, () =>
    navigator.credentials.get({
      ...(signal && { signal }),
      publicKey: {
        rpId: location.hostname,
        challenge: toChallenge(challenge),
        allowCredentials: ids.map(toDescriptor),
        userVerification: 'required',
        ...(usesPrf && prfExtension),
      },
    }),
  )
  const first = response.getClientExtensionResults().prf?.results?.first
  return { credentialId: response.id, prf: toBytes(first), response }
}

/**
 * The output of a passkey's PRF, for a purpose that needs it.
 *
 * @throws {PasskeyError} if there is none.
 */
export function assertPrf({ prf }: UsedPasskey): Uint8Array<ArrayBuffer> {
  if (!prf) throw new PasskeyError('frame.passkey_prf')
  return prf
}

async function ask(
  usesPrf: boolean,
  request: () => Promise<Credential | null>,
): Promise<PublicKeyCredential> {
  let credential: Credential | null
  try {
    credential = await request()
  } catch (error) {
    const isCancelled = error instanceof DOMException && cancellations.has(error.name)
    throw new PasskeyError(usesPrf && !isCancelled ? 'frame.passkey_prf' : 'frame.passkey', error)
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

function toBytes(source: BufferSource | undefined): Uint8Array<ArrayBuffer> | undefined {
  if (!source) return undefined
  if (source instanceof ArrayBuffer) return new Uint8Array(source)
  // A copy, because the buffer must not be a `SharedArrayBuffer`.
  return new Uint8Array(new Uint8Array(source.buffer, source.byteOffset, source.byteLength))
}

const messages = {
  'frame.passkey': 'No passkey was used. Try again, or use another method.',
  'frame.passkey_prf':
    'Passkeys of this device or browser can’t protect a wallet. Use another device or browser, or another method.',
  'frame.passkey_retry':
    'Passkeys of this device or browser can’t protect a wallet. Try again to use one only to log in.',
}

/** A passkey was not used. */
export class PasskeyError extends BaseError {
  override name = 'PasskeyError'
  constructor(code: keyof typeof messages, cause?: unknown) {
    super(messages[code], { code, cause, docsPath: 'docs/custody.md' })
  }
}
