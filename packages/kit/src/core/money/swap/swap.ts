import { CaipAddress, limits } from '@gatefold/protocol'
import type { TransactionResponse } from '@gatefold/protocol/gateway'

import { current } from '../../account/balance.ts'
import { sendCalls, sendTransaction } from '../../account/sign.ts'
import { capability } from '../../connection/Adapter.ts'
import type { SwapCall } from '../../connection/Adapter.ts'
import { currentConnection } from '../../connection/chainState.ts'
import { UnsupportedOperationError } from '../../kit/errors.ts'
import { GatewayError } from '../../kit/requestErrors.ts'
import { instanceOf } from '../../kit/Kit.ts'
import type { Kit } from '../../kit/Kit.ts'
import { fromUnits } from '../decimal.ts'
import { followPending } from '../pending/followPending.ts'
import type { Submitted } from '../pending/followPending.ts'
import {
  PriceMovedError,
  SwapChangedError,
  SwapNotIncludedError,
  SwapRevertedError,
  UnsafeTransactionError,
} from './errors.ts'
import { canBatch } from './batch.ts'
import { readPermit, signPermit } from './permit.ts'
import type { SignedPermit } from './permit.ts'
import { getQuote, isRefusal, slippageFor } from './quote.ts'
import type { SwapPair } from './quote.ts'
import { requireGateway } from '../fromGateway.ts'
import { caipAddressOf } from '../fromGateway.ts'
import { parseUnits } from './swapTokens.ts'

/** The order that the visitor has accepted: exactly these amounts. */
export type SwapOrder = SwapPair & {
  /** The minimum amount to get, in its smallest unit. */
  minimum: bigint
  /** The slippage, in basis points. */
  slippage: number
  /** How many minutes the transaction may be valid. */
  deadline: number
  /** The account that pays and receives. */
  account: string
}

/**
 * The steps of a swap, in order. If the allowance suffices, a swap has only the last two. Otherwise, one batch replaces
 * approval and swap (`batch`, `swapping`) if the wallet supports it, or else a permit replaces the approval if
 * possible. In `reset` and `resetting`, the allowance is set to zero first, for a token that refuses to change it, such
 * as USDT.
 */
export type SwapStep =
  | 'batch'
  | 'permit'
  | 'reset'
  | 'resetting'
  | 'approve'
  | 'approving'
  | 'swap'
  | 'swapping'

/** The steps in which a transaction is in the network. */
type SubmittedStep = Extract<SwapStep, 'resetting' | 'approving' | 'swapping'>

/** A transaction of the gateway, checked for its form only. */
type Built = { to: `0x${string}`; data: `0x${string}`; value: bigint }

/**
 * Maximum number of times that a swap is rebuilt because the price moved in the
 * meantime.
 */
const maxBuilds = 3

/**
 * The allowance of the gateway's router for a token.
 *
 * @throws {GatewayError} there is no gateway, or it failed
 */
export async function getAllowance(
  kit: Kit,
  { pay, account }: Pick<SwapOrder, 'pay' | 'account'>,
  signal?: AbortSignal,
): Promise<bigint> {
  const gateway = await requireGateway(kit)
  const query = {
    tokenAddress: caipAddressOf(pay),
    userAddress: CaipAddress.format(pay.network.caipNetworkId, account),
  }
  const { allowance } = await gateway.request('/v1/convert/allowance', { query, signal })
  return parseUnits(allowance, 'allowance')
}

/**
 * Swaps tokens, and waits until the transactions are in a block. If the allowance is too small, approves the exact
 * amount in the same batch of calls, with a permit, or with a transaction before the swap. If the token requires it,
 * resets the allowance before the approval. Everything that the gateway builds is compared with the order before the
 * wallet receives it.
 *
 * @param on.onStep - called at the start of each step; with the transaction's hash where there is one
 * @param on.isShown - whether a view shows the swap, so that toasts are not needed
 * @returns the hash of the swap's transaction
 * @throws {UnsafeTransactionError} the gateway built something else
 * @throws {PriceMovedError} the minimum can no longer be received
 * @throws {SwapChangedError} the active account or network has changed
 * @throws {SwapRevertedError} a transaction was reverted
 * @throws {SwapNotIncludedError} a transaction was canceled, replaced by another one, or dropped by the network
 * @throws {UserRejectedError} the visitor declined
 * @throws {PermitSignerError} another account's key has signed the permit
 * @throws {WrongHashError} the wallet did not return the hash of a new transaction, which may have been sent
 * @throws {GatewayError} the gateway refused or failed; `reason` names the cause
 */
