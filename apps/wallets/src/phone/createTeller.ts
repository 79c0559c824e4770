import type { Session } from '@gatefold/sign'
import { addressesOf, chainIds, hears, tellAccounts, toCaip2, withWallet } from './namespaces.ts'
import type { Phone } from './Phone.ts'

type Told = { chainId: number; accounts: string }
type Now = { chainId: number; accounts: readonly string[]; mute: boolean }

/**
 * Tells every session what has changed in the wallet: `update` for accounts and for a chain it did not
 * have, then `accountsChanged` and `chainChanged`. What the relay did not take is told again later.
 */
export function createTeller(phone: Phone, sessions: () => readonly Session[]) {
  const { sign } = phone
  const told = new Map<string, Told>()
  let turn: Promise<void> = Promise.resolve()

  async function tellAll(now: Now) {
    for (const session of sessions()) {
      try {
        await tell(session, now)
      } catch (error) {
        phone.tell(error)
      }
    }
  }

  async function tell({ topic, namespaces }: Session, { chainId, accounts, mute }: Now) {
    const before = told.get(topic) ?? { chainId, accounts: addressesOf(namespaces).join() }
    const now = { chainId, accounts: accounts.join() }
    const newAccounts = now.accounts !== before.accounts
    const newChain = now.chainId !== before.chainId
    if (mute || !(newAccounts || newChain)) return void told.set(topic, now)

    // An app that is told of no account at all is let go by the event; a session needs one.
    const next = newChain ? chainId : (chainIds(namespaces)[0] ?? chainId)
    if (accounts.length > 0) {
      const renewed = withWallet(namespaces, { accounts, chainId: next })
      if (JSON.stringify(renewed) !== JSON.stringify(namespaces)) {
        const { acknowledged } = await sign.update({ topic, namespaces: renewed })
        acknowledged().catch((error: unknown) => phone.tell(error))
      }
    }
    const emit = async (name: string, data: unknown) => {
      if (!hears(namespaces, name)) return
      await sign.emit({ topic, chainId: toCaip2(next), event: { name, data } })
    }
    if (newAccounts) await emit('accountsChanged', accounts)
    if (newChain) await emit('chainChanged', chainId)
    told.set(topic, now)
  }

  return {
    /** Tells the news of this moment, after those of earlier ones. */
    look() {
      const { controls } = phone.wallet
      const { chainId, faults } = controls
      const now = { chainId, accounts: tellAccounts(controls), mute: faults.mute }
      turn = turn.then(() => tellAll(now))
      return turn
    },
    forget: (topic: string) => void told.delete(topic),
  }
}
