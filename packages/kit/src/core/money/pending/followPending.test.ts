import { limits } from '@gatefold/protocol'
import { describe, expect, test, vi } from 'vitest'

import { connect } from '../../connection/connect.ts'
import type { CallsState, TransactionState } from '../../connection/Adapter.ts'
import type { KitInstance } from '../../kit/Kit.ts'
import { DestroyedError } from '../../kit/kitErrors.ts'
import { memoryStorage } from '../../storage/storage.ts'
import { useKits } from '../../testing/useKits.ts'
import { canReplace } from './canReplace.ts'
import { followPending } from './followPending.ts'
import { speedUpTransaction } from './replacePending.ts'

const { start } = useKits()

const mark = { nonce: 7, block: 100, content: '0xcontent' }
const pending: TransactionState = { status: 'pending', mark }
const missing: TransactionState = { status: 'missing' }
const mined: TransactionState = { status: 'success', blockNumber: 1n, fee: 21_000_000_000_000n }

/** An instance whose network has a transaction that is pending until `control.transactions` says otherwise. */
async function open(
  storage = memoryStorage(),
  callsStates: Record<string, CallsState | Error> = {},
) {
  const site = start()
  Object.assign(site.wallets, { callsStates })
  await connect(site.kit, { connectorId: site.wallets.ids[0] })
  site.wallets.transactions['0xone'] = pending
  const toasts = messagesOf(site.kit)
  const follower = followPending(site.kit, storage)
  const add = (hash = '0xone', isShown?: () => boolean) =>
    follower.add(
      {
        hash,
        type: 'send',
        network: site.kit.getState().networks[0]!,
        account: site.wallets.address(0),
        to: '0xto',
        transfers: [
          { direction: 'out', name: 'ETH', amount: '0.25', isNft: false, image: undefined },
        ],
      },
      isShown,
    )
  const find = (id = '0xone') => site.kit.getState().pending.find((one) => one.id === id)
  /** Waits until the network was read again. */
  const nextRead = async (delayMs = limits.pendingPollMaxMs) => {
    const { length } = site.wallets.reads
    await vi.advanceTimersByTimeAsync(delayMs)
    await expect.poll(() => site.wallets.reads.length).toBeGreaterThan(length)
    await vi.advanceTimersByTimeAsync(0)
  }
  return { ...site, storage, toasts, follower, add, find, nextRead }
}

/** The toasts that an instance shows from now on. */
function messagesOf(kit: KitInstance): string[] {
  const messages: string[] = []
  let last: number | undefined
  kit.subscribe(() => {
    const { toast } = kit.getState()
    if (toast && toast.id !== last) messages.push(toast.message)
    last = toast?.id ?? last
  })
  return messages
}

