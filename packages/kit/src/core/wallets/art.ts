import type { Connector } from '../connection/Connector.ts'
import type { KitInstance } from '../kit/Kit.ts'
import type { Network } from '../networks/Network.ts'
import { connectorImage, networkImage, walletImage } from './images.ts'
import type { WalletListing } from './WalletListing.ts'

// Not in `images.ts`, which is part of a page's first load.

/** The picture of a wallet, app, chain or coin, and its fallbacks. */
export type Art = {
  /** Used for the plate that is shown without a picture. For a coin, its symbol. */
  name?: string | undefined
  /** The URL of the picture. */
  src?: string | undefined
  /** The id of the bundled picture, which is shown if there is no `src`, or if it fails to load. */
  picture?: string | undefined
  /** By default square, as for wallets and apps; round for coins and people, hexagonal for chains. */
  shape?: 'round' | 'hex'
}

export function walletArt(kit: KitInstance, wallet: WalletListing): Art {
  return { name: wallet.name, src: walletImage(kit, wallet), picture: wallet.image_id ?? undefined }
}

export function connectorArt(kit: KitInstance, connector: Connector): Art {
  return { name: connector.name, src: connectorImage(kit, connector), picture: connector.id }
}

export function networkArt(kit: KitInstance, network: Network): Art {
  const { name, caipNetworkId } = network
  return { name, src: networkImage(kit, network), picture: caipNetworkId, shape: 'hex' }
}