export async function swap(
  kit: Kit,
  order: SwapOrder,
  on: { onStep: (step: SwapStep, hash?: string) => void; isShown: () => boolean },
): Promise<string> {
  const { onStep } = on
  let spender: string | undefined
  let permit: SignedPermit | undefined
  if (order.pay.address) {
    assertUnchanged(kit, order)
    if ((await getAllowance(kit, order)) < order.amount) {
      const hash = await swapAtOnce(kit, order, on)
      if (hash !== undefined) return hash
      const terms = await readPermit(kit, order)
      onStep(terms ? 'permit' : 'approve')
      const approval = await buildApproval(kit, order)
      spender = approval.spender
      if (terms) {
        assertUnchanged(kit, order)
        permit = await signPermit(kit, order, spender, terms)
        if (!permit) onStep('approve')
      }
      if (!permit) await approve(kit, order, approval, on)
    }
  }
  onStep('swap')
  const built = await buildSwap(kit, order, { spender, permit })
  return submit(kit, order, built, { ...on, step: 'swapping' })
}

/** Approves the order's amount; before it, sets the allowance to zero if the token requires that. */
async function approve(
  kit: Kit,
  order: SwapOrder,
  approval: Approval,
  on: Parameters<typeof swap>[2],
): Promise<void> {
  let { built } = approval
  if (approval.reset) {
    on.onStep('reset')
    await submit(kit, order, approval.reset, { ...on, step: 'resetting' })
    on.onStep('approve')
    // Simulated again, because the allowance has changed.
    const next = await buildApproval(kit, order)
    if (!isSame(next.spender, approval.spender))
      throw new UnsafeTransactionError('the approved contract')
    built = next.built
  }
  if (!built) throw new UnsafeTransactionError('it is not an approval')
  await submit(kit, order, built, { ...on, step: 'approving' })
}

/**
 * Approves and swaps in one atomic batch of calls.
 *
 * @returns undefined, with nothing sent, if the wallet executes no batch, or the gateway cannot simulate it
 */
async function swapAtOnce(
  kit: Kit,
  order: SwapOrder,
  on: Parameters<typeof swap>[2],
): Promise<string | undefined> {
  const { network } = order.pay
  const { chainNamespace: namespace, caipNetworkId } = network
  if (!(await canBatch(kit, network))) return undefined
  on.onStep('batch')
  let sent: { callsId: string; connectorId: string; to: string }
  try {
    const calls = await buildBatch(kit, order)
    if (!calls) return undefined
    assertUnchanged(kit, order)
    const connectorId = currentConnection(kit.getState().chains[namespace])?.connectorId ?? ''
    const { id } = await sendCalls(kit, { calls, isAtomic: true, namespace, caipNetworkId })
    sent = { callsId: id, connectorId, to: calls.at(-1)!.to }
  } catch (error) {
    if (error instanceof UnsupportedOperationError) return undefined
    if (error instanceof GatewayError && error.reason === 'no_batches') return undefined
    throw error
  }
  return follow(kit, order, sent, { ...on, step: 'swapping' })
}

/**
 * Builds the calls that approve and swap.
 *
 * @returns undefined if the gateway can build the approval only after a reset
 */
async function buildBatch(kit: Kit, order: SwapOrder): Promise<Built[] | undefined> {
  const approval = await buildApproval(kit, order)
  if (!approval.built) return undefined
  const built = await buildSwap(kit, order, { ...approval, isBatch: true })
  return [...(approval.reset ? [approval.reset] : []), approval.built, built]
}

