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
type Current = { chainId: number; accounts: readonly string[]; mute: boolean }

/**
 * Publishes changes of the wallet's account and chain to every session. Sends `update` if the session
 * lacks the accounts or the chain, then emits `accountsChanged` and `chainChanged`. If publishing a
 * change fails, the next run retries it.
 */
export function createSessionSync(phone: Phone, sessions: () => readonly Session[]) {
  const { sign } = phone
  const published = new Map<string, Published>()
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
    { chainId, accounts, mute }: Current,
  ): Promise<void> {
    const before = published.get(topic) ?? { chainId, accounts: addressesOf(namespaces).join() }
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

  return {
    /** Publishes the wallet's current state, once earlier runs have finished. */
    run() {
      const { controls } = phone.wallet
      const { chainId, faults } = controls
      const current = { chainId, accounts: exposedAccounts(controls), mute: faults.mute }
      queue = queue.then(() => syncAll(current))
      return queue
    },
    forget: (topic: string) => void published.delete(topic),
  }
}
