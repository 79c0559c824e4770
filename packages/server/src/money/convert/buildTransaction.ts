import { maxMoneyBodyBytes, SwapBody, type TransactionResponse } from '@gatefold/protocol/gateway'
import { erc20Abi } from 'viem'
import { estimateGas, getGasPrice, readContract } from 'viem/actions'
import type { MoneyContext } from '../context.ts'
import type { EvmChain } from '../evm/createEvmChain.ts'
import { revertReason } from '../evm/errors.ts'
import { handleBody, isNative, json, RefusedError, toCaip } from '../requests.ts'
import { assertOutcome } from '../swaps/assertOutcome.ts'
import { cannotPay } from '../swaps/reasons.ts'
import { callsOf, simulateCalls, withMargin } from '../swaps/simulateCalls.ts'
import type { BuiltSwap, SwapOrder, SwapSource } from '../swaps/SwapSource.ts'
import { readAllowance } from './allowance.ts'
import { requirePair } from './quotes.ts'

/**
 * `POST /v1/convert/build-transaction`: the transaction that swaps an amount. It is simulated for the user first. A
 * transaction that would fail is not offered; the error names the cause.
 *
 * @see docs/contracts/gateway.md#account-and-money; spec §7.8.10, §9.3.1
 */
export function postBuildTransaction(context: MoneyContext) {
  return handleBody(context, SwapBody, maxMoneyBodyBytes, async (body) => {
    const { userAddress, eip155 } = body
    const { chain, source, pair } = requirePair(context, body)
    if (eip155.permit && isNative(pair.from))
      throw new RefusedError('eip155.permit', 'the native currency needs no permit')
    if (eip155.permit && !source.takesPermits)
      throw new RefusedError('eip155.permit', `the swaps on ${chain.id} take no permit`)
    if (eip155.withApproval && (isNative(pair.from) || eip155.permit))
      throw new RefusedError(
        'eip155.withApproval',
        'the native currency, or a token with a permit, needs no approval',
      )
    if (eip155.withReset && !eip155.withApproval)
      throw new RefusedError('eip155.withReset', 'without an approval, nothing is reset')
    const order: SwapOrder = {
      ...pair,
      account: userAddress.address,
      slippage: Math.round(eip155.slippage * 100),
      deadline: BigInt(Math.floor(context.now() / 1000) + eip155.deadline * 60),
      permit: eip155.permit,
      withApproval: eip155.withApproval,
      withReset: eip155.withReset,
    }
    const built = await source.build(chain, order)
    const { to, data, value } = built
    const [gas, gasPrice] = await Promise.all([
      gasOf(chain, order, built, source),
      getGasPrice(chain.client),
      assertOutcome(chain, order, built, source.spender(chain)),
    ])
    const response: TransactionResponse = {
      tx: {
        from: toCaip(chain, order.account),
        to: toCaip(chain, to),
        data,
        value: String(value),
        eip155: {
          gas: String(withMargin(gas)),
          gasPrice: String(gasPrice),
        },
      },
    }
    return json(response)
  })
}

/** Estimates the gas of a swap with a simulation. @throws {RefusedError} if the swap would fail */
async function gasOf(
  chain: EvmChain,
  order: SwapOrder,
  built: BuiltSwap,
  source: SwapSource,
): Promise<bigint> {
  const { account } = order
  if (!order.withApproval) {
    const { to, data, value } = built
    try {
      return await estimateGas(chain.client, { account, to, data, value })
    } catch (error) {
      const reason = revertReason(error)
      throw reason === undefined ? error : await explainRevert(reason, chain, order, source)
    }
  }
  const calls = callsOf(order, built, source.spender(chain))
  const simulated = await simulateCalls(chain, account, calls)
  if (simulated.status === 'unsupported')
    throw new RefusedError(
      'eip155.withApproval',
      `the upstream of ${chain.id} cannot simulate several calls`,
      'no_batches',
    )
  if (simulated.status === 'reverted')
    throw await explainRevert(simulated.reason, chain, order, source)
  return simulated.gas
}

/**
 * Explains why a swap would fail. `STF` is the error of Uniswap's router if it
 * cannot take the tokens. Other contracts have other errors, so the allowance
 * and the balance are read.
 */
async function explainRevert(
  reason: string,
  chain: EvmChain,
  order: SwapOrder,
  source: SwapSource,
): Promise<RefusedError> {
  if (/insufficient funds|exceeds (?:balance|allowance of account)|OutOfFund/i.test(reason))
    return new RefusedError(
      'amount',
      'the account has too little of the native currency for the amount and its gas',
      'low_native_balance',
    )
  if (/STF|TRANSFER_FROM_FAILED/.test(reason) || (await isUnpayable(chain, order, source)))
    return new RefusedError(cannotPay.field, cannotPay.description, cannotPay.code)
  if (priceMoved.test(reason))
    return new RefusedError(
      'amount',
      'the price has moved by more than the slippage',
      'price_moved',
    )
  return new RefusedError('amount', `the swap would fail: ${reason.slice(0, 200)}`, 'would_revert')
}

/** Errors of Uniswap's router, of the Settlers of 0x (`TooMuchSlippage`) and of 1inch (`ReturnAmountIsNotEnough`). */
const priceMoved =
  /Too little received|Insufficient|TooMuchSlippage|0x97a6f3b9|ReturnAmountIsNotEnough|0x064a4ec6/

/**
 * Whether the balance or the allowance of a token is too small. The simulation
 * checks permits.
 */
async function isUnpayable(
  chain: EvmChain,
  { account, amount, from, permit, withApproval }: SwapOrder,
  source: SwapSource,
): Promise<boolean> {
  if (isNative(from) || permit) return false
  const [allowance, balance] = await Promise.all([
    readAllowance(chain, from, account, source.spender(chain)),
    readContract(chain.client, {
      address: from,
      abi: erc20Abi,
      functionName: 'balanceOf',
      args: [account],
    }),
  ])
  return (!withApproval && allowance < amount) || balance < amount
}