describe('a submitted transaction', () => {
  test('§4.17 is pending until it is in a block; toasts report both', async () => {
    const { wallets, toasts, add, find, nextRead } = await open()
    add()
    expect(find()).toMatchObject({ status: 'pending', networkId: 'eip155:1' })
    await nextRead()
    expect(find()).toMatchObject({ status: 'pending', mark })
    wallets.transactions['0xone'] = mined
    await nextRead()
    expect(find()).toMatchObject({ status: 'confirmed', fee: '0.000021' })
    expect(toasts).toEqual(['Sending 0.25 ETH…', '0.25 ETH sent'])
  })

  test('has no toasts while a view shows it', async () => {
    const { wallets, toasts, add, find, nextRead } = await open()
    add('0xone', () => true)
    wallets.transactions['0xone'] = mined
    await nextRead()
    expect(find()?.status).toBe('confirmed')
    expect(toasts).toEqual([])
  })

  test('that is reverted has failed, with the reason', async () => {
    const { wallets, toasts, add, find, nextRead } = await open()
    add()
    wallets.transactions['0xone'] = { ...mined, status: 'reverted', reason: 'too late' }
    await nextRead()
    expect(find()).toMatchObject({ status: 'failed', reason: 'too late' })
    expect(toasts.at(-1)).toBe('0.25 ETH wasn’t sent')
  })

  test('that the wallet repriced is followed under its new hash', async () => {
    const { wallets, add, find, nextRead } = await open()
    add()
    wallets.transactions['0xone'] = { status: 'replaced', how: 'repriced', hash: '0xtwo' }
    wallets.transactions['0xtwo'] = mined
    await nextRead()
    expect(find()).toMatchObject({ id: '0xone', hash: '0xtwo', status: 'confirmed' })
  })

  test.each([
    ['canceled', 'Transaction canceled'],
    ['replaced', 'Transaction replaced by another one'],
  ] as const)('that the wallet has %s ends with this status', async (how, message) => {
    const { wallets, toasts, add, find, nextRead } = await open()
    add()
    wallets.transactions['0xone'] = { status: 'replaced', how, hash: '0xtwo' }
    await nextRead()
    expect(find()).toMatchObject({ hash: '0xtwo', status: how })
    expect(toasts.at(-1)).toBe(message)
  })

  test('does not count as replaced if one node counts the nonce before another has the receipt', async () => {
    const { wallets, add, find, nextRead } = await open()
    add()
    wallets.transactions['0xone'] = { status: 'replaced', how: 'replaced' }
    await nextRead(limits.pendingPollMinMs)
    wallets.transactions['0xone'] = mined
    await nextRead()
    expect(find()?.status).toBe('confirmed')
  })

  test('that the network drops is pending for at most 10 more minutes', async () => {
    const { wallets, toasts, add, find, nextRead } = await open()
    add()
    await nextRead()
    wallets.transactions['0xone'] = missing
    await nextRead()
    await vi.advanceTimersByTimeAsync(limits.pendingDropMs - 2 * limits.pendingPollMaxMs)
    expect(find()?.status).toBe('pending')
    await vi.advanceTimersByTimeAsync(3 * limits.pendingPollMaxMs)
    expect(find()?.status).toBe('dropped')
    expect(toasts.at(-1)).toBe('The network dropped a transaction')
  })

  test('that the network reports again is not dropped', async () => {
    const { wallets, add, find, nextRead } = await open()
    add()
    wallets.transactions['0xone'] = missing
    await nextRead()
    wallets.transactions['0xone'] = pending
    await nextRead()
    wallets.transactions['0xone'] = missing
    await nextRead()
    await vi.advanceTimersByTimeAsync(limits.pendingDropMs - 2 * limits.pendingPollMaxMs)
    expect(find()?.status).toBe('pending')
  })

  test('stays pending while the network cannot be read', async () => {
    const { wallets, add, find, nextRead } = await open()
    add()
    wallets.transactions['0xone'] = new Error('offline')
    await nextRead()
    await nextRead()
    expect(find()?.status).toBe('pending')
    wallets.transactions['0xone'] = mined
    await nextRead()
    expect(find()?.status).toBe('confirmed')
  })

  test('§9.12.1/1 is the only reason to poll: without one, nothing is read', async () => {
    const { wallets, add, find, nextRead } = await open()
    await vi.advanceTimersByTimeAsync(3_600_000)
    expect(wallets.reads).toEqual([])
    add()
    wallets.transactions['0xone'] = mined
    await nextRead()
    expect(find()?.status).toBe('confirmed')
    const { length } = wallets.reads
    await vi.advanceTimersByTimeAsync(3_600_000)
    expect(wallets.reads).toHaveLength(length)
  })

  test('§9.12.1/1 is read after 2 s at first, and every 30 s once it is old', async () => {
    const { wallets, add, nextRead } = await open()
    add()
    await nextRead(2_000)
    await vi.advanceTimersByTimeAsync(3_600_000)
    const { length } = wallets.reads
    await vi.advanceTimersByTimeAsync(300_000)
    expect(wallets.reads.length - length).toBe(10)
  })

  test('of an account that is no longer active is still followed', async () => {
    const { kit, wallets, add, find, nextRead } = await open()
    add()
    await connect(kit, { connectorId: wallets.ids[1] })
    wallets.transactions['0xone'] = mined
    await nextRead()
    expect(find()?.status).toBe('confirmed')
  })

  test('is followed on its own: others stay pending, and the Web Lock is free once all have ended', async () => {
    const { wallets, add, find, nextRead } = await open()
    wallets.transactions['0xtwo'] = pending
    add()
    add('0xtwo')
    await nextRead()
    await vi.advanceTimersByTimeAsync(3_600_000)
    const { length } = wallets.reads
    await vi.advanceTimersByTimeAsync(300_000)
    expect(wallets.reads.length - length).toBe(20)
    wallets.transactions['0xtwo'] = mined
    await nextRead()
    expect([find()?.status, find('0xtwo')?.status]).toEqual(['pending', 'confirmed'])
    wallets.transactions['0xone'] = mined
    await nextRead()
    expect(find()?.status).toBe('confirmed')
    await expect.poll(async () => (await navigator.locks.query()).held).toEqual([])
  })

  test('has no fee if another account paid it', async () => {
    const { wallets, add, find, nextRead } = await open()
    add()
    wallets.transactions['0xone'] = { ...mined, fee: undefined }
    await nextRead()
    expect(find()).toMatchObject({ status: 'confirmed', fee: undefined })
  })

  test('whose nonce stays used by an unknown transaction was replaced', async () => {
    const { wallets, add, find, nextRead } = await open()
    add()
    wallets.transactions['0xone'] = { status: 'replaced', how: 'replaced' }
    await nextRead(limits.pendingPollMinMs)
    expect(find()?.status).toBe('pending')
    await vi.advanceTimersByTimeAsync(2 * limits.pendingPollMaxMs)
    expect(find()).toMatchObject({ status: 'replaced', hash: '0xone' })
  })

  test('on a network that the site no longer has is not read', async () => {
    const { kit, wallets, add, find, nextRead } = await open()
    add()
    await nextRead()
    kit.dispatch({ type: 'networks.changed', networks: [] })
    const { length } = wallets.reads
    await vi.advanceTimersByTimeAsync(600_000)
    expect(wallets.reads).toHaveLength(length)
    expect(find()?.status).toBe('pending')
  })

  test('is removed once it is no longer stored', async () => {
    const { storage, wallets, add, find, nextRead } = await open()
    add()
    storage.removeItem('gatefold.pending.default')
    wallets.transactions['0xone'] = mined
    await nextRead()
    await expect.poll(() => find()).toBeUndefined()
  })

  test('error: with the hash of an earlier one of this page is refused', async () => {
    const { add } = await open()
    add()
    expect(() => add()).toThrow('The wallet did not return the hash of a new transaction')
  })

  test('with the hash of one of an earlier page replaces it, because development chains repeat hashes', async () => {
    const first = await open()
    first.wallets.transactions['0xone'] = mined
    first.add()
    await first.nextRead(0)
    await expect.poll(() => first.find()?.status).toBe('confirmed')
    first.kit.destroy()
    const second = await open(first.storage)
    second.add()
    expect(second.kit.getState().pending).toMatchObject([{ id: '0xone', status: 'pending' }])
  })

  test('resolves its end with the result', async () => {
    const { wallets, follower, add, nextRead } = await open()
    const { id } = add()
    const waiting = follower.ended(id)
    wallets.transactions['0xone'] = mined
    await nextRead()
    expect(await waiting).toMatchObject({ id, status: 'confirmed' })
    expect(await follower.ended(id)).toMatchObject({ id, status: 'confirmed' })
  })

  test('error: waiting for its end rejects when the instance is destroyed', async () => {
    const { kit, follower, add } = await open()
    const waiting = follower.ended(add().id)
    kit.destroy()
    await expect(waiting).rejects.toBeInstanceOf(DestroyedError)
  })
})

