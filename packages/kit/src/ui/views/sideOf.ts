import { networkImage } from '../../core/images.ts'
import type { Kit } from '../../core/Kit.ts'
import type { Network } from '../../core/Network.ts'
import { help } from '../icons/base.ts'
import { globe } from '../icons/guide.ts'
import type { SpreadSide } from '../parts/Spread.tsx'

/** A network as one page of a spread; a question mark for a chain the site does not use. */
export function sideOf(kit: Kit, network: Network | undefined, name = ''): SpreadSide {
  return {
    name: network?.name ?? name,
    src: network && networkImage(kit, network),
    icon: network ? globe : help,
    shape: 'hex',
  }
}
