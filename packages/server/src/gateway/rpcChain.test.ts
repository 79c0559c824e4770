import { accounts, addresses, gatefoldLocal, startChain, type Chain } from '@gatefold/chain'
import {
  BaseError,
  createPublicClient,
  createWalletClient,
  ContractFunctionRevertedError,
  http,
  parseAbi,
  parseEther,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startServer, type RunningServer } from '../main.ts'
import { startUpstream } from '../testing/startUpstream.ts'

let chain: Chain
let broken: Awaited<ReturnType<typeof startUpstream>>
let server: RunningServer
beforeAll(async () => {
  chain = await startChain()
  broken = await startUpstream({ chainId: 31_337 })
  broken.behavior = { status: 503 }
  server = await startServer({
    port: 0,
    logLevel: 'silent',
    dataDir: ':memory:',
    rpcUrls: { 'eip155:31337': [broken.url, chain.url] },
  })
})
afterAll(async () => {
  await server?.stop()
  await broken?.stop()
  await chain?.stop()
})

/** A transport configured as in an official client: the gateway's URL, text/plain, batches. */
function transport() {
  return http(`${server.url}/v1/?chainId=eip155:31337&projectId=default`, {
    batch: { batchSize: 100 },
    fetchOptions: { headers: { 'content-type': 'text/plain' } },
  })
}

test('§7.12.1 §7.12.3 viem reads a real chain in batches, despite a broken upstream', async () => {
  const client = createPublicClient({ chain: gatefoldLocal(), transport: transport() })
  const balances = await Promise.all(accounts.map(({ address }) => client.getBalance({ address })))
  expect(balances).toHaveLength(accounts.length)
  expect(balances.every((balance) => balance > 0n)).toBe(true)
  expect(await client.getChainId()).toBe(31_337)
})

test('a signed transaction is forwarded and mined', async () => {
  const client = createPublicClient({ chain: gatefoldLocal(), transport: transport() })
  const account = privateKeyToAccount(accounts[0].privateKey)
  const wallet = createWalletClient({ account, chain: gatefoldLocal(), transport: transport() })
  const to = '0x00000000000000000000000000000000000000aa'
  const before = await client.getBalance({ address: to })
  const hash = await wallet.sendTransaction({ to, value: parseEther('1') })
  const receipt = await client.waitForTransactionReceipt({ hash, pollingInterval: 50 })
  expect(receipt.status).toBe('success')
  expect((await client.getBalance({ address: to })) - before).toBe(parseEther('1'))
})

test('a client gets the reason for a revert', async () => {
  const client = createPublicClient({ chain: gatefoldLocal(), transport: transport() })
  const transfer = client.simulateContract({
    account: '0x00000000000000000000000000000000000000bb',
    address: addresses.usdc,
    abi: parseAbi(['function transfer(address to, uint256 amount) returns (bool)']),
    functionName: 'transfer',
    args: ['0x00000000000000000000000000000000000000cc', 1n],
  })
  const error = await transfer.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  expect(error).toBeInstanceOf(BaseError)
  const reverted = (error as BaseError).walk(
    (cause) => cause instanceof ContractFunctionRevertedError,
  )
  expect(reverted).toBeInstanceOf(ContractFunctionRevertedError)
})
