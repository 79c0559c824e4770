import { createApi, type Api } from '../../packages/frame/src/api/createApi.ts'
import { run } from '../../packages/frame/src/signer/operations.ts'
import type { Signer } from '../../packages/frame/src/signer/createSigner.ts'
import type { Store } from '../../packages/frame/src/store/createStore.ts'
import { createWallet, type Wallet } from '../../packages/frame/src/wallet/createWallet.ts'
import type { FrameStack } from './startFrame.ts'

/** The frame's wallet code, as it runs in a tab. */
export type Tab = { api: Api; wallet: Wallet }

/**
 * Opens tabs of the frame.
 *
 * @param signer - runs the operations of all tabs.
 */
export function createTabs(frame: FrameStack, signer = ((operation) => run(operation)) as Signer) {
  let ahead = 0
  const origin = 'http://localhost:3000'

  /**
   * Opens a tab.
   *
   * @param store - the storage of its device.
   * @param send - sends its requests.
   */
  function open(store: Store, send: typeof fetch = fetch): Tab {
    const api = createApi({
      origin: frame.url,
      store,
      now: () => Date.now() + ahead,
      language: () => 'en',
      fetch: send,
    })
    return { api, wallet: createWallet({ api, store, signer, methods: ['automatic'] }) }
  }

  return {
    open,
    /** Requests a code. */
    start: async (api: Api, email: string) =>
      api.open('login/email', { projectId: 'default', origin, email }),
    /** Logs in with the code. */
    async finish(api: Api, loginId: string, code: string) {
      const { session } = await api.open('login/verify', { loginId, code })
      await api.setSession(session)
    },
    /** Advances the clocks of the tabs and the server. */
    advance(seconds: number) {
      ahead += seconds * 1_000
      frame.advance(seconds)
    },
  }
}
