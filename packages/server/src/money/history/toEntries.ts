import { limits } from '@gatefold/protocol'
import { decodeFunctionData, zeroAddress, type Address, type Hex } from 'viem'
import type { Found, StoredAsset } from '../../storage/history.ts'
import { keyOf, type ChainData } from '../chainData/ChainData.ts'
import { routerAbi } from '../evm/abis.ts'
import type { Approval, Entry, Transfer } from './HistorySource.ts'
import { readLog, type Movement } from './logs.ts'
import type { BlockFacts, Log, Receipt, Transaction } from './readBlocks.ts'

type Contracts = Pick<ChainData, 'wrapped' | 'uniswap'>

/**
 * The history entries of watched addresses in blocks: for each address, an
 * entry for each transaction that it sent, that moved something to or from it,
 * or in which it approved something. Native currency that a contract pays out
 * does not appear in logs, so it is known only for known contracts: the wrapped
 * native currency, and Uniswap's router.
 */
export function toEntries(
  blocks: readonly BlockFacts[],
  { addresses, contracts }: { addresses: ReadonlySet<string>; contracts: Contracts },
): Found {
  const entries: Found['entries'] = []
  const assets = new Map<string, StoredAsset>()
  for (const block of blocks) {
    const logs = Map.groupBy(block.logs, ({ transactionIndex }) => transactionIndex)
    for (const transaction of block.transactions) {
      const receipt = block.receipts.get(transaction.hash)
      const own = logs.get(transaction.transactionIndex) ?? []
      if (!receipt && own.length === 0) continue
      const movements = readMovements(transaction, receipt, own, contracts)
      for (const account of partiesOf(transaction, movements)) {
        if (!addresses.has(account)) continue
        const entry = toEntry(account, { block, transaction, receipt, movements })
        if (!entry) continue
        const { block: number, position } = entry
        entries.push({ address: account, block: number, position, facts: JSON.stringify(entry) })
        for (const asset of assetsOf(account, entry))
          assets.set(`${account} ${asset.contract} ${asset.tokenId}`, asset)
      }
    }
  }
  return { entries, assets: [...assets.values()] }
}

function readMovements(
  transaction: Transaction,
  receipt: Receipt | undefined,
  found: Log[],
  contracts: Contracts,
): Movement[] {
  const isFailed = receipt?.status === 0
  const movements: Movement[] = []
  if (transaction.value > 0n && transaction.to && !isFailed)
    movements.push(toNative(transaction.from, transaction.to, String(transaction.value)))
  const logs = new Map([...found, ...(receipt?.logs ?? [])].map((log) => [log.logIndex, log]))
  const wrapped = contracts.wrapped && (keyOf(contracts.wrapped) as Address)
  const router = contracts.uniswap && keyOf(contracts.uniswap.router)
  for (const [, log] of [...logs].toSorted(([a], [b]) => a - b))
    for (const movement of readLog(log, wrapped)) {
      movements.push(movement)
      if (movement.type !== 'unwrap') continue
      const recipient =
        movement.account === router && transaction.to === router
          ? readRecipient(transaction.input)
          : movement.account
      if (recipient) movements.push(toNative(movement.account, recipient, movement.amount, wrapped))
    }
  return movements
}

/** @param payer - the contract that pays an unwrapped amount. */
function toNative(
  from: Address,
  to: Address,
  amount: string,
  payer: Address | undefined = from,
): Movement {
  const sender = from === to ? payer : from
  return { type: 'transfer', transfer: { standard: 'native', from: sender, to, amount } }
}

/** The account to which Uniswap's router pays the native currency. */
function readRecipient(input: Hex): Address | undefined {
  try {
    const outer = decodeFunctionData({ abi: routerAbi, data: input })
    const calls = outer.functionName === 'multicall' ? outer.args[1] : [input]
    for (const data of calls.slice(0, limits.historyTransfers)) {
      const call = decodeFunctionData({ abi: routerAbi, data })
      if (call.functionName === 'unwrapWETH9') return keyOf(call.args[1]) as Address
    }
  } catch {
    // another function of the router
  }
  return undefined
}

function partiesOf(transaction: Transaction, movements: Movement[]): Set<Address> {
  const parties = new Set<Address>([transaction.from])
  for (const movement of movements) {
    if (movement.type === 'approval') parties.add(movement.owner)
    if (movement.type === 'transfer') parties.add(movement.transfer.from).add(movement.transfer.to)
  }
  return parties
}

function toEntry(
  account: Address,
  facts: {
    block: BlockFacts
    transaction: Transaction
    receipt: Receipt | undefined
    movements: Movement[]
  },
): Entry | undefined {
  const { block, transaction, receipt, movements } = facts
  const isSender = transaction.from === account
  const transfers: Transfer[] = []
  const approvals: Approval[] = []
  for (const movement of movements) {
    if (movement.type === 'unwrap') continue
    const { amount } = movement.type === 'transfer' ? movement.transfer : movement.approval
    // With most tokens, anyone can create a zero-amount transfer from any
    // account to a look-alike address.
    if (!isSender && amount === '0') continue
    if (movement.type === 'approval' && movement.owner === account)
      approvals.push(movement.approval)
    if (movement.type === 'transfer' && isParty(movement.transfer, account))
      transfers.push(movement.transfer)
  }
  if (!isSender && transfers.length === 0 && approvals.length === 0) return undefined
  return {
    hash: transaction.hash,
    block: block.number,
    position: transaction.transactionIndex,
    minedAt: block.timestamp * 1000,
    from: transaction.from,
    to: transaction.to,
    ...(receipt?.contractAddress && { created: receipt.contractAddress }),
    nonce: transaction.nonce,
    isFailed: receipt?.status === 0,
    value: String(transaction.value),
    isCall: transaction.input !== '0x',
    transfers: transfers.slice(0, limits.historyTransfers),
    approvals: approvals.slice(0, limits.historyTransfers),
  }
}

function isParty({ from, to }: Transfer, account: Address): boolean {
  return from === account || to === account
}

function assetsOf(address: string, { transfers, minedAt }: Entry): StoredAsset[] {
  return transfers.flatMap(({ standard, token, tokenId = '' }) =>
    standard === 'native' || !token || token === zeroAddress
      ? []
      : [{ address, contract: token, tokenId, standard, lastSeenAt: minedAt }],
  )
}
