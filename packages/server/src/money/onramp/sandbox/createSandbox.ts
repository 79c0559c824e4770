import { limits } from '@gatefold/protocol'
import { nativeTokenAddress } from '@gatefold/protocol/gateway'
import type * as v from 'valibot'
import { formatUnits } from 'viem'
import type { Context } from '../../../context.ts'
import type { MoneyContext } from '../../context.ts'
import type { EvmChain } from '../../evm/createEvmChain.ts'
import { RefusedError } from '../../requests.ts'
import { fromCents, toCents } from '../amounts.ts'
import { ProviderError, type OnrampProvider, type ProviderOptions } from '../OnrampProvider.ts'
import type { SandboxSettings } from '../settings.ts'
import { createPayouts } from './createPayouts.ts'
import { localChains, sandboxId, tokensOf, type SandboxToken } from './tokens.ts'

/** Maximum number of decimals in an amount of tokens. */
const maxDecimals = 8

export type Sandbox = {
  provider: OnrampProvider
  /** Pays out the pending orders that are due, soon. */
  payOut: () => void
  start: () => void
  stop: () => Promise<void>
}

/**
 * A provider for development: visitors pay with test cards on a page of this server, and an account on the local
 * chain sends them the tokens.
 *
 * @see docs/onramp/sandbox.md
 */
export function createSandbox(
  context: MoneyContext & Pick<Context, 'log'>,
  settings: v.InferOutput<typeof SandboxSettings>,
): Sandbox {
  const chains = [...context.evmChains.values()].filter(({ id }) => localChains.has(id))
  const payouts = createPayouts(context, { ...settings, chains })
  const options = toOptions(chains)

  const provider: OnrampProvider = {
    id: sandboxId,
    name: 'Sandbox',
    quoteCost: 0,
    options: async () => options,

    async quote({ symbol, network, paymentCurrency, amount }) {
      const chain = chains.find(({ id }) => id === network.chainId)
      const token = chain && tokensOf(chain).find((it) => it.symbol === symbol)
      if (!token) throw new RefusedError('purchaseCurrency', `The sandbox does not sell ${symbol}`)
      const price = await readPrice(context, chain, token)
      const total = toCents(amount)
      const fee = percentOf(total, limits.onrampSandboxFeePercent)
      const rate = paymentCurrency === 'EUR' ? limits.onrampSandboxEuroDollars : 1
      return {
        fee: fromCents(fee),
        networkFee: '0.00',
        purchaseAmount: toTokens(total - fee, rate, price, token.decimals),
      }
    },

    createUrl: async ({ order, origin }) => `${origin}/onramp/sandbox/${order.id}`,
  }
  return { provider, ...payouts }
}

function toOptions(chains: EvmChain[]): ProviderOptions {
  const tokens = new Map<string, ProviderOptions['tokens'][number]>()
  for (const chain of chains)
    for (const { symbol, name, contract } of tokensOf(chain)) {
      const known = tokens.get(symbol) ?? { symbol, name, networks: [] }
      tokens.set(symbol, known)
      known.networks.push({
        chainId: chain.id,
        name: chain.data.name.toLowerCase().replaceAll(/\W+/g, '-'),
        displayName: chain.data.name,
        contract,
      })
    }
  const card = {
    id: 'card',
    min: fromCents(BigInt(limits.onrampCardMin) * 100n),
    max: fromCents(BigInt(limits.onrampCardMax) * 100n),
  } as const
  return {
    paymentCurrencies:
      chains.length > 0 ? ['USD', 'EUR'].map((id) => ({ id, methods: [card] })) : [],
    tokens: [...tokens.values()],
  }
}

/** The price of one whole token in dollars. */
async function readPrice(
  { prices }: MoneyContext,
  chain: EvmChain,
  { contract, symbol }: SandboxToken,
): Promise<number> {
  const address = (contract || nativeTokenAddress) as `0x${string}`
  const price = await prices.find(chain, address).catch((error: unknown) => {
    throw new ProviderError('The sandbox cannot read the chain', { cause: error })
  })
  if (!price) throw new RefusedError('purchaseCurrency', `The price of ${symbol} is not known`)
  return price
}

/** Rounded up to cents. */
function percentOf(cents: bigint, percent: number): bigint {
  return (cents * BigInt(Math.round(percent * 100)) + 9_999n) / 10_000n
}

/** The tokens for a payment, rounded down. @param rate - dollars for one unit of the payment currency. */
function toTokens(cents: bigint, rate: number, price: number, decimals: number): string {
  const dollars = cents * BigInt(Math.round(rate * 1e8))
  const atomic = (dollars * 10n ** BigInt(decimals)) / (BigInt(Math.round(price * 1e8)) * 100n)
  const kept = 10n ** BigInt(Math.max(0, decimals - maxDecimals))
  return formatUnits(atomic - (atomic % kept), decimals)
}
