import { limits } from '@gatefold/protocol'

import { formatBalance } from '../../account/formatBalance.ts'
import { capability } from '../../connection/Adapter.ts'
import type { CallsState, TransactionState } from '../../connection/Adapter.ts'
import { DestroyedError } from '../../kit/kitErrors.ts'
import type { KitInstance } from '../../kit/Kit.ts'
import { WrongHashError } from '../../kit/requestErrors.ts'
import type { ToastVariant } from '../../kit/state.ts'
import type { Network } from '../../networks/Network.ts'
import { interpolate } from '../../notifications/interpolate.ts'
import { isRevocation } from '../ActivityTransfer.ts'
import { pendingToastText } from '../../notifications/pendingToasts.ts'
import { showToast } from '../../notifications/showToast.ts'
import { defaultStorage } from '../../storage/storage.ts'
import type { KeyValueStorage } from '../../storage/storage.ts'
import { fromUnits } from '../decimal.ts'
import { createPendingStore } from './pendingStore.ts'
import type { PendingTransaction } from './PendingTransaction.ts'

/** Follows the transactions that this site submitted. */
export type PendingFollower = {
  /**
   * Records a submitted transaction, and follows it. A toast reports that it was submitted and how it ended, except
   * while `isShown` returns true, because a view shows it.
   *
   * @throws {WrongHashError} the hash is that of an earlier transaction of this
   *   page, whose receipt would be wrong
   */
  add(submitted: Submitted, isShown?: () => boolean): PendingTransaction
  /** Waits until a transaction has ended. @throws {DestroyedError} the instance was destroyed */
  ended(id: string): Promise<PendingTransaction>
  /**
   * Records that a pending transaction was replaced.
   *
   * @throws {WrongHashError} the hash is that of the pending transaction
   */
  replaced(id: string, hash: string, how: 'speedUp' | 'cancel'): void
}

/** A transaction or a batch of calls that was just submitted. */
export type Submitted = Pick<PendingTransaction, 'type' | 'account' | 'to' | 'transfers'> & {
  network: Network
} & ({ hash: string } | { callsId: string; connectorId: string })

const followers = new WeakMap<KitInstance, PendingFollower>()

/**
 * Returns the follower of an instance. The first call creates it and reads its
 * list from the storage. Of all tabs of the site, one reads the network and
 * shows toasts: the one that became visible or submitted a transaction last. It
 * holds a Web Lock; the others update their state from the storage.
 *
 * @see docs/adr/0023-one-tab-follows.md
 */
