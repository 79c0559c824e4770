import type { Connector } from '../connection/Connector.ts'
import type { KitInstance } from '../kit/Kit.ts'
import type { Network } from '../networks/Network.ts'
import type { WalletListing } from './WalletListing.ts'

/**
 * The URL of a wallet's image; undefined if it has none, or only an image id and there is no gateway.
 *
 * @see spec §7.5.1
 */
export function walletImage(kit: KitInstance, wallet: WalletListing): string | undefined {
  if (wallet.image_url) return wallet.image_url
  return wallet.image_id ? image(kit, `/getWalletImage/${wallet.image_id}`) : undefined
}

/** @see spec §7.5.2 */
export function connectorImage(kit: KitInstance, connector: Connector): string | undefined {
  if (connector.imageUrl) return connector.imageUrl
  return connector.imageId ? image(kit, `/public/getAssetImage/${connector.imageId}`) : undefined
}

/** @see spec §7.5.2, §3.20 chainImages */
export function networkImage(kit: KitInstance, network: Network): string | undefined {
  if (network.assets?.imageUrl) return network.assets.imageUrl
  const id = network.assets?.imageId
  return id ? image(kit, `/public/getAssetImage/${id}`) : undefined
}

function image(kit: KitInstance, path: string): string | undefined {
  const { gateway } = kit.options.endpoints
  if (!gateway) return undefined
  const url = new URL(path, gateway)
  if (kit.options.projectId) url.searchParams.set('projectId', kit.options.projectId)
  return url.href
}
