import { http } from 'viem'
import { mainnet, optimism } from 'viem/chains'
import { createConfig, injected } from 'wagmi'

/** What both pages share: a host's own wagmi configuration, as its documentation shows it. */
export const config = createConfig({
  chains: [mainnet, optimism],
  connectors: [injected()],
  transports: { [mainnet.id]: http(), [optimism.id]: http() },
})
