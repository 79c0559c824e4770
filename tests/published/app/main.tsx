import { createGatefold } from '@gatefold/kit'
import { evm } from '@gatefold/kit/evm'
import { ConnectButton, GatefoldProvider } from '@gatefold/kit/react'
import { createRoot } from 'react-dom/client'
import { mainnet } from 'viem/chains'

/** The site from the README, as a user of the published packages would write it. */
const kit = createGatefold({
  metadata: { name: 'My site', description: 'What it does', url: location.origin, icons: [] },
  networks: [mainnet],
  adapters: [evm()],
})

createRoot(document.getElementById('root')!).render(
  <GatefoldProvider kit={kit}>
    <ConnectButton />
  </GatefoldProvider>,
)