/**
 * The highest fee that a smart account pays for a swap, with the approval that it needs, in the smallest unit of the
 * native currency; 0 if a sponsor pays.
 *
 * @returns undefined if only the approval in the wallet shows it
 * @throws what `swap` throws before the wallet is asked
 */
export async function getSwapFee(kit: Kit, order: SwapOrder): Promise<bigint | undefined> {
  const { network } = order.pay
  const isShort = order.pay.address && (await getAllowance(kit, order)) < order.amount
  const calls = isShort ? await buildBatch(kit, order) : [await buildSwap(kit, order)]
  if (!calls) return undefined
  assertUnchanged(kit, order)
  const { adapter } = current(kit, network.chainNamespace)
  const batch = await capability(adapter, 'batch', 'readFee')
  return batch.readFee({ calls, network })
}

/** Sends a transaction and waits for it. @returns the hash of the one that was mined, which the wallet may have replaced */
async function submit(
  kit: Kit,
  order: SwapOrder,
  built: Built,
  on: Parameters<typeof swap>[2] & { step: SubmittedStep },
): Promise<string> {
  assertUnchanged(kit, order)
  const { chainNamespace: namespace, caipNetworkId } = order.pay.network
  // The wallet sets the gas and its price, because a malicious gateway could
  // set them to waste the account's money.
  const hash = await sendTransaction(kit, { ...built, namespace, caipNetworkId })
  return follow(kit, order, { hash, to: built.to }, on)
}

/** Waits until a submitted transaction or batch has ended. @returns the hash; empty if the wallet does not name it */
async function follow(
  kit: Kit,
  order: SwapOrder,
  sent: { to: string } & ({ hash: string } | { callsId: string; connectorId: string }),
  on: Parameters<typeof submit>[3],
): Promise<string> {
  const { pay, account } = order
  const follower = followPending(instanceOf(kit))
  const submitted = { ...sent, network: pay.network, account, ...describe(order, on.step) }
  const entry = follower.add(submitted, on.isShown)
  on.onStep(on.step, entry.hash)
  const { status, hash = '', reason } = await follower.ended(entry.id)
  if (status === 'failed') throw new SwapRevertedError(reason ?? 'unknown reason')
  if (status !== 'confirmed') throw new SwapNotIncludedError(status)
  return hash
}

/** The type of activity as which a transaction of a swap is listed. */
function describe(
  { pay, get, amount }: SwapOrder,
  step: SubmittedStep,
): Pick<Submitted, 'type' | 'transfers'> {
  const paid = { name: pay.symbol, amount: fromUnits(amount, pay.decimals), image: pay.image }
  const approved = { ...paid, direction: 'self', isNft: false } as const
  if (step === 'resetting') return { type: 'approve', transfers: [{ ...approved, amount: '0' }] }
  if (step === 'approving') return { type: 'approve', transfers: [approved] }
  return {
    type: 'trade',
    transfers: [
      { ...paid, direction: 'out', isNft: false },
      // The amount is known only once the transaction is executed.
      { name: get.symbol, amount: '0', image: get.image, direction: 'in', isNft: false },
    ],
  }
}

/** The calls that approve an order's amount, compared with the order. */
type Approval = {
  /** Sets the allowance to zero first; undefined if the token does not require it. */
  reset: Built | undefined
  /** The approval; undefined if the gateway can build it only after the reset. */
  built: Built | undefined
  /** The contract that is approved. */
  spender: string
}

/**
 * Builds the approval of exactly the order's amount, and the reset of the allowance that the token may require before it.
 *
 * @throws {UnsafeTransactionError} the transaction approves another amount or
 *   token, or is not an approval
 */
