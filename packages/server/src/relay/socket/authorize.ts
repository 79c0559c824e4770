import { createPublicKey, verify } from 'node:crypto'
import {
  InvalidJwtError,
  isRelayOrigin,
  relayRefusals,
  verifyRelayJwt,
  type RelayRefusal,
} from '@gatefold/protocol/relay'
import type { ServerContext } from '../RelayContext.ts'
import { allowsOrigin, defaultProjectId } from '../../storage/projects.ts'
import { isLocalHost } from './isLocalHost.ts'

/** The credentials of a WebSocket upgrade or an HTTP request. */
export type Credentials = {
  token: string | undefined
  projectId: string | undefined
  /** The `Origin` header, which browsers send. */
  origin: string | undefined
  /** The `Host` header. */
  host: string | undefined
}

export type Admission = { clientId: string; projectId: string }

export type Refusal = {
  refusal: RelayRefusal
  /** The text that the client receives. */
  reason: string
}

/**
 * Admits or refuses a client, depending on its project, the origin of its page and its token.
 *
 * @throws {StorageUnavailableError} if the project cannot be read.
 * @see docs/contracts/relay.md#connection
 * @see docs/threats.md#relay-token
 */
export async function authorize(
  context: Pick<ServerContext, 'config' | 'now' | 'projects'>,
  { token, projectId, origin, host }: Credentials,
): Promise<Admission | Refusal> {
  // Older clients send no project id.
  const id = projectId || defaultProjectId
  const project = await context.projects.get(id)
  if (!project?.active) return refuse('invalidKey')
  const audiences = audiencesOf(context, host)
  // React Native sends the host to which it connects as the origin. A page of another site cannot do so.
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
 * The URLs that a token may name as its audience: the configured ones. If there are none, the `Host` header
 * is used if it names a local host. Clients choose this header, so if a public host were accepted, the
 * operator of another relay could replay the tokens of that relay's clients.
 *
 * @see docs/threats.md#token-for-another-relay
 */
export function audiencesOf(
  { config }: Pick<ServerContext, 'config'>,
  host: string | undefined,
): readonly string[] {
  return config.relayUrls ?? (host && isLocalHost(host) ? [host] : [])
}

function refuse(refusal: RelayRefusal): Refusal {
  return { refusal, reason: relayRefusals[refusal] }
}

/** The DER prefix of an Ed25519 public key. @see RFC 8410, section 4 */
const spkiPrefix = Buffer.from('302a300506032b6570032100', 'hex')

export function verifyEd25519(signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array) {
  const key = createPublicKey({
    key: Buffer.concat([spkiPrefix, publicKey]),
    format: 'der',
    type: 'spki',
  })
  return verify(null, message, key, signature)
}
