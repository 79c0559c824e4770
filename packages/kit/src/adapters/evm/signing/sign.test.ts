import { verifyMessage, verifyTypedData } from 'viem'
import { afterEach, beforeEach, expect, test } from 'vitest'

import { UserRejectedError } from '../../../core/kit/errors.ts'
import { SignMessageError } from '../../../core/kit/requestErrors.ts'
import { createPage, useChains } from '../testing/page.ts'
import type { Page } from '../testing/page.ts'

const chains = useChains()
let page: Page
beforeEach(() => void (page = createPage(chains)))
afterEach(() => page.close())

const halyard = 'dev.gatefold.halyard'
const mira = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const typedData = {
  domain: { name: 'Book', version: '1', chainId: 31337 },
  types: { Page: [{ name: 'number', type: 'uint256' }] },
  primaryType: 'Page',
  message: { number: 7n },
}

async function connected() {
  const wallet = page.wallet()
  const { adapter } = page.adapter()
  await adapter.connect({ connectorId: halyard })
  return { wallet, adapter: adapter as Required<typeof adapter> }
}

test('§7.13.1 signs a message with personal_sign, passing message and address', async () => {
  const { adapter, wallet } = await connected()
  const message = 'Call me Ishmael.'
  const signature = (await adapter.signMessage({ message })) as `0x${string}`
  expect(await verifyMessage({ address: mira, message, signature })).toBe(true)
  const request = wallet.controls.requests.find(({ method }) => method === 'personal_sign')
  expect(request?.params).toEqual([`0x${Buffer.from(message).toString('hex')}`, mira])
})

test('signs EIP-712 typed data', async () => {
  const { adapter } = await connected()
  const signature = (await adapter.signTypedData({ typedData })) as `0x${string}`
  expect(await verifyTypedData({ ...typedData, address: mira, signature } as never)).toBe(true)
})

test('error: a rejection by the visitor throws UserRejectedError', async () => {
  const { adapter, wallet } = await connected()
  wallet.controls.set({ reject: 'all' })
  await expect(adapter.signMessage({ message: 'a' })).rejects.toBeInstanceOf(UserRejectedError)
  await expect(adapter.signTypedData({ typedData })).rejects.toBeInstanceOf(UserRejectedError)
})

test('error: §8.11.1 any other failure to sign a message has the specified message', async () => {
  const { adapter, wallet } = await connected()
  wallet.controls.set({ fail: 'all' })
  const error = await adapter.signMessage({ message: 'a' }).catch((e: unknown) => e)
  expect(error).toBeInstanceOf(SignMessageError)
  expect(error).toMatchObject({
    shortMessage: 'WagmiAdapter:signMessage - Sign message failed',
  })
  await expect(adapter.signTypedData({ typedData })).rejects.toBeInstanceOf(SignMessageError)
})

test('error: a lazy chunk that fails to load throws a typed error and is retried', async () => {
  const { lazy } = await import('../../../core/kit/lazy.ts')
  let loadCount = 0
  const use = lazy(async () => {
    loadCount += 1
    if (loadCount === 1) throw new TypeError('Failed to fetch dynamically imported module')
    return { answer: 42 }
  })
  await expect(use(async ({ answer }) => answer)).rejects.toMatchObject({
    code: 'kit.chunk_not_loaded',
  })
  expect(await use(async ({ answer }) => answer)).toBe(42)
  expect(await use(async ({ answer }) => answer)).toBe(42)
  expect(loadCount).toBe(2)
})