describe('a batch of calls', () => {
  const callsId = `0x${'ab'.repeat(200)}`
  async function openBatch(state?: CallsState | Error, storage = memoryStorage()) {
    const site = await open(storage, state && { [callsId]: state })
    const addBatch = () =>
      site.follower.add({
        callsId,
        connectorId: site.wallets.ids[0],
        type: 'trade',
        network: site.kit.getState().networks[0]!,
        account: site.wallets.address(0),
        to: '0xrouter',
        transfers: [
          { direction: 'out', name: 'USDC', amount: '5', isNft: false, image: undefined },
        ],
      })
    return { ...site, addBatch, batch: () => site.find(callsId) }
  }

  test('§4.17 is pending until the wallet has executed it; then it has its hash', async () => {
    const { wallets, toasts, addBatch, batch, nextRead } = await openBatch({ status: 'pending' })
    addBatch()
    await nextRead()
    expect(batch()).toMatchObject({ status: 'pending', hash: undefined })
    wallets.callsStates[callsId] = { status: 'success', hash: '0xone', fee: 21_000_000_000_000n }
    await nextRead()
    expect(batch()).toMatchObject({ status: 'confirmed', hash: '0xone', fee: '0.000021' })
    expect(toasts).toEqual(['Swapping 5 USDC…', '5 USDC swapped'])
  })

  test.each([
    [
      { status: 'reverted', hash: '0xone', reason: 'no' },
      { status: 'failed', reason: 'no' },
    ],
    [{ status: 'reverted' }, { status: 'failed', reason: 'unknown reason' }],
    [{ status: 'dropped' }, { status: 'dropped' }],
  ] as const)('that the wallet reports as %j ends as %j', async (state, expected) => {
    const { addBatch, batch, nextRead } = await openBatch(state)
    addBatch()
    await nextRead()
    expect(batch()).toMatchObject(expected)
  })

  test('is followed by the next page, once its wallet is connected again', async () => {
    const first = await openBatch({ status: 'pending' })
    first.addBatch()
    first.kit.destroy()
    const second = await openBatch(new Error('The wallet is not connected.'), first.storage)
    await second.nextRead()
    expect(second.batch()).toMatchObject({ status: 'pending', callsId })
    delete second.wallets.callsStates[callsId]
    await second.nextRead()
    expect(second.batch()).toMatchObject({ status: 'confirmed', hash: second.wallets.hash })
  })

  test('that the wallet does not know is dropped after 10 minutes', async () => {
    const { addBatch, batch, nextRead } = await openBatch({ status: 'missing' })
    addBatch()
    await nextRead()
    expect(batch()?.status).toBe('pending')
    await vi.advanceTimersByTimeAsync(limits.pendingDropMs + limits.pendingPollMaxMs)
    expect(batch()?.status).toBe('dropped')
  })

  test('that the wallet knows again is not dropped', async () => {
    const { wallets, addBatch, batch, nextRead } = await openBatch({ status: 'missing' })
    addBatch()
    await nextRead()
    wallets.callsStates[callsId] = { status: 'pending' }
    await nextRead()
    wallets.callsStates[callsId] = { status: 'missing' }
    await nextRead()
    await vi.advanceTimersByTimeAsync(limits.pendingDropMs - 2 * limits.pendingPollMaxMs)
    expect(batch()?.status).toBe('pending')
  })

  test('error: cannot be sped up or canceled by the site', async () => {
    const { kit, addBatch } = await openBatch({ status: 'pending' })
    addBatch()
    expect(canReplace(kit.getState(), kit.getState().pending[0]!)).toBe(false)
    await expect(speedUpTransaction(kit, { id: callsId })).rejects.toThrow(
      'A batch of calls can be changed only in the wallet that sent it',
    )
  })
})

