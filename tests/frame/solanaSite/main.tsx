import { createGatefold } from '@gatefold/kit'
import { embedded } from '@gatefold/kit/embedded'
import type { SolanaWallet } from '@gatefold/kit/embedded'
import { evm } from '@gatefold/kit/evm'
import { ConnectButton, GatefoldProvider, useKitBalance, useKitProvider } from '@gatefold/kit/react'
import { createRoot } from 'react-dom/client'
import { defineChain } from 'viem'

/**
 * A site with an EVM and a Solana network, and an adapter for EVM only. Query
 * parameters: `frame`, the origin of the secure frame; `rpc`, of chain 31337;
 * `solana` and `solanaRpc`, the reference and the URL of the Solana network.
 */
const query = new URLSearchParams(location.search)
const value = (name: string) => query.get(name)!

const kit = createGatefold({
  metadata: { name: 'Harbor', description: '', url: location.origin, icons: [] },
  networks: [
    defineChain({
      id: 31337,
      name: 'Gatefold Local',
      nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
      rpcUrls: { default: { http: [value('rpc')] } },
    }),
    {
      id: value('solana'),
      name: 'Gatefold Solana',
      chainNamespace: 'solana',
      nativeCurrency: { name: 'Sol', symbol: 'SOL', decimals: 9 },
      rpcUrls: { default: { http: [value('solanaRpc')] } },
    },
  ],
  adapters: [evm()],
  connectors: [embedded()],
  endpoints: { frame: value('frame') },
})

/** The wallet's address and balance on Solana. Gives the wallet to the test. */
function Solana() {
  const { data } = useKitProvider('solana')
  const { data: balance, refetch } = useKitBalance({ namespace: 'solana' })
  const wallet = data as SolanaWallet | undefined
  Object.assign(window, { wallet })
  return (
    <>
      <output>{wallet?.accounts[0]?.address}</output>
      <button onClick={() => void refetch()}>
        {balance && `${balance.balance} ${balance.symbol}`}
      </button>
    </>
  )
}

createRoot(document.getElementById('root')!).render(
  <GatefoldProvider kit={kit}>
    <ConnectButton />
    <Solana />
  </GatefoldProvider>,
)
