import type { Identity } from '../../core/connection/Adapter.ts'
import type { Network } from '../../core/networks/Network.ts'
import type { Evm } from './context.ts'

// A module of its own: the code that reads names from the chain is loaded only where the gateway has not found them.

/**
 * The name and avatar of an address: what the gateway has found, or otherwise the primary ENS name on the chain. An avatar
 * on a host that the page does not contact anyway is left out, unless the site has set `remoteAvatars`.
 */
export async function getIdentity(
  evm: Evm,
  parameters: { address: string; network: Network; found?: Identity | undefined },
): Promise<Identity> {
  const { found } = parameters
  // Other names have to be normalized first. @see docs/threats.md#impersonating-names
  if (found && (found.name === undefined || plainName.test(found.name))) {
    const { name, avatar } = found
    const isShown = avatar && (evm.options.remoteAvatars || isFromKnownHost(evm, avatar))
    return { name, avatar: isShown ? avatar : undefined }
  }
  const { readIdentity } = await import('./names.ts')
  return readIdentity(evm, parameters)
}

/** Names that are already normalized, for which the normalizer need not be loaded. */
export const plainName = /^(?!..--)[a-z0-9-]+(\.(?!..--)[a-z0-9-]+)*$/

/** Whether an image is inline, or on a host that the page contacts anyway. */
export function isFromKnownHost({ config }: Evm, picture: string): boolean {
  if (picture.startsWith('data:image/')) return true
  if (!URL.canParse(picture)) return false
  const { origin, protocol } = new URL(picture)
  if (!protocol.startsWith('http')) return false
  const page = typeof location === 'undefined' ? [] : [location.origin]
  const rpc = config.chains.flatMap(({ rpcUrls }) => rpcUrls.default.http)
  return [...page, ...rpc].some((url) => URL.canParse(url) && new URL(url).origin === origin)
}
