import { createPublicKey, verify } from 'node:crypto'
import {
  InvalidJwtError,
  isRelayOrigin,
  relayRefusals,
  verifyRelayJwt,
  type RelayRefusal,
} from '@gatefold/protocol/relay'
import type { Context } from '../../context.ts'
import { allowsOrigin, defaultProjectId } from '../../storage/projects.ts'
import { isLocalHost } from './isLocalHost.ts'

/** What a connection or a request over HTTP brings to be let in. */
export type Credentials = {
  token: string | undefined
  projectId: string | undefined
  /** As browsers send it. */
  origin: string | undefined
  /** The `Host` header. */
  host: string | undefined
}

export type Admission = { clientId: string; projectId: string }

export type Refusal = {
  refusal: RelayRefusal
  /** The text to say. */
  reason: string
}

/**
 * Lets a client in, or says why not: its project, its page's origin, its token.
 *
 * @throws {StorageUnavailableError} when the project cannot be known now.
 * @see contract of the relay, 1; threat model, “relay: auth”
 */
export async function authorize(
  context: Context,
  { token, projectId, origin, host }: Credentials,
): Promise<Admission | Refusal> {
  // Older clients name no project.
  const id = projectId || defaultProjectId
  const project = id.length <= 64 ? await context.projects.get(id) : undefined
  if (!project?.active) return refuse('invalidKey')
  const audiences = audiencesOf(context, host)
  // React Native names the host it calls, which no foreign page can; `Host` is not a browser's to choose.
  const isOwn = origin !== undefined && isRelayOrigin(origin, audiences)
  if (!isOwn && !allowsOrigin(project, origin)) return refuse('originNotAllowed')
  if (!token) return refuse('jwtMissing')
  try {
    const { iss } = verifyRelayJwt(token, {
      audiences,
      nowSeconds: context.now() / 1000,
      verify: verifyEd25519,
    })
    return { clientId: iss, projectId: id }
  } catch (error) {
    if (error instanceof InvalidJwtError) return refuse(error.refusal)
    throw error
  }
}

/**
 * The relay's own URLs: those that are configured. Else the host that was asked for, where it is local;
 * whoever asks writes that, so another relay's operator could bring the tokens that clients sent there.
 */
export function audiencesOf({ config }: Context, host: string | undefined): readonly string[] {
  return config.relayUrls ?? (host && isLocalHost(host) ? [host] : [])
}

function refuse(refusal: RelayRefusal): Refusal {
  return { refusal, reason: relayRefusals[refusal] }
}

/** The fixed part of an Ed25519 public key in DER. @see RFC 8410, 4 */
const spkiPrefix = Buffer.from('302a300506032b6570032100', 'hex')

export function verifyEd25519(signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array) {
  const key = createPublicKey({
    key: Buffer.concat([spkiPrefix, publicKey]),
    format: 'der',
    type: 'spki',
  })
  return verify(null, message, key, signature)
}
