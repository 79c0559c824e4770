import { http } from 'viem'
import { mainnet, optimism } from 'viem/chains'
import { createConfig, injected } from 'wagmi'

/** The wagmi configuration for both pages, as in wagmi's documentation. */
export const config = createConfig({
  chains: [mainnet, optimism],
  connectors: [injected()],
  transports: { [mainnet.id]: http(), [optimism.id]: http() },
})
