/** The lazy chunk of the network views. */
export { Networks } from '../views/networks/Networks.tsx'
export { SwitchActiveChain } from '../views/networks/SwitchActiveChain.tsx'
export { SwitchNetwork } from '../views/networks/SwitchNetwork.tsx'
export { UnsupportedChain } from '../views/networks/UnsupportedChain.tsx'
export { WhatIsANetwork } from '../views/networks/WhatIsANetwork.tsx'
