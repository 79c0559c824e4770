import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launchBrowser, type TestBrowser } from '../browser.ts'
import { hostPage, startFrame, type FrameStack } from './startFrame.ts'

type Reply = { type: string; payload?: { chainId?: number | string; message?: string } }
declare const window: Window & {
  received: { data: Reply }[]
  send(name: string, payload?: unknown): Promise<Reply>
}

/** The references of the networks that `getAvailableChainIds` of official frame clients returns. */
const evm = [
  [1, 5, 11155111],
  [10, 420],
  [42161, 421613],
  [137, 80001],
  [42220],
  [1313161554, 1313161555],
  [56, 97],
  [43114, 43113],
  [324, 280],
  [100],
  [8453, 84531, 84532],
  [7777777],
  [999],
].flat()
const solana = [
  '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
  '4uhcVJyU9pJkvQyS88uRDiswHXSCkY3z',
  'EtWTRABZaYq6iMfeYKouRu166VU2xqa1',
]

let frame: FrameStack
let browser: TestBrowser
let page: Page

beforeAll(async () => {
  // Ethereum is the last one.
  const ids = [
    ...solana.map((id) => `solana:${id}`),
    ...evm.toReversed().map((id) => `eip155:${id}`),
  ]
  ;[frame, browser] = await Promise.all([
    startFrame({ rpcUrls: Object.fromEntries(ids.map((id) => [id, ['http://127.0.0.1:9']])) }),
    launchBrowser(),
  ])
  ;({ page } = await browser.newPage())
  await page.goto(await frame.serve({ '/': hostPage(frame.documentUrl()) }))
  await page.waitForFunction(() =>
    window.received.some(({ data }) => data.type === '@w3m-frame/READY'),
  )
})
afterAll(async () => {
  await Promise.all([frame?.stop(), browser?.close()])
})

test('§9.8.2/1 the first network is Ethereum', async () => {
  expect(await page.evaluate(() => window.send('GET_CHAIN_ID'))).toMatchObject({
    payload: { chainId: 1 },
  })
})

test('§7.20 every network of the official frame clients can be selected', async () => {
  const select = (chainId: number | string) =>
    page.evaluate((id) => window.send('SWITCH_NETWORK', { chainId: id }), chainId)
  for (const id of evm) expect((await select(id)).payload).toEqual({ chainId: id })
  for (const id of solana) expect((await select(id)).payload).toEqual({ chainId: `solana:${id}` })
})
