import type { Views } from '../../views.ts'

/** The views of the WalletConnect connector. */
export const walletConnectViews: Views = {
  ConnectingWalletConnect: async () => ({
    View: (await import('./ConnectingWalletConnect.tsx')).ConnectingWalletConnect,
  }),
  ConnectingWalletConnectBasic: async () => ({
    View: (await import('./ConnectingWalletConnectBasic.tsx')).ConnectingWalletConnectBasic,
  }),
}
