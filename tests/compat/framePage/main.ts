import { solanaLocal } from '@gatefold/chain/solana'
import { W3mFrameProvider } from '@reown/appkit-wallet'

type Options = ConstructorParameters<typeof W3mFrameProvider>[0]

/** The official frame client in a real page. */
const official = new W3mFrameProvider({
  projectId: 'default',
  chainId: 31337,
  enableLogger: false,
  abortController: new AbortController(),
  getActiveCaipNetwork: (namespace = 'eip155') => {
    const id = namespace === 'solana' ? solanaLocal.reference : 31337
    return {
      id,
      caipNetworkId: `${namespace}:${id}`,
      chainNamespace: namespace,
      rpcUrls: { default: { http: ['https://rpc.invalid'] } },
    } as unknown as ReturnType<NonNullable<Options['getActiveCaipNetwork']>>
  },
})

declare global {
  interface Window {
    frameClient: typeof official
  }
}

window.frameClient = official