describe('versions of a transaction', () => {
  test('with higher fees replaces it', async () => {
    const { wallets, follower, add, find, nextRead } = await open()
    add()
    follower.replaced('0xone', '0xfast', 'speedUp')
    wallets.transactions['0xone'] = missing
    wallets.transactions['0xfast'] = mined
    await nextRead()
    expect(find()).toMatchObject({ id: '0xone', hash: '0xfast', status: 'confirmed' })
  })

  test('are all read: the first one may be included after all', async () => {
    const { wallets, follower, add, find, nextRead } = await open()
    add()
    follower.replaced('0xone', '0xcancel', 'cancel')
    wallets.transactions['0xone'] = mined
    wallets.transactions['0xcancel'] = missing
    await nextRead()
    expect(find()).toMatchObject({ hash: '0xone', status: 'confirmed' })
  })

  test('are followed until the receipt of the one that replaced another arrives', async () => {
    const { wallets, follower, add, find, nextRead } = await open()
    add()
    follower.replaced('0xone', '0xfast', 'speedUp')
    wallets.transactions['0xone'] = { status: 'replaced', how: 'repriced', hash: '0xfast' }
    wallets.transactions['0xfast'] = missing
    await nextRead()
    expect(find()).toMatchObject({ status: 'pending', hash: '0xfast', earlier: ['0xone'] })
    wallets.transactions['0xfast'] = mined
    await nextRead()
    expect(find()).toMatchObject({ status: 'confirmed', hash: '0xfast' })
  })

  test('of an unknown transaction are not recorded; those of an ended one neither', async () => {
    const { wallets, follower, add, find, nextRead } = await open()
    follower.replaced('0xother', '0xfast', 'speedUp')
    expect(find('0xother')).toBeUndefined()
    wallets.transactions['0xone'] = mined
    add()
    await nextRead(0)
    await expect.poll(() => find()?.status).toBe('confirmed')
    follower.replaced('0xone', '0xfast', 'speedUp')
    expect(find()?.hash).toBe('0xone')
  })

  test('that cancel it end it as canceled', async () => {
    const { wallets, follower, add, find, nextRead } = await open()
    add()
    follower.replaced('0xone', '0xcancel', 'cancel')
    wallets.transactions['0xcancel'] = mined
    await nextRead()
    expect(find()).toMatchObject({ hash: '0xcancel', status: 'canceled' })
  })
})

