import {
  encodeFunctionData,
  erc20Abi,
  keccak256,
  parseUnits,
  TransactionReceiptNotFoundError,
  type Address,
  type Hex,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import {
  estimateFeesPerGas,
  estimateGas,
  getTransactionCount,
  getTransactionReceipt,
  sendRawTransaction,
} from 'viem/actions'
import type { Context } from '../../../context.ts'
import { runEvery } from '../../../runEvery.ts'
import { changeOrder, findOrder, listDueOrders, type StoredOrder } from '../../../storage/onramp.ts'
import type { EvmChain } from '../../evm/createEvmChain.ts'
import { revertReason } from '../../evm/errors.ts'
import { sandboxId, tokensOf } from './tokens.ts'

/** How often pending orders are paid out, and how many at a time. */
const everyMs = 1_000
const ordersAtATime = 20
/** How long an order waits after a failed attempt. */
const retryMs = 5_000

/** A signed transaction that is sent for an order, as it is stored in the order's `reference`. */
type Payout = { transaction: Hex; nonce: number }

/**
 * Pays out pending orders, each exactly once. A transaction is signed and
 * stored before it is sent. Later attempts, even after a restart or in another
 * process, send the same transaction, which a chain executes at most once. It
 * is replaced only after another transaction has used its nonce, so that it can
 * never be executed.
 *
 * @param options.faucetKey - private key of the account that pays.
 */
export function createPayouts(
  context: Pick<Context, 'log' | 'now' | 'storage'>,
  options: { faucetKey: Hex; chains: EvmChain[] },
) {
  const { log, now, storage } = context
  const { db } = storage
  const faucet = privateKeyToAccount(options.faucetKey)
  const chains = new Map(options.chains.map((chain) => [chain.id, chain]))
  let running: Promise<void> | undefined
  let isRequested = false
  let stopTimer: (() => void) | undefined

  /**
   * One order at a time, because all transactions of the account share its
   * nonces.
   */
  async function run() {
    do {
      isRequested = false
      try {
        for (const order of await listDueOrders(db, sandboxId, now(), ordersAtATime))
          await payOutOrder(order)
      } catch (error) {
        log.warn({ err: error }, 'the orders of the sandbox cannot be read')
      }
    } while (isRequested)
    running = undefined
  }

  async function payOutOrder(order: StoredOrder) {
    const chain = chains.get(order.chainId)
    try {
      if (!chain) throw new Error(`${order.chainId} is not a chain of the sandbox`)
      await (order.reference
        ? settle(chain, order, JSON.parse(order.reference) as Payout)
        : prepare(chain, order))
    } catch (error) {
      const reason = revertReason(error)
      // Fails the order only if nothing was signed yet, because a signed
      // transaction may still be executed.
      if (reason !== undefined && !order.reference)
        await change(order, { status: 'failed', reason: `The payout failed: ${reason}` })
      else {
        log.warn({ err: error }, 'a payout of the sandbox failed; it will be tried again')
        await changeOrder(
          db,
          order.id,
          { status: ['pending'] },
          { dueAt: now() + retryMs },
          order.updatedAt,
        )
      }
    }
  }

  /** Signs a transaction, stores it instead of an earlier one, and sends it. */
  async function prepare(chain: EvmChain, order: StoredOrder) {
    const payout = await sign(chain, order)
    const reference = JSON.stringify(payout)
    const isMine = await change(order, { reference })
    // Another process was faster, so its transaction is used.
    const current = isMine ?? (await findOrder(db, order.id))
    if (current?.status === 'pending' && current.reference)
      await settle(chain, current, JSON.parse(current.reference) as Payout)
  }

  async function settle(chain: EvmChain, order: StoredOrder, { transaction, nonce }: Payout) {
    const { client } = chain
    const hash = keccak256(transaction)
    // Read before the receipt: if the nonce was already used and there is still
    // no receipt, another transaction has used it.
    const used = await getTransactionCount(client, { address: faucet.address, blockTag: 'latest' })
    const receipt = await readReceipt(chain, hash)
    if (receipt) return record(order, hash, receipt.status)
    if (used > nonce) return prepare(chain, order)
    await sendRawTransaction(client, { serializedTransaction: transaction }).catch(
      (error: unknown) => log.debug({ err: error }, 'a payout was not accepted'),
    )
    const mined = await readReceipt(chain, hash)
    if (mined) await record(order, hash, mined.status)
  }

  async function record(order: StoredOrder, transactionHash: Hex, status: 'success' | 'reverted') {
    await change(
      order,
      status === 'success'
        ? { status: 'paid', receivedAmount: order.purchaseAmount, transactionHash }
        : { status: 'failed', reason: 'The transaction was reverted.', transactionHash },
    )
  }

  async function change(order: StoredOrder, changes: Parameters<typeof changeOrder>[3]) {
    const expected = { status: ['pending'], reference: order.reference } as const
    return changeOrder(db, order.id, expected, changes, now())
  }

  async function sign({ client, data }: EvmChain, order: StoredOrder): Promise<Payout> {
    const token = tokensOf({ data }).find(({ symbol }) => symbol === order.symbol)!
    const amount = parseUnits(order.purchaseAmount, token.decimals)
    const receiver = order.account as Address
    const call = token.contract
      ? {
          to: token.contract as Address,
          data: encodeFunctionData({
            abi: erc20Abi,
            functionName: 'transfer',
            args: [receiver, amount],
          }),
        }
      : { to: receiver, value: amount }
    const [gas, nonce, fees] = await Promise.all([
      estimateGas(client, { account: faucet.address, ...call }),
      getTransactionCount(client, { address: faucet.address, blockTag: 'pending' }),
      estimateFeesPerGas(client),
    ])
    const transaction = await faucet.signTransaction({
      type: 'eip1559',
      chainId: client.chain!.id,
      // The state may change until the transaction is executed.
      gas: (gas * 12n) / 10n,
      nonce,
      maxFeePerGas: fees.maxFeePerGas,
      maxPriorityFeePerGas: fees.maxPriorityFeePerGas,
      ...call,
    })
    return { transaction, nonce }
  }

  function payOut() {
    isRequested = true
    running ??= run()
  }

  return {
    payOut,
    start() {
      stopTimer = runEvery(everyMs, payOut)
    },
    async stop() {
      stopTimer?.()
      await running
    },
  }
}

async function readReceipt({ client }: EvmChain, hash: Hex) {
  try {
    return await getTransactionReceipt(client, { hash })
  } catch (error) {
    if (error instanceof TransactionReceiptNotFoundError) return undefined
    throw error
  }
}
