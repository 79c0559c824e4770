import { smartAccountContracts } from '@gatefold/protocol/frame'
import { hexToNumber, parseEventLogs, toEventSelector, type Hex, type RpcLog } from 'viem'
import { entryPoint07Abi, getUserOperationHash } from 'viem/account-abstraction'
import type { Chain } from '../../rpc/createChain.ts'
import type { FrameService } from '../service.ts'
import type { PaidOperation } from './signOperation.ts'

const gwei = 1_000_000_000n
/**
 * How far the time of a node's latest block may be behind the block that
 * executed an operation.
 */
const lagSeconds = 60
const event = toEventSelector(
  'UserOperationEvent(bytes32,address,address,uint256,bool,uint256,uint256)',
)

/** The number of a chain's latest block; undefined if the chain does not respond. */
export async function readBlockNumber(
  { context }: FrameService,
  chainId: string,
): Promise<number | undefined> {
  try {
    const [block] = await read(context.chains.byId.get(chainId)!, [
      { method: 'eth_blockNumber', params: [] },
    ])
    return hexToNumber(block as Hex)
  } catch {
    return undefined
  }
}

/** The hash of a signed operation at the entry point. */
export function operationHash(
  operation: PaidOperation,
  options: { chainId: number; paymaster: Hex; paymasterData: Hex },
): Hex {
  const { chainId, ...paymaster } = options
  return getUserOperationHash({
    chainId,
    entryPointAddress: smartAccountContracts.entryPoint,
    entryPointVersion: '0.7',
    userOperation: { ...operation, ...paymaster, signature: '0x' },
  })
}

/**
 * Credits back the unused cost of the operations on a chain. If an operation
 * was executed, its cost is in an event; if not, it can no longer be executed
 * once its deadline has passed on the chain. Reads the operator's node, because
 * a bundler knows only the operations that were sent to it.
 *
 * @throws if the chain does not respond.
 */
export async function settleOperations(
  { context, store }: FrameService,
  chainId: string,
): Promise<void> {
  const chain = context.chains.byId.get(chainId)
  const rows = await store.listOperations(chainId)
  if (rows.length === 0 || !chain) return
  const hashes = rows.map(({ hash }) => hash)
  const fromBlock = `0x${Math.min(...rows.map(({ block }) => block)).toString(16)}`
  // Both from one upstream: another one may not have the latest block yet.
  const [latest, found] = await read(chain, [
    { method: 'eth_getBlockByNumber', params: ['latest', false] },
    {
      method: 'eth_getLogs',
      params: [{ address: smartAccountContracts.entryPoint, topics: [event, hashes], fromBlock }],
    },
  ])
  const time = hexToNumber((latest as { timestamp: Hex }).timestamp)
  const logs = parseEventLogs({
    abi: entryPoint07Abi,
    eventName: 'UserOperationEvent',
    logs: (found as RpcLog[]).filter(
      ({ address }) => address.toLowerCase() === smartAccountContracts.entryPoint.toLowerCase(),
    ),
  })
  for (const row of rows) {
    const log = logs.find(({ args }) => args.userOpHash === row.hash)
    if (!log && time <= row.valid_until + lagSeconds) continue
    const used = log ? Number((log.args.actualGasCost + gwei - 1n) / gwei) : 0
    await store.settleOperation(row, used)
  }
}

/** Sends calls to a node or a bundler. @throws if it does not respond, or refuses one of them. */
export async function read(chain: Chain, calls: { method: string; params: unknown }[]) {
  const replies = await chain.send(calls, { isRead: true })
  return replies.map((reply) => {
    if ('error' in reply) throw new Error(reply.error.message)
    return reply.result
  })
}