export function followPending(
  kit: KitInstance,
  storage: KeyValueStorage = defaultStorage(),
): PendingFollower {
  const known = followers.get(kit)
  if (known) return known
  const store = createPendingStore(kit, storage)
  const shown = new Map<string, () => boolean>()
  const timers = new Map<string, () => void>()
  /**
   * The hashes that wallets have returned to this page. Stored hashes do not
   * count, because development chains repeat them.
   */
  const returned = new Set<string>()
  /** The checks of callers that wait for the end of a transaction. */
  const waiting = new Set<() => void>()
  let isDestroyed = false

  const leader = createLeader(store.key, {
    onLead: () => schedule(true),
    onStop: stop,
  })

  const list = () => kit.getState().pending
  const find = (id: string) => list().find((one) => one.id === id)

  function load(): void {
    const pending = store.read()
    if (pending.length + list().length > 0) kit.dispatch({ type: 'pending.changed', pending })
    leader.update(hasPending())
    if (leader.isLeading()) schedule()
  }

  function hasPending(): boolean {
    return list().some(({ status }) => status === 'pending')
  }

  /** Changes an entry in the storage and the state. Returns false if another tab has ended it. */
  function change(id: string, values: Partial<PendingTransaction>): boolean {
    const stored = store.read()
    const before = stored.find((one) => one.id === id)
    const isOpen = before?.status === 'pending'
    const pending = isOpen
      ? stored.map((one) => (one.id === id ? { ...one, ...values } : one))
      : stored
    if (isOpen) store.write(pending)
    kit.dispatch({ type: 'pending.changed', pending })
    leader.update(hasPending())
    return isOpen
  }

  function insert(entry: PendingTransaction): void {
    const stored = store.read().filter(({ id }) => id !== entry.id)
    // Evicts the oldest ended transactions first, then the oldest pending ones.
    const room = limits.pendingTransactions - 1
    const open = stored.filter(({ status }) => status === 'pending').slice(0, room)
    const ended = stored.filter(({ status }) => status !== 'pending').slice(0, room - open.length)
    const pending = [entry, ...stored.filter((one) => open.includes(one) || ended.includes(one))]
    store.write(pending)
    kit.dispatch({ type: 'pending.changed', pending })
  }

  /**
   * Schedules a read of every pending transaction that is neither being read
   * nor scheduled.
   */
  function schedule(isNow = false): void {
    for (const { id, status, time } of list()) {
      if (status !== 'pending' || timers.has(id)) continue
      if (isNow) {
        timers.set(id, () => {})
        void run(id)
      } else
        timers.set(
          id,
          kit.later(() => void run(id), pollDelayMs(time)),
        )
    }
  }

  function stop(): void {
    for (const cancel of timers.values()) cancel()
    timers.clear()
  }

  async function run(id: string): Promise<void> {
    try {
      await read(id)
    } catch {
      // The network did not respond; the next read may succeed.
    }
    timers.delete(id)
    if (leader.isLeading()) schedule()
  }

  /** Reads a transaction and its earlier versions once. */
  async function read(id: string): Promise<void> {
    const entry = find(id)
    if (entry?.status !== 'pending') return
    const network = kit
      .getState()
      .networks.find(({ caipNetworkId }) => caipNetworkId === entry.networkId)
    const adapter = network && kit.adapters.get(network.chainNamespace)
    if (!network || !adapter) return
    const { hash: latest, callsId, connectorId, account: address } = entry
    if (!latest) {
      if (!callsId || !connectorId) return
      const batch = await capability(adapter, 'batch', 'readCalls')
      const state = await batch.readCalls({ id: callsId, connectorId, address, network })
      if (!isDestroyed && leader.isLeading()) concludeCalls(id, state, network)
      return
    }
    const pending = await capability(adapter, 'pending', 'readTransaction')
    const states: [hash: string, state: TransactionState][] = []
    for (const hash of [latest, ...entry.earlier])
      states.push([
        hash,
        await pending.readTransaction({
          hash,
          network,
          address,
          mark: entry.mark,
        }),
      ])
    if (isDestroyed || !leader.isLeading()) return
    conclude(id, states, network)
  }

  function conclude(
    id: string,
    states: readonly (readonly [hash: string, state: TransactionState])[],
    network: Network,
  ): void {
    const entry = find(id)
    if (entry?.status !== 'pending') return
    for (const [hash, state] of states)
      if (state.status === 'success' || state.status === 'reverted') {
        const fee =
          state.fee === undefined
            ? undefined
            : fromUnits(state.fee, network.nativeCurrency.decimals)
        const isCanceled = hash === entry.cancelHash
        const status = isCanceled ? 'canceled' : state.status === 'success' ? 'confirmed' : 'failed'
        return end(entry, {
          status,
          hash,
          fee,
          reason: 'reason' in state ? state.reason : undefined,
        })
      }
    for (const [, state] of states)
      if (state.status === 'replaced') {
        const { how, hash } = state
        // The receipt of a known version arrives later.
        if (hash && versionsOf(entry).includes(hash)) return
        if (how === 'repriced' && hash) {
          change(id, { hash, earlier: versionsOf(entry), missingAt: undefined })
          return
        }
        // The node that has no receipt may be behind the one that has counted the nonce.
        if (!hash && !isMissingFor(entry, limits.pendingPollMaxMs)) return
        return end(entry, {
          status: how === 'canceled' ? 'canceled' : 'replaced',
          ...(hash && { hash }),
        })
      }
    const pending = states.find(([, state]) => state.status === 'pending')?.[1]
    if (pending?.status === 'pending') {
      if (!entry.mark || entry.missingAt !== undefined)
        change(id, { mark: pending.mark, missingAt: undefined })
    } else if (isMissingFor(entry, limits.pendingDropMs)) end(entry, { status: 'dropped' })
  }

  function concludeCalls(id: string, state: CallsState, network: Network): void {
    const entry = find(id)
    if (entry?.status !== 'pending') return
    switch (state.status) {
      case 'success':
      case 'reverted': {
        const { hash, fee, reason = 'unknown reason' } = state
        return end(entry, {
          status: state.status === 'success' ? 'confirmed' : 'failed',
          hash,
          fee: fee === undefined ? undefined : fromUnits(fee, network.nativeCurrency.decimals),
          ...(state.status === 'reverted' && { reason }),
        })
      }
      case 'dropped':
        return end(entry, { status: 'dropped' })
      case 'missing':
        if (isMissingFor(entry, limits.pendingDropMs)) end(entry, { status: 'dropped' })
        return
      case 'pending':
        if (entry.missingAt !== undefined) change(id, { missingAt: undefined })
    }
  }

  /**
   * Whether the network or the wallet has not known a transaction for `timeMs`. The time starts with the first call.
   */
  function isMissingFor({ id, missingAt }: PendingTransaction, timeMs: number): boolean {
    const now = Date.now()
    if (missingAt === undefined) change(id, { missingAt: now })
    return missingAt !== undefined && now - missingAt >= timeMs
  }

  function end(
    entry: PendingTransaction,
    result: Partial<PendingTransaction> & { status: PendingTransaction['status'] },
  ): void {
    const isOurs = change(entry.id, { ...result, endedAt: Date.now() })
    if (isOurs) report({ ...entry, ...result })
    shown.delete(entry.id)
  }

  function report(entry: PendingTransaction): void {
    if (shown.get(entry.id)?.()) return
    const [variant, key] = toastFor(entry)
    toast(kit, variant, key, { what: amountOf(entry, kit.getState().locale) })
  }

  const follower: PendingFollower = {
    add({ network, ...submitted }, isShown) {
      const id = 'hash' in submitted ? submitted.hash : submitted.callsId
      if (returned.has(id)) throw new WrongHashError()
      returned.add(id)
      const time = Date.now()
      const entry: PendingTransaction = {
        hash: undefined,
        ...submitted,
        id,
        status: 'pending',
        networkId: network.caipNetworkId,
        time,
        earlier: [],
      }
      if (isShown) shown.set(entry.id, isShown)
      insert(entry)
      report(entry)
      leader.update(true, true)
      if (leader.isLeading()) schedule(true)
      return entry
    },
    ended(id) {
      return new Promise((resolve, reject) => {
        const check = () => {
          const entry = isDestroyed ? undefined : find(id)
          if (entry?.status === 'pending') return
          unsubscribe()
          waiting.delete(check)
          if (entry) resolve(entry)
          else reject(new DestroyedError())
        }
        const unsubscribe = kit.subscribe(check)
        waiting.add(check)
        check()
      })
    },
    replaced(id, hash, how) {
      const entry = find(id)
      if (!entry) return
      // A cancellation with the hash of the pending one would make it look canceled once it is included.
      if (versionsOf(entry).includes(hash)) throw new WrongHashError()
      returned.add(hash)
      change(id, {
        hash,
        earlier: versionsOf(entry),
        ...(how === 'cancel' && { cancelHash: hash }),
      })
    },
  }
  followers.set(kit, follower)

  const onStorage = ({ key }: StorageEvent) => (key === store.key || key === null) && load()
  const page = typeof document === 'undefined' ? undefined : window
  page?.addEventListener('storage', onStorage)
  kit.onDestroy(() => {
    isDestroyed = true
    page?.removeEventListener('storage', onStorage)
    leader.destroy()
    stop()
    for (const check of waiting) check()
  })
  load()
  return follower
}

