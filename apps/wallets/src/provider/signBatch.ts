import { type Address, encodeFunctionData, type Hex, parseAbi, type PrivateKeyAccount } from 'viem'
import type { ChainRpc } from './chainRpc.ts'
import type { CallRequest } from './params.ts'
import { estimateCost } from './transactions.ts'

/** `Simple7702Account` of account-abstraction 0.8, at the same address on most chains and on the local ones. */
const delegate: Address = '0xe6Cae83BdE06E4c305530e199D7217f42808555B'
/** The code of an account that delegates to it. @see EIP-7702 */
const delegation = `0xef0100${delegate.slice(2).toLowerCase()}` as const

const abi = parseAbi([
  'struct Call { address target; uint256 value; bytes data; }',
  'function executeBatch(Call[] calls)',
])

/** Gas of a batch that would fail: it is sent anyway, to test how pages handle the failure. */
const failingGas = 1_000_000n

/**
 * Signs one transaction that executes several calls of an account, all or none. An account's first batch also delegates
 * the account to the contract (EIP-7702).
 *
 * @returns the raw transaction
 */
export async function signBatch(options: {
  rpc: ChainRpc
  account: PrivateKeyAccount
  chainId: number
  calls: readonly CallRequest[]
}): Promise<Hex> {
  const { rpc, account, chainId, calls } = options
  const { address } = account
  const data = encodeFunctionData({
    abi,
    functionName: 'executeBatch',
    args: [
      calls.map(({ to, value = 0n, data: input = '0x' }) => ({ target: to!, value, data: input })),
    ],
  })
  const request = { from: address, to: address, data }
  const [nonce, code, { fees }, gas] = await Promise.all([
    rpc('eth_getTransactionCount', [address, 'pending']).then(Number),
    rpc('eth_getCode', [address, 'latest']),
    // The gas is estimated below, with the code that the account will have.
    estimateCost(rpc, address, { gas: failingGas }),
    rpc('eth_estimateGas', [request, 'latest', { [address]: { code: delegation } }]).then(
      // The authorization costs gas that the estimate does not contain.
      (estimate) => (BigInt(estimate as Hex) * 12n) / 10n + 50_000n,
      () => failingGas,
    ),
  ])
  const transaction = { chainId, nonce, gas, to: address, data }
  const feesPerGas =
    fees.type === 'eip1559'
      ? { maxFeePerGas: fees.maxFeePerGas, maxPriorityFeePerGas: fees.maxPriorityFeePerGas }
      : { maxFeePerGas: fees.gasPrice, maxPriorityFeePerGas: fees.gasPrice }
  if (code === delegation)
    return account.signTransaction({ type: 'eip1559', ...transaction, ...feesPerGas })
  const authorization = await account.signAuthorization({
    address: delegate,
    chainId,
    // The transaction itself uses `nonce`.
    nonce: nonce + 1,
  })
  return account.signTransaction({
    type: 'eip7702',
    ...transaction,
    ...feesPerGas,
    authorizationList: [authorization],
  })
}
