import type { Identity } from '../../core/connection/Adapter.ts'
import type { Network } from '../../core/networks/Network.ts'
import type { Evm } from './context.ts'

// A separate module, because the code that reads names from the chain is loaded
// only if the gateway has not found a name.

/**
 * The name and avatar of an address: those that the gateway has found,
 * otherwise those of the primary ENS name on the chain. Unless the site has set
 * `remoteAvatars`, only avatars from hosts that the page contacts anyway are
 * used.
 */
export async function getIdentity(
  evm: Evm,
  parameters: { address: string; network: Network; found?: Identity | undefined },
): Promise<Identity> {
  const { found } = parameters
  // Other names must be normalized first. @see
  // docs/threats.md#impersonating-names
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
