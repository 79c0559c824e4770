import { createGatefold } from '@gatefold/kit'
import { sendTransaction, setLocale } from '@gatefold/kit/core'
import { embedded } from '@gatefold/kit/embedded'
import { evm } from '@gatefold/kit/evm'
import { ConnectButton, GatefoldProvider, useKitAccount, useKitProvider } from '@gatefold/kit/react'
import { createRoot } from 'react-dom/client'
import { defineChain } from 'viem'

/**
 * A dark site. Query parameters: `frame`, the origin of the secure frame; `rpc`, of chain 31337; `locale`; `logins`, if the site
 * offers a passkey and Google, too.
 */
const query = new URLSearchParams(location.search)

const kit = createGatefold({
  metadata: { name: 'Harbor', description: '', url: location.origin, icons: [] },
  networks: [
    defineChain({
      id: 31337,
      name: 'Gatefold Local',
      nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
      rpcUrls: { default: { http: [query.get('rpc')!] } },
    }),
  ],
  adapters: [evm()],
  connectors: [embedded()],
  endpoints: { frame: query.get('frame')! },
  themeMode: 'dark',
  locale: query.get('locale')!,
  locales: { de: () => import('@gatefold/kit/locales/de') },
  features: query.has('logins') ? { passkey: true, socials: ['google'] } : {},
})

/** Gives the provider and the kit's actions to the test. */
function Account() {
  const { data: provider } = useKitProvider('eip155')
  const { address } = useKitAccount()
  Object.assign(window, {
    provider,
    speak: (locale: string) => setLocale(kit, locale),
    send: (to: string) => sendTransaction(kit, { to, value: 1n }),
  })
  return <output>{provider ? address : undefined}</output>
}

createRoot(document.getElementById('root')!).render(
  <GatefoldProvider kit={kit}>
    <ConnectButton />
    <Account />
  </GatefoldProvider>,
)
