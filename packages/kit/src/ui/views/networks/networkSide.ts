import { networkArt } from '../../../core/wallets/art.ts'
import type { KitInstance } from '../../../core/kit/Kit.ts'
import type { Network } from '../../../core/networks/Network.ts'
import { help } from '../../icons/base.ts'
import type { FacingPagesSide } from '../../parts/FacingPages.tsx'

/** A network as one side of `FacingPages`; a question mark for an unsupported chain. */
export function networkSide(
  kit: KitInstance,
  network: Network | undefined,
  name = '',
): FacingPagesSide {
  return network ? networkArt(kit, network) : { name, icon: help, shape: 'hex' }
}
