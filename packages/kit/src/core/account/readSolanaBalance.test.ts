import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import { fundSolana, solanaLocal, startSolana } from '@gatefold/chain'
import type { Solana } from '@gatefold/chain'
import { base58 } from '@scure/base'
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { mainnet } from 'viem/chains'

import { connect } from '../connection/connect.ts'
import { createKit } from '../kit/createKit.ts'
import type { KitInstance } from '../kit/Kit.ts'
import type { NetworkInput } from '../networks/Network.ts'
import { memoryStorage } from '../storage/storage.ts'
import { memoryAdapter } from '../testing/memoryAdapter.ts'
import { toyConnector } from '../testing/toyConnector.ts'
import { getBalance } from './balance.ts'

const owner = base58.encode(new Uint8Array(32).fill(7))
let solana: Solana
beforeAll(async () => {
  solana = await startSolana()
})
afterAll(() => solana?.stop())

const kits: KitInstance[] = []
afterEach(() => {
  for (const kit of kits.splice(0)) kit.destroy()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

/** A site with an adapter for EVM only, connected by a session that also grants an account on Solana. */
async function connected(urls: readonly string[], more: Partial<NetworkInput> = {}) {
  vi.stubGlobal('window', { location: { origin: 'https://book.example' } })
  const relay = toyConnector()
  const kit = createKit(
    {
      metadata: { name: 'Book', description: '', url: 'https://book.example', icons: [] },
      networks: [
        mainnet,
        {
          id: solanaLocal.reference,
          name: 'Gatefold Solana',
          chainNamespace: 'solana',
          nativeCurrency: { name: 'Sol', symbol: 'SOL', decimals: 9 },
          rpcUrls: { default: { http: [...urls] } },
          ...more,
        },
      ],
      adapters: [memoryAdapter().factory],
      connectors: [relay.factory],
      storage: memoryStorage(),
    },
    {},
  )
  kits.push(kit)
  relay.granted = ['eip155', 'solana']
  const connecting = connect(kit, { connectorId: 'toy.relay' })
  await expect.poll(() => kit.getState().attempt?.progress).toBeDefined()
  relay.approve()
  await connecting
  relay.grant('solana', [owner])
  return kit
}

/** A node that answers every request with `body`. */
async function startNode(body: string, status = 200): Promise<string> {
  const server = createServer((_request, response) => void response.writeHead(status).end(body))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const answer = (value: string) =>
  `{"jsonrpc":"2.0","result":{"context":{"slot":1},"value":${value}},"id":1}`
const refusal = '{"jsonrpc":"2.0","error":{"code":-32602,"message":"Invalid param"},"id":1}'

test('§9.3.4/1 the balance of a Solana account is read from the chain', async () => {
  const kit = await connected([solana.url])
  const read = () => getBalance(kit, { namespace: 'solana' })
  expect(await read()).toEqual({ balance: '0', symbol: 'SOL', value: 0n, decimals: 9 })
  await fundSolana(solana.url, { owner: owner as never, lamports: 1_500_000_001n })
  expect(await read()).toMatchObject({ balance: '1.500000001', value: 1_500_000_001n })
})

test('§9.3.4/1 §9.3.4/2 other families without an adapter have no balance, and test networks one of 0.00', async () => {
  const kit = await connected([solana.url], { testnet: true })
  expect(await getBalance(kit, { namespace: 'solana' })).toMatchObject({
    balance: '0.00',
    value: 0n,
  })
  await expect(getBalance(kit, { namespace: 'bip122' })).rejects.toMatchObject({
    code: 'wallet.not_connected',
  })
})

test('behavior: is exact to the lamport, and read from the next RPC URL if one fails', async () => {
  const urls = [
    await startNode('', 503),
    await startNode(refusal),
    await startNode(answer('599999999999999999')),
  ]
  const kit = await connected(urls)
  const { value, balance } = await getBalance(kit, { namespace: 'solana' })
  expect(value).toBe(599_999_999_999_999_999n)
  expect(balance).toBe('599999999.999999999')
})

test.each([
  ['an error', refusal],
  ['a negative number', answer('-1')],
  ['a fraction', answer('1.5')],
  ['no number', answer('"12"')],
  ['no JSON-RPC', '<!doctype html>'],
])('error: 0.00 with the cause, if the only node answers with %s', async (_, body) => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
  const kit = await connected([await startNode(body)])
  expect(await getBalance(kit, { namespace: 'solana' })).toMatchObject({
    balance: '0.00',
    symbol: 'SOL',
    error: { code: 'solana.balance' },
  })
  expect(warn).toHaveBeenCalledOnce()
})