describe('two tabs', () => {
  test('only the tab that leads reads the network and shows toasts', async () => {
    const first = await open()
    first.add()
    await first.nextRead()
    const second = await open(first.storage)
    // The second tab became visible, so it leads.
    await second.nextRead()
    second.wallets.transactions['0xone'] = mined
    first.wallets.transactions['0xone'] = mined
    await second.nextRead()
    expect(second.find()?.status).toBe('confirmed')
    expect(second.toasts).toEqual(['0.25 ETH sent'])
    expect(first.toasts).toEqual(['Sending 0.25 ETH…'])
  })

  test('the other tab leads once the leading one is closed', async () => {
    const first = await open()
    first.add()
    await first.nextRead()
    const second = await open(first.storage)
    await second.nextRead()
    second.kit.destroy()
    first.wallets.transactions['0xone'] = mined
    await first.nextRead()
    expect(first.find()?.status).toBe('confirmed')
  })

  test('a result that the other tab has stored has no second toast', async () => {
    const { storage, wallets, toasts, add, find, nextRead } = await open()
    add()
    const [entry] = JSON.parse(storage.getItem('gatefold.pending.default')!) as object[]
    storage.setItem(
      'gatefold.pending.default',
      JSON.stringify([{ ...entry, status: 'confirmed', endedAt: Date.now() }]),
    )
    wallets.transactions['0xone'] = mined
    await nextRead()
    expect(find()?.status).toBe('confirmed')
    expect(toasts).toEqual(['Sending 0.25 ETH…'])
  })
})

