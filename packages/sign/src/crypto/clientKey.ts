import { signRelayJwt, toDidKey } from '@gatefold/protocol/relay'
import { ed25519 } from '@noble/curves/ed25519'
import { hexToBytes } from '@noble/hashes/utils'

/** The `did:key` of an Ed25519 seed. @param seed - 64 hex */
export function toClientId(seed: string): string {
  return toDidKey(ed25519.getPublicKey(hexToBytes(seed)))
}

const lifetimeSeconds = 24 * 60 * 60

/**
 * The token a client shows to a relay.
 *
 * @param options.seed - Ed25519, 64 hex
 * @param options.sub - random per client object, 64 hex
 * @param options.relayUrl - becomes the audience exactly as it stands
 * @param options.nowMs - Unix time in ms
 * @see contracts/relay.md 1.1
 */
export function createRelayToken(options: {
  seed: string
  sub: string
  relayUrl: string
  nowMs: number
}): string {
  const seed = hexToBytes(options.seed)
  const iat = Math.floor(options.nowMs / 1_000)
  return signRelayJwt({
    publicKey: ed25519.getPublicKey(seed),
    sign: (message) => ed25519.sign(message, seed),
    claims: { sub: options.sub, aud: options.relayUrl, iat, exp: iat + lifetimeSeconds },
  })
}
