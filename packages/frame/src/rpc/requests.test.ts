import { toHex } from 'viem'
import { expect, it } from 'vitest'
import { english } from '../strings/language.ts'
import { evmRequests, type Examine } from './requests.ts'

const from = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const other = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'

const data = (chainId: unknown) => ({
  domain: { name: 'Book', chainId },
  types: { Page: [{ name: 'number', type: 'uint256' }] },
  primaryType: 'Page',
  message: { number: 7 },
})

const examine = (
  method: string,
  params: unknown,
  options: Partial<Pick<Parameters<Examine>[0], 'rpc' | 'sign'>> = {},
) =>
  evmRequests[method]!({
    params,
    chain: { id: 'eip155:31337', name: 'Basalt', symbol: 'ETH', decimals: 18 },
    from,
    origin: 'https://book.example',
    rpc: () => Promise.reject(new Error('no node')),
    bundler: () => Promise.reject(new Error('no bundler')),
    sign: () => Promise.resolve('signed'),
    smart: undefined,
    chosen: new Map(),
    language: english,
    ...options,
  } satisfies Parameters<Examine>[0])

it('typed data for the network of the request is examined', async () => {
  for (const chainId of [31_337, '31337', '0x7a69', undefined])
    await expect(examine('eth_signTypedData_v4', [from, data(chainId)])).resolves.toBeDefined()
})

it('attack: typed data for another network is refused', async () => {
  for (const chainId of [1, '1', '0x1', 'mainnet', null, 0])
    await expect(examine('eth_signTypedData_v4', [from, data(chainId)])).rejects.toThrow(
      'The data is for another network.',
    )
})

it.each([
  ['eth_signTypedData_v4', [other, data(31_337)]],
  ['personal_sign', ['0x68656c6c6f', other]],
])('attack: %s for another account is refused', async (method, params) => {
  await expect(examine(method, params)).rejects.toThrow('The request is for another account.')
})

it('two transactions that are approved at the same time have different nonces', async () => {
  const sent: string[] = []
  const counted: unknown[] = []
  const options = {
    // A node that knows a transaction as soon as it is sent.
    rpc: async (_chainId: string, method: string, params: unknown) => {
      if (method === 'eth_getTransactionCount') {
        counted.push(params)
        return toHex(sent.length)
      }
      if (method === 'eth_sendRawTransaction') return sent.push((params as string[])[0]!)
      return method === 'eth_getBlockByNumber' ? { baseFeePerGas: '0x1' } : '0x1'
    },
    sign: (request: Parameters<Parameters<Examine>[0]['sign']>[0]) =>
      Promise.resolve(request.kind === 'transaction' ? `nonce ${request.transaction.nonce}` : ''),
  }
  const call = { from, to: other, value: '0x1' }
  const requests = await Promise.all(
    [call, call].map((it) => examine('eth_sendTransaction', [it], options)),
  )
  await Promise.all(requests.map(({ prepared }) => prepared()))
  expect(sent).toEqual(['nonce 0', 'nonce 1'])
  expect(counted).toEqual([
    [from, 'pending'],
    [from, 'pending'],
  ])
})