describe('a tab with a page', () => {
  /** Gives the next instance a page. */
  function openPage(visibilityState: 'visible' | 'hidden') {
    const page = Object.assign(new EventTarget(), { visibilityState })
    const own = Object.assign(new EventTarget(), { location: window.location })
    vi.stubGlobal('document', page)
    vi.stubGlobal('window', own)
    return {
      show(state: 'visible' | 'hidden' = 'visible') {
        page.visibilityState = state
        page.dispatchEvent(new Event('visibilitychange'))
      },
      /** Another tab has changed a key, or with null has cleared the storage. */
      changed: (key: string | null) =>
        own.dispatchEvent(Object.assign(new Event('storage'), { key })),
    }
  }
  const key = 'gatefold.pending.default'

  test.each([key, null])('shows what another tab has stored (key %s)', async (changed) => {
    const page = openPage('visible')
    const { storage, add, find } = await open()
    add()
    storage.removeItem(key)
    page.changed('gatefold')
    expect(find()).toBeDefined()
    page.changed(changed)
    expect(find()).toBeUndefined()
  })

  test('that is hidden leads only once it is visible', async () => {
    openPage('visible')
    const first = await open()
    first.add()
    await first.nextRead()
    const page = openPage('hidden')
    const second = await open(first.storage)
    await first.nextRead()
    expect(second.find()?.status).toBe('pending')
    page.show('hidden')
    await first.nextRead()
    expect(second.wallets.reads).toEqual([])
    page.show()
    await second.nextRead(0)
    const { length } = first.wallets.reads
    await second.nextRead()
    expect(first.wallets.reads).toHaveLength(length)
  })

  test('that is hidden leads at once if it submits a transaction', async () => {
    openPage('visible')
    const first = await open()
    first.add()
    await first.nextRead()
    openPage('hidden')
    const second = await open(first.storage)
    second.wallets.transactions['0xtwo'] = pending
    second.add('0xtwo')
    await second.nextRead(0)
    expect(new Set(second.wallets.reads)).toEqual(new Set(['0xone', '0xtwo']))
  })

  test('reads nothing after its end, even when it becomes visible', async () => {
    const page = openPage('visible')
    const { kit, wallets, add, nextRead } = await open()
    add()
    await nextRead()
    page.show('hidden')
    const { length } = wallets.reads
    kit.destroy()
    page.show()
    await vi.advanceTimersByTimeAsync(3_600_000)
    expect(wallets.reads).toHaveLength(length)
  })
})

test.each([
  ['transaction', { hash: '0xone' }],
  ['batch', { callsId: 'calls', connectorId: 'dev.gatefold.halyard' }],
])(
  'the read of a %s that ends after another tab has taken the lead changes nothing, and is the last one',
  async (_, sent) => {
    const first = await open()
    const adapter = first.kit.adapters.get('eip155')!
    const actions = await adapter.actions()
    let reads = 0
    let respond = () => {}
    const read = () => {
      reads += 1
      return new Promise<never>((resolve) => {
        respond = () => resolve({ status: 'reverted', reason: 'late' } as never)
      })
    }
    vi.spyOn(adapter, 'actions').mockResolvedValue({
      ...actions,
      pending: { ...actions.pending!, readTransaction: read },
      batch: { ...actions.batch!, readCalls: read },
    })
    const { id } = first.follower.add({
      ...sent,
      type: 'send',
      network: first.kit.getState().networks[0]!,
      account: first.wallets.address(0),
      to: '0xto',
      transfers: [{ direction: 'out', name: 'ETH', amount: '1', isNft: false, image: undefined }],
    })
    await expect.poll(() => reads).toBe(1)
    const second = await open(first.storage, { calls: { status: 'pending' } })
    await second.nextRead(0)
    respond()
    await vi.advanceTimersByTimeAsync(3_600_000)
    expect([first.find(id)?.status, second.find(id)?.status]).toEqual(['pending', 'pending'])
    expect(reads).toBe(1)
  },
)

