import { nativeTokenAddress } from '@gatefold/protocol/gateway'
import type { Config } from '../config.ts'
import { networks } from '../money/chainData/networks.ts'
import { createDefiLlamaSource } from '../money/prices/createDefiLlamaSource.ts'
import { createRates } from '../money/prices/createRates.ts'
import { PriceSourceError } from '../money/prices/PriceSource.ts'
import type { ClockSample, Finding } from './Finding.ts'

/** Checks every source of prices and exchange rates that sends requests to a vendor. */
export async function checkPrices(
  { chains, exchangeRates, prices }: Config,
  now: () => number,
): Promise<{ findings: Finding[]; clocks: ClockSample[] }> {
  const { defillama } = prices
  const data = { ...networks, ...chains }
  const used = Object.entries(prices.chains).filter(([, names]) => names.includes('defillama'))
  const findings = await Promise.all([
    ...(defillama
      ? used.map(async ([id]): Promise<Finding> => {
          const source = createDefiLlamaSource(defillama, now)
          const chain = data[id]
          const host = `${new URL(defillama.url).host} for ${id}`
          if (!chain)
            return {
              check: 'prices',
              status: 'error',
              message: `${id} has a source of prices, but the server does not know the chain.`,
              fix: 'Add the chain to GATEFOLD_CHAINS.',
            }
          // Only the chain's data is read.
          const evmChain = {
            id,
            data: chain,
            client: undefined as never,
            reads: undefined as never,
          }
          const price = await source.find(evmChain, nativeTokenAddress).catch(messageOf)
          if (typeof price === 'number')
            return {
              check: 'prices',
              status: 'ok',
              message: `${host}: 1 ${chain.nativeCurrency.symbol} is ${price} US dollars.`,
            }
          return {
            check: 'prices',
            status: 'error',
            message: `${host}: ${price ?? 'the price of the native currency is not known'}.`,
            fix: 'Check defillama.url and defillama.chains in GATEFOLD_PRICES.',
          }
        })
      : []),
    ...(exchangeRates.frankfurter ? [checkRates(exchangeRates, now)] : []),
  ])
  if (findings.length > 0) return { findings, clocks: [] }
  const message = 'No vendor of prices or exchange rates is configured.'
  return { findings: [{ check: 'prices', status: 'skipped', message }], clocks: [] }
}

async function checkRates(settings: Config['exchangeRates'], now: () => number): Promise<Finding> {
  const { currencies = [], url = '' } = settings.frankfurter ?? {}
  const rates = createRates({ ...settings, fixed: {} }, now)
  const found = await Promise.all(currencies.map(async (currency) => rates.find(currency)))
  const missing = currencies.filter((_currency, index) => found[index] === undefined)
  const { host } = new URL(url)
  if (missing.length === 0)
    return { check: 'prices', status: 'ok', message: `${host} has all exchange rates.` }
  return {
    check: 'prices',
    status: 'error',
    message: `${host} has no exchange rate of the last week for ${missing.join(', ')}.`,
    fix: 'Check frankfurter.url and frankfurter.currencies in GATEFOLD_EXCHANGE_RATES.',
  }
}

/** The errors of sources contain no secrets. */
function messageOf(error: unknown): string {
  if (!(error instanceof PriceSourceError)) throw error
  return error.message
}
