import type { Session } from '@gatefold/sign'
import {
  addressesOf,
  chainIds,
  exposedAccounts,
  supportsEvent,
  toCaip2,
  withWallet,
} from './namespaces.ts'
import type { Phone } from './Phone.ts'

type Published = { chainId: number; accounts: string }
type Current = {
  chainId: number
  /** Chains of sessions that are on another one, by topic. */
  switched: ReadonlyMap<string, number>
  accounts: readonly string[]
  mute: boolean
}

/**
 * Publishes changes of account and chain to the sessions. The account is the wallet's. The chain is the
 * wallet's too, until a session switches to another one; a later switch of the wallet applies to every
 * session. Sends `update` if the session lacks the accounts or the chain, then emits `accountsChanged` and
 * `chainChanged`. If publishing a change fails, the next run retries it.
 */
export function createSessionSync(phone: Phone, sessions: () => readonly Session[]) {
  const { sign } = phone
  const { controls } = phone.wallet
  const published = new Map<string, Published>()
  /** Chains of the sessions that have switched since the wallet's last switch, by topic. */
  const switched = new Map<string, number>()
  let walletChainId = controls.chainId
  let queue: Promise<void> = Promise.resolve()

  async function syncAll(current: Current) {
    for (const session of sessions()) {
      try {
        await sync(session, current)
      } catch (error) {
        phone.reportError(error)
      }
    }
  }

  async function sync(
    { topic, namespaces }: Session,
    { accounts, mute, switched, ...wallet }: Current,
  ): Promise<void> {
    const chainId = switched.get(topic) ?? wallet.chainId
    const initial = { chainId: wallet.chainId, accounts: addressesOf(namespaces).join() }
    const before = published.get(topic) ?? initial
    const now = { chainId, accounts: accounts.join() }
    const newAccounts = now.accounts !== before.accounts
    const newChain = now.chainId !== before.chainId
    if (mute || !(newAccounts || newChain)) return void published.set(topic, now)

    // A session needs an account, so an empty list is only sent as an event.
    const next = newChain ? chainId : (chainIds(namespaces)[0] ?? chainId)
    if (accounts.length > 0) {
      const renewed = withWallet(namespaces, { accounts, chainId: next })
      if (JSON.stringify(renewed) !== JSON.stringify(namespaces)) {
        const { acknowledged } = await sign.update({ topic, namespaces: renewed })
        acknowledged().catch((error: unknown) => phone.reportError(error))
      }
    }
    const emit = async (name: string, data: unknown) => {
      if (!supportsEvent(namespaces, name)) return
      await sign.emit({ topic, chainId: toCaip2(next), event: { name, data } })
    }
    if (newAccounts) await emit('accountsChanged', accounts)
    if (newChain) await emit('chainChanged', chainId)
    published.set(topic, now)
  }

  function run() {
    const { chainId, faults } = controls
    if (chainId !== walletChainId) switched.clear()
    walletChainId = chainId
    const current = {
      chainId,
      switched: new Map(switched),
      accounts: exposedAccounts(controls),
      mute: faults.mute,
    }
    queue = queue.then(() => syncAll(current))
    return queue
  }

  return {
    /** Publishes the current state, once earlier runs have finished. */
    run,
    /** A session's current chain. */
    chainOf: (topic: string) => switched.get(topic) ?? controls.chainId,
    /** Switches one session to a chain. Other sessions keep theirs. */
    switchChain(topic: string, chainId: number) {
      switched.set(topic, chainId)
      return run()
    },
    forget(topic: string) {
      published.delete(topic)
      switched.delete(topic)
    },
  }
}
