import { prepareRelayJwt, toDidKey } from '@gatefold/protocol/relay'
import type { Curves } from './Curves.ts'

/** Derives a client's `did:key` from its Ed25519 seed. @param seed - 64 hex digits */
export async function toClientId(curves: Curves, seed: string): Promise<string> {
  return toDidKey(await curves.getPublicKey('Ed25519', seed))
}

const lifetimeSeconds = 24 * 60 * 60

/**
 * Creates the token that authenticates a client to a relay.
 *
 * @param options.seed - Ed25519 seed, 64 hex digits
 * @param options.sub - 64 hex digits, random for each client object
 * @param options.relayUrl - the audience, unchanged
 * @param options.nowMs - Unix time in ms
 * @see docs/contracts/relay.md#token
 */
export async function createRelayToken(
  curves: Curves,
  options: { seed: string; sub: string; relayUrl: string; nowMs: number },
): Promise<string> {
  const { seed, sub, relayUrl, nowMs } = options
  const iat = Math.floor(nowMs / 1_000)
  const { signed, finish } = prepareRelayJwt({
    publicKey: await curves.getPublicKey('Ed25519', seed),
    claims: { sub, aud: relayUrl, iat, exp: iat + lifetimeSeconds },
  })
  return finish(await curves.sign(seed, signed))
}