export async function buildApproval(
  kit: Kit,
  order: ApprovalOrder,
  signal?: AbortSignal,
): Promise<Approval> {
  const gateway = await requireGateway(kit)
  const query = {
    userAddress: CaipAddress.format(order.pay.network.caipNetworkId, order.account),
    from: caipAddressOf(order.pay),
    to: caipAddressOf(order.get),
    amount: String(order.amount),
  }
  const response = await gateway.request('/v1/convert/build-approve', { query, signal })
  const first = await readApproval(kit, order, response)
  if (first.amount !== 0n) return { ...first, reset: undefined }
  const { built: reset, spender } = first
  if (response.next === undefined) return { reset, built: undefined, spender }
  const next = await readApproval(kit, order, { tx: response.next })
  if (next.amount === 0n) throw new UnsafeTransactionError('the approved amount')
  if (!isSame(next.spender, spender)) throw new UnsafeTransactionError('the approved contract')
  return { reset, built: next.built, spender }
}

type ApprovalOrder = Pick<SwapOrder, 'pay' | 'get' | 'amount' | 'account'>

/**
 * Reads an approval of the token in a response of the gateway. @throws {UnsafeTransactionError} the transaction is not
 * one
 */
async function readApproval(
  kit: Kit,
  order: ApprovalOrder,
  response: Record<string, unknown>,
): Promise<{ built: Built; spender: string; amount: bigint }> {
  const { pay, account } = order
  const built = parseBuilt(response, order)
  if (!isSame(built.to, pay.address)) throw new UnsafeTransactionError('the approved token')
  if (built.value !== 0n) throw new UnsafeTransactionError('the amount of the native currency')
  const { adapter } = current(kit, pay.network.chainNamespace)
  const swaps = await capability(adapter, 'swaps', 'readApproval')
  const approval = await swaps.readApproval({ data: built.data, network: pay.network })
  if (!approval) throw new UnsafeTransactionError('it is not an approval')
  const { spender, amount } = approval
  if (amount !== 0n && amount !== order.amount)
    throw new UnsafeTransactionError('the approved amount')
  if (isSame(spender, account) || isSame(spender, pay.address))
    throw new UnsafeTransactionError('the approved contract')
  if (!approval.isKnown) throw unknownContract('the approved contract', spender)
  return { built, spender, amount }
}

/**
 * Builds the swap. If the price has moved since the order, uses a smaller slippage, so that the order's minimum holds.
 *
 * @param by.spender - the contract that was approved, if any; it must be the
 *   swapping contract
 * @param by.permit - the permit that it uses in place of an approval
 * @param by.isBatch - whether the approval is in the same batch of calls
 * @param by.reset - the reset in that batch, if the token requires one
 * @throws {PriceMovedError} the minimum cannot be received any more
 * @throws {UnsafeTransactionError} it is another swap
 */
export async function buildSwap(
  kit: Kit,
  order: SwapOrder,
  by: {
    spender?: string | undefined
    permit?: SignedPermit | undefined
    isBatch?: boolean | undefined
    reset?: Built | undefined
  } = {},
): Promise<Built> {
  const { spender, permit } = by
  const gateway = await requireGateway(kit)
  // The amount of a transaction can be below its quote. The next attempt then
  // uses a smaller slippage.
  let lowered = 0n
  for (let attempt = 0; attempt < maxBuilds; attempt++) {
    const quote = await getQuote(kit, order)
    if (isRefusal(quote)) throw new GatewayError('There is no quote.', { reason: quote.refused })
    const slippage = slippageFor(quote.units - lowered, order.minimum, order.slippage)
    if (slippage === undefined) throw new PriceMovedError()
    const body = {
      amount: String(order.amount),
      from: caipAddressOf(order.pay),
      to: caipAddressOf(order.get),
      userAddress: CaipAddress.format(order.pay.network.caipNetworkId, order.account),
      // Options specific to the chain family, under its name.
      [order.pay.network.chainNamespace]: {
        slippage: slippage / 100,
        deadline: order.deadline,
        ...(permit && { permit }),
        ...(by.isBatch && { withApproval: true }),
        ...(by.isBatch && by.reset && { withReset: true }),
      },
    }
    const response = await gateway.request('/v1/convert/build-transaction', { body })
    const built = parseBuilt(response, order)
    const minimum = await readMinimum(kit, order, built, spender, permit)
    if (minimum >= order.minimum) return built
    lowered += order.minimum - minimum
  }
  throw new PriceMovedError()
}

/**
 * Compares a swap with the order. @returns the minimum amount that the swap
 * returns
 */