test('a transaction is read on its own network, for its account', async () => {
  const { kit, wallets, follower } = await open()
  const adapter = kit.adapters.get('eip155')!
  const actions = await adapter.actions()
  const readTransaction = vi.fn<NonNullable<typeof actions.pending>['readTransaction']>(
    async () => pending,
  )
  vi.spyOn(adapter, 'actions').mockResolvedValue({
    ...actions,
    pending: { ...actions.pending!, readTransaction },
  })
  const network = kit.getState().networks[1]!
  follower.add({
    hash: '0xten',
    type: 'send',
    network,
    account: wallets.address(0),
    to: '0xto',
    transfers: [{ direction: 'out', name: 'ETH', amount: '1', isNft: false, image: undefined }],
  })
  await expect
    .poll(() => readTransaction.mock.calls)
    .toEqual([[{ hash: '0xten', network, address: wallets.address(0), mark: undefined }]])
})

test('without Web Locks, every tab reads the network', async () => {
  vi.stubGlobal('navigator', {})
  const first = await open()
  first.add()
  await first.nextRead()
  const second = await open(first.storage)
  await second.nextRead()
  await first.nextRead()
  for (const { wallets } of [first, second]) wallets.transactions['0xone'] = mined
  await first.nextRead()
  expect(first.find()?.status).toBe('confirmed')
  const { length } = first.wallets.reads
  await vi.advanceTimersByTimeAsync(3_600_000)
  expect(first.wallets.reads).toHaveLength(length)
})

describe('the toasts of a transaction', () => {
  test.each([
    [
      'an approval, with the token',
      { type: 'approve', transfers: [{ amount: '5' }] },
      ['Approving USDC…', 'USDC approved'],
    ],
    [
      'a revocation',
      { type: 'approve', transfers: [{ direction: 'self', amount: '0' }] },
      ['Removing the approval of USDC…', 'Approval of USDC removed'],
    ],
    [
      'an NFT, without an amount',
      { type: 'send', transfers: [{ isNft: true, amount: '1' }] },
      ['Sending USDC…', 'USDC sent'],
    ],
    [
      'another call',
      { type: 'execute', transfers: [{ amount: '0' }] },
      ['Transaction sent', 'Transaction confirmed'],
    ],
  ] as const)('name %s', async (_, { type, transfers }, messages) => {
    const { kit, wallets, toasts, follower, nextRead } = await open()
    wallets.transactions['0xone'] = mined
    follower.add({
      hash: '0xone',
      type,
      network: kit.getState().networks[0]!,
      account: wallets.address(0),
      to: '0xto',
      transfers: transfers.map((moved) => ({
        direction: 'out',
        name: 'USDC',
        isNft: false,
        image: undefined,
        ...moved,
      })),
    })
    await nextRead(0)
    await expect.poll(() => toasts).toEqual(messages)
  })
})

