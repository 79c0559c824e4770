import { ChainQuery, type GasPriceResponse } from '@gatefold/protocol/gateway'
import { getFeeHistory, getGasPrice as readGasPrice } from 'viem/actions'
import type { MoneyContext } from '../context.ts'
import type { EvmChain } from '../evm/createEvmChain.ts'
import { handleQuery, json, requireChain } from '../requests.ts'

/** How many past blocks the priority fees are taken from. */
const feeBlocks = 10
/** Percentiles of the priority fees of a block that correspond to the three speeds. */
const percentiles = [25, 50, 90]

/**
 * `GET /v1/convert/gas-price`: gas prices for three speeds, in the smallest unit of the native currency.
 *
 * @see docs/contracts/gateway.md#account-and-money; spec §7.8.9
 */
export function getGasPrice(context: MoneyContext) {
  return handleQuery(context, ChainQuery, async ({ chainId }) => {
    const [standard, fast, instant] = await readPrices(requireChain(context, chainId))
    const body: GasPriceResponse = {
      standard: String(standard),
      fast: String(fast),
      instant: String(instant),
    }
    return json(body)
  })
}

/** The node's price for the standard speed. Each faster speed adds the higher priority fee of past blocks. */
async function readPrices({ client }: EvmChain): Promise<[bigint, bigint, bigint]> {
  const [price, fees] = await Promise.all([
    readGasPrice(client),
    // Chains without EIP-1559 do not have this method.
    getFeeHistory(client, { blockCount: feeBlocks, rewardPercentiles: percentiles }).catch(
      () => undefined,
    ),
  ])
  const [low = 0n, middle = 0n, high = 0n] = percentiles.map((_, index) =>
    median(fees?.reward?.map((rewards) => rewards[index] ?? 0n) ?? []),
  )
  const fast = price + (middle > low ? middle - low : 0n)
  return [price, fast, fast + (high > middle ? high - middle : 0n)]
}

function median(values: bigint[]): bigint {
  const sorted = values.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0))
  return sorted[Math.floor(sorted.length / 2)] ?? 0n
}
