import { describe, expect, it } from 'vitest'
import { NodeError, type Rpc } from './createRpc.ts'
import { prepareTransaction, readTransaction } from './prepareTransaction.ts'
import { RequestError } from './RequestError.ts'

const from = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const to = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'

/** A node with the given responses; an `Error` is an error of the node. */
function nodeWith(answers: Record<string, unknown> = {}): Rpc {
  const all: Record<string, unknown> = {
    eth_getBlockByNumber: { baseFeePerGas: '0x64', gasLimit: '0x1c9c380' },
    eth_maxPriorityFeePerGas: '0xa',
    eth_estimateGas: '0x5208',
    eth_gasPrice: '0x3e8',
    eth_getBalance: '0xde0b6b3a7640000',
    ...answers,
  }
  return (_chain, method) => {
    const answer = all[method]
    return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer)
  }
}

const network = { chainId: 'eip155:31337', from } as const
const read = (request: unknown) => readTransaction({ ...network, params: [request] })
const prepare = (request: unknown, rpc = nodeWith()) =>
  prepareTransaction({ ...network, rpc, call: read(request) })

describe('a transaction', () => {
  it('gets the gas and fees of the network', async () => {
    const { transaction, fee } = await prepare({ from, to, value: '0x5' })
    expect(transaction).toEqual({
      type: 'eip1559',
      chainId: 31337,
      gas: 23_100n,
      maxFeePerGas: 210n,
      maxPriorityFeePerGas: 10n,
      to,
      value: 5n,
      data: '0x',
    })
    expect(fee).toBe(23_100n * 210n)
  })

  it('has the amount that the account lacks for the value and the fee', async () => {
    const rpc = nodeWith({ eth_getBalance: '0x64' })
    expect((await prepare({ to, value: '0x32' }, rpc)).missing).toBe(23_100n * 210n - 50n)
    expect((await prepare({ to, value: '0x5' })).missing).toBe(0n)
  })

  it('has one gas price on a network without a base fee', async () => {
    const rpc = nodeWith({ eth_getBlockByNumber: { gasLimit: '0x1c9c380' } })
    const { transaction } = await prepare({ to }, rpc)
    expect(transaction).toMatchObject({ type: 'legacy', gasPrice: 1_000n })
  })

  it('has the reason if it would fail, and is marked if it could not be simulated', async () => {
    const reverted = new NodeError('execution reverted: the price moved', { isAnswer: true })
    expect(await prepare({ to }, nodeWith({ eth_estimateGas: reverted }))).toMatchObject({
      failure: 'execution reverted: the price moved',
      wasTried: true,
    })
    const silent = new NodeError('The network did not respond.')
    expect(await prepare({ to }, nodeWith({ eth_estimateGas: silent }))).toMatchObject({
      failure: undefined,
      wasTried: false,
    })
  })

  it.each([
    ['a million units', '0x1c9c380', 1_000_000n],
    ['a quarter of a small block', '0x1e8480', 500_000n],
  ])('that cannot be estimated gets %s of gas', async (_, gasLimit, gas) => {
    const rpc = nodeWith({
      eth_getBlockByNumber: { baseFeePerGas: '0x64', gasLimit },
      eth_estimateGas: new NodeError('The network did not respond.'),
    })
    const { transaction, fee } = await prepare({ to }, rpc)
    expect(transaction.gas).toBe(gas)
    expect(fee).toBe(gas * 210n)
  })

  it.each([
    ['an authorization (EIP-7702)', { to, authorizationList: [] }],
    ['the type of such a transaction', { to, type: '0x4' }],
  ])('attack: with %s is refused', (_, request) => {
    expect(() => read(request)).toThrow('No site may ask for that.')
  })

  it.each([
    ['of another account', { from: to, to }, 'another account'],
    ['for another network', { to, chainId: '0x1' }, 'another network'],
    ['with an invalid address', { to: '0x12' }, 'to must be an address'],
    ['with half a byte', { to, data: '0x123' }, 'data must be bytes'],
    ['with a negative value', { to, value: -1 }, 'must be a whole number'],
    ['with a value that is not a number', { to, value: 'all' }, 'must be a whole number'],
    ['that is missing', undefined, 'Invalid transaction'],
  ])('error: %s is refused', (_, request, text) => {
    expect(() => read(request)).toThrow(RequestError)
    expect(() => read(request)).toThrow(text)
  })
})