describe('the stored list', () => {
  test('is followed by the next page', async () => {
    const first = await open()
    first.add()
    first.kit.destroy()
    const second = await open(first.storage)
    expect(second.find()).toMatchObject({ status: 'pending', to: '0xto' })
    second.wallets.transactions['0xone'] = mined
    await second.nextRead(0)
    await vi.advanceTimersByTimeAsync(limits.pendingPollMaxMs)
    expect(second.find()?.status).toBe('confirmed')
  })

  test('§9.3.1 has at most 99 transactions; those that ended make room first', async () => {
    const { kit, storage, wallets, add, nextRead, find } = await open()
    add()
    wallets.transactions['0xone'] = mined
    await nextRead()
    for (let index = 0; index < limits.pendingTransactions; index++) {
      wallets.transactions[`0x${index}`] = pending
      add(`0x${index}`)
    }
    expect(kit.getState().pending).toHaveLength(99)
    expect(find('0xone')).toBeUndefined()
    expect(find('0x0')).toBeDefined()
    add('0xlast')
    expect(kit.getState().pending).toHaveLength(99)
    expect(find('0x0')).toBeUndefined()
    expect(JSON.parse(storage.getItem('gatefold.pending.default')!)).toHaveLength(99)
  })

  test('keeps the newest one that ended rather than the oldest, if all pending ones have room', async () => {
    const { kit, storage, wallets, add } = await open()
    const entry = (id: string, change: object = {}) => ({ ...valid, id, hash: id, ...change })
    const time = Date.now()
    const ended = { status: 'confirmed', time, endedAt: time }
    const older = Array.from({ length: 96 }, (_, index) => entry(`0x${index}`, { time }))
    const newest = entry('0xnewest', { time })
    const stored = [newest, entry('0xnew', ended), entry('0xold', ended), ...older]
    for (const { id } of stored) wallets.transactions[id] = pending
    storage.setItem('gatefold.pending.default', JSON.stringify(stored))
    add('0xadded')
    expect(kit.getState().pending.map(({ id }) => id)).toEqual([
      '0xadded',
      '0xnewest',
      '0xnew',
      ...older.map(({ id }) => id),
    ])
  })

  test('is kept in memory if the storage is full', async () => {
    const { wallets, add, find, nextRead } = await open({
      ...memoryStorage(),
      setItem() {
        throw new DOMException('full', 'QuotaExceededError')
      },
    })
    add()
    wallets.transactions['0xone'] = mined
    await nextRead()
    expect(find()?.status).toBe('confirmed')
  })

  const valid = {
    id: '0xone',
    hash: '0xone',
    type: 'send',
    status: 'pending',
    account: '0xfrom',
    networkId: 'eip155:1',
    to: '0xto',
    transfers: [{ direction: 'out', name: 'ETH', amount: '1', isNft: false }],
    time: Date.UTC(2026, 10, 20),
    earlier: [],
  }
  const read = async (text: string) => {
    vi.setSystemTime(valid.time + 1_000)
    const storage = memoryStorage()
    storage.setItem('gatefold.pending.default', text)
    const { kit } = await open(storage)
    return kit.getState().pending
  }

  test.each([
    ['no JSON', '{'],
    ['no list', '{}'],
    ['null', 'null'],
    ['entries of another kind', '[7, null, "x", []]'],
    ['an unknown status', JSON.stringify([{ ...valid, status: 'lost' }])],
    ['an id that is markup', JSON.stringify([{ ...valid, id: '<b>' }])],
    ['a time that is text', JSON.stringify([{ ...valid, time: 'now' }])],
    ['a pending entry that has ended', JSON.stringify([{ ...valid, endedAt: valid.time }])],
    ['no transfers', JSON.stringify([{ ...valid, transfers: [] }])],
    [
      'an amount in exponents',
      JSON.stringify([{ ...valid, transfers: [{ ...valid.transfers[0], amount: '1e9' }] }]),
    ],
    [
      'a transaction of last week',
      JSON.stringify([{ ...valid, time: valid.time - limits.pendingKeepMs }]),
    ],
    [
      'one that ended yesterday',
      JSON.stringify([
        {
          ...valid,
          status: 'confirmed',
          time: valid.time - 2 * limits.pendingEndedKeepMs,
          endedAt: valid.time - limits.pendingEndedKeepMs,
        },
      ]),
    ],
  ])('ignores %s', async (_, text) => {
    expect(await read(text)).toEqual([])
  })

  test('attack: pictures of other hosts and invisible characters are removed', async () => {
    const [entry] = await read(
      JSON.stringify([
        {
          ...valid,
          transfers: [
            {
              ...valid.transfers[0],
              name: 'E\u202eTH',
              image: 'https://evil.example/pixel.png',
            },
          ],
        },
      ]),
    )
    expect(entry?.transfers).toEqual([
      { direction: 'out', name: 'ETH', amount: '1', isNft: false, image: undefined },
    ])
  })
})
