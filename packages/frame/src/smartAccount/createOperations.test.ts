import { addresses, smartAccounts, startChain, type Chain } from '@gatefold/chain'
import type { PaymasterBody, PaymasterResponse } from '@gatefold/protocol/frame'
import { createPublicClient, http } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { NodeError, type Rpc } from '../rpc/createRpc.ts'
import { createOperations, waitForOperation } from './createOperations.ts'
import { createSmartAccount } from './createSmartAccount.ts'

const owner = privateKeyToAccount(
  '0x8b3a350cf5c34c9194ca85829a2df0ec3153be0318b5e2d3348e872092edffba',
)
const hash = `0x${'ab'.repeat(32)}` as const
const network = { id: 'eip155:31337', name: 'Basalt', symbol: 'ETH', decimals: 18 }

let chain: Chain
beforeAll(async () => {
  chain = await startChain()
})
afterAll(() => chain.stop())

const result = {
  paymaster: addresses.paymaster,
  paymasterData: '0x01',
  paymasterVerificationGasLimit: '0xea60',
  paymasterPostOpGasLimit: '0x0',
} as const

/** Opens an account whose bundler estimates and accepts everything. */
async function open(answer: (body: PaymasterBody) => PaymasterResponse) {
  const client = createPublicClient({ transport: http(chain.url) })
  const rpc: Rpc = (_, method, params) => client.request({ method, params } as never)
  const sent: unknown[] = []
  const bundler: Rpc = async (_, method, params) => {
    if (method === 'eth_estimateUserOperationGas')
      return { callGasLimit: '0x1', verificationGasLimit: '0x2', preVerificationGas: '0x3' }
    if (method === 'eth_sendUserOperation') {
      sent.push((params as unknown[])[0])
      return hash
    }
    throw new NodeError('unknown method', { isAnswer: true })
  }
  const account = await createSmartAccount({
    chain: network,
    modules: smartAccounts['eip155:31337'],
    owner: owner.address,
    rpc,
    sign: async (request) => {
      if (request.kind !== 'owner') throw new Error(request.kind)
      return owner.signTypedData(request.data)
    },
  })
  const operations = createOperations({
    account,
    owner: owner.address,
    chain: network,
    rpc,
    bundler,
    paymaster: (body) => Promise.resolve(answer(body)),
  })
  return { operations, sent, bundler }
}

const refused: PaymasterResponse = {
  jsonrpc: '2.0',
  id: 1,
  error: { code: -32_000, message: 'no', data: { reason: 'user' } },
}
const calls = [{ to: addresses.book, value: 0n, data: '0x' }] as const

it('the paymaster signs only after the approval', async () => {
  const asked: string[] = []
  const { operations, sent } = await open(({ method }) => {
    asked.push(method)
    return { jsonrpc: '2.0', id: 1, result }
  })
  const prepared = await operations.prepare(calls)
  expect(prepared).toMatchObject({ isSponsored: true, isFirst: true })
  expect(asked).toEqual(['pm_getPaymasterStubData'])
  expect(await operations.send(prepared)).toBe(hash)
  expect(asked).toEqual(['pm_getPaymasterStubData', 'pm_getPaymasterData'])
  expect(sent).toMatchObject([{ paymaster: addresses.paymaster, paymasterData: '0x01' }])
})

it('attack: an operation that was shown as paid by the site is never charged to the visitor', async () => {
  const { operations, sent } = await open(({ method }) =>
    method === 'pm_getPaymasterData' ? refused : { jsonrpc: '2.0', id: 1, result },
  )
  const prepared = await operations.prepare(calls)
  await expect(operations.send(prepared)).rejects.toMatchObject({
    code: 'frame.operation_sponsor',
  })
  expect(sent).toEqual([])
})

it('an operation that the site does not pay for is paid by the account', async () => {
  const { operations, sent } = await open(() => refused)
  const prepared = await operations.prepare(calls)
  expect(prepared).toMatchObject({ isSponsored: false })
  expect(prepared.fee).toBe(6n * prepared.operation.maxFeePerGas)
  await operations.send(prepared)
  expect(sent).toMatchObject([{ callGasLimit: '0x1' }])
  expect(sent).not.toHaveProperty('0.paymaster')
})

it.each([
  ['does not respond', new NodeError('down'), 'frame.operation_bundler'],
  [
    'reports a failure',
    new NodeError('execution reverted: AA23', { isAnswer: true }),
    'frame.operation_refused',
  ],
  [
    'reports that the balance of the account is too low',
    new NodeError("AA21 didn't pay prefund", { isAnswer: true }),
    'frame.operation_funds',
  ],
])('error: a bundler %s', async (_, error, code) => {
  await expect(
    waitForOperation(() => Promise.reject(error), network.id, hash),
  ).rejects.toMatchObject({ code })
})

it('error: an operation that failed on chain is reported with its reason', async () => {
  const receipt = { success: false, reason: 'not today' }
  await expect(
    waitForOperation(() => Promise.resolve(receipt), network.id, hash),
  ).rejects.toMatchObject({
    code: 'frame.operation_failed',
    shortMessage: 'The operation was executed, but it failed. not today',
  })
})