/**
 * Selects one tab of the site with a Web Lock. A visible tab takes the lock from the one that has it; a hidden tab waits
 * for it. In browsers without Web Locks, every tab leads.
 */
function createLeader(name: string, on: { onLead: () => void; onStop: () => void }) {
  const locks = typeof navigator === 'undefined' ? undefined : navigator.locks
  const page = typeof document === 'undefined' ? undefined : document
  let isWanted = false
  let isLeading = false
  let abort: AbortController | undefined
  let release: (() => void) | undefined

  function request(steal: boolean): void {
    abort?.abort()
    const own = (abort = new AbortController())
    const options = steal ? { steal } : { signal: own.signal }
    locks!
      .request(name, options, () => {
        if (own.signal.aborted) return undefined
        isLeading = true
        on.onLead()
        return new Promise<void>((resolve) => (release = resolve))
      })
      .catch(() => {
        // Another tab took the lock, or this request was replaced.
        if (own !== abort) return
        lose()
        if (isWanted) request(false)
      })
  }

  function lose(): void {
    if (!isLeading) return
    isLeading = false
    on.onStop()
  }

  function onVisible(): void {
    if (isWanted && !isLeading && page?.visibilityState === 'visible') request(true)
  }
  if (locks) page?.addEventListener('visibilitychange', onVisible)

  return {
    isLeading: () => isLeading,
    /** @param isNow - whether this tab must lead, even if it is hidden */
    update(wanted: boolean, isNow = false): void {
      if (!locks) {
        isLeading = wanted
        return wanted ? on.onLead() : on.onStop()
      }
      if (wanted && (!isWanted || (isNow && !isLeading)))
        request(isNow || page?.visibilityState !== 'hidden')
      if (!wanted && isWanted) {
        lose()
        abort?.abort()
        release?.()
      }
      isWanted = wanted
    },
    destroy(): void {
      page?.removeEventListener('visibilitychange', onVisible)
      isWanted = false
      lose()
      abort?.abort()
      release?.()
    },
  }
}

