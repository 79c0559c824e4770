import { W3mFrameProvider } from '@reown/appkit-wallet'

type Options = ConstructorParameters<typeof W3mFrameProvider>[0]

/** The official frame client in a real page. */
const official = new W3mFrameProvider({
  projectId: 'default',
  chainId: 31337,
  enableLogger: false,
  abortController: new AbortController(),
  getActiveCaipNetwork: () =>
    ({
      id: 31337,
      caipNetworkId: 'eip155:31337',
      chainNamespace: 'eip155',
      rpcUrls: { default: { http: ['https://rpc.invalid'] } },
    }) as unknown as ReturnType<NonNullable<Options['getActiveCaipNetwork']>>,
})

declare global {
  interface Window {
    frameClient: typeof official
  }
}

window.frameClient = official