async function readMinimum(
  kit: Kit,
  order: SwapOrder,
  built: Built,
  spender: string | undefined,
  permit: SignedPermit | undefined,
): Promise<bigint> {
  const { pay, get, amount, account } = order
  const { adapter } = current(kit, pay.network.chainNamespace)
  const swaps = await capability(adapter, 'swaps', 'readSwap')
  const call = await swaps.readSwap({ ...built, network: pay.network })
  if (!call) throw new UnsafeTransactionError('the call cannot be read')
  if (built.value !== (pay.address ? 0n : amount))
    throw new UnsafeTransactionError('the amount of the native currency')
  if (call.amount !== amount) throw new UnsafeTransactionError('the amount to pay')
  if (pay.address && !isSame(call.pay, pay.address))
    throw new UnsafeTransactionError('the token to pay with')
  if (get.address ? call.isNative || !isSame(call.get, get.address) : !call.isNative)
    throw new UnsafeTransactionError('the token to get')
  if (!isSame(call.recipient, account)) throw new UnsafeTransactionError('the recipient')
  if (!isSamePermit(call.permit, order, permit)) throw new UnsafeTransactionError('the permit')
  if (call.deadline !== undefined && call.deadline > latestDeadline(order))
    throw new UnsafeTransactionError('the deadline')
  if (spender && !isSame(built.to, spender))
    throw new UnsafeTransactionError('the swapping contract is not the approved one')
  if ([pay.address, get.address, account].some((address) => isSame(built.to, address)))
    throw new UnsafeTransactionError('the contract that swaps')
  if (!call.isKnown) throw unknownContract('the contract that swaps', built.to)
  return call.minimum
}

function unknownContract(role: string, address: string): UnsafeTransactionError {
  return new UnsafeTransactionError(
    `${role} ${address} is not known`,
    'If it is a contract of the site’s own network, name it in `swapContracts` of the adapter.',
  )
}

/** Whether the only permit that a swap uses is the signed one. */
function isSamePermit(
  used: SwapCall['permit'],
  { pay, amount }: SwapOrder,
  signed: SignedPermit | undefined,
): boolean {
  if (!used || !signed) return !used && !signed
  return (
    isSame(used.token, pay.address) &&
    used.amount === amount &&
    used.deadline === BigInt(signed.deadline)
  )
}

/** The latest deadline of an order, in seconds since 1970. The clocks of visitor and gateway differ. */
function latestDeadline({ deadline }: SwapOrder): bigint {
  return BigInt(Math.floor(Date.now() / 1000) + deadline * 60 + limits.swapClockSkewSeconds)
}

/** Parses a response of the gateway that contains a transaction. */
function parseBuilt(response: Record<string, unknown>, { pay }: Pick<SwapOrder, 'pay'>): Built {
  const tx = (response.tx ?? {}) as { [key in keyof TransactionResponse['tx']]?: unknown }
  const to = CaipAddress.safeParse(tx.to)
  if (!to || typeof tx.data !== 'string' || !/^0x([0-9a-f]{2})+$/i.test(tx.data))
    throw new GatewayError('The gateway sent a malformed transaction.')
  if (to.caipNetworkId !== pay.network.caipNetworkId)
    throw new UnsafeTransactionError('the network')
  return {
    to: to.address as `0x${string}`,
    data: tx.data as `0x${string}`,
    value: parseUnits(tx.value, 'transaction'),
  }
}

function assertUnchanged(kit: Kit, { pay, account }: SwapOrder): void {
  const now = current(kit, pay.network.chainNamespace)
  const { unsupportedNetworkId } = kit.getState().chains[pay.network.chainNamespace] ?? {}
  if (
    unsupportedNetworkId ||
    !isSame(now.account.address, account) ||
    now.network.caipNetworkId !== pay.network.caipNetworkId
  )
    throw new SwapChangedError()
}

/** Addresses are compared without their case, which is a checksum. */
function isSame(a: string | undefined, b: string | undefined): boolean {
  return a !== undefined && a.toLowerCase() === b?.toLowerCase()
}