/** The hashes of a transaction, newest first. */
function versionsOf({ hash, earlier }: PendingTransaction): readonly string[] {
  return hash ? [hash, ...earlier] : earlier
}

/** The older a transaction is, the less often it is read. */
function pollDelayMs(time: number): number {
  const age = Date.now() - time
  return Math.min(limits.pendingPollMaxMs, Math.max(limits.pendingPollMinMs, age / 10))
}

function toastFor(
  transaction: PendingTransaction,
): [variant: ToastVariant, key: keyof typeof pendingToastText] {
  const type = isRevocation(transaction) ? 'revoke' : transaction.type
  switch (transaction.status) {
    case 'pending':
      return ['info', `toast.${type}Submitted`]
    case 'confirmed':
      return ['success', `toast.${type}Confirmed`]
    case 'failed':
      return ['error', `toast.${type}Failed`]
    case 'canceled':
      return ['info', 'toast.canceled']
    case 'replaced':
      return ['info', 'toast.replaced']
    case 'dropped':
      return ['error', 'toast.dropped']
  }
}

/**
 * The amount that a transaction moves, such as `0.25 ETH`; for an approval, the
 * token.
 */
function amountOf({ type, transfers }: PendingTransaction, locale: string): string {
  const { name, amount, isNft } = transfers[0]!
  if (type === 'approve' || isNft) return name
  return `${formatBalance(amount, locale)} ${name}`
}

function toast(
  kit: KitInstance,
  variant: ToastVariant,
  key: keyof typeof pendingToastText,
  values: Record<string, string> = {},
): void {
  showToast(kit, variant, { message: interpolate(pendingToastText[key], values), key, values })
}
