import { nativeTokenAddress } from '@gatefold/protocol/gateway'
import type { Config } from '../config.ts'
import { keyOf, type ChainData } from '../money/chainData/ChainData.ts'
import { networks } from '../money/chainData/networks.ts'
import { createOneInchSwaps } from '../money/swaps/createOneInchSwaps.ts'
import { createZeroExSwaps } from '../money/swaps/createZeroExSwaps.ts'
import { SwapSourceError } from '../money/swaps/SwapSource.ts'
import type { ClockSample, Finding } from './Finding.ts'

const creators = { '0x': createZeroExSwaps, '1inch': createOneInchSwaps }

/** Requests a quote from every swap vendor, on each of its chains. */
export async function checkSwaps(
  { chains, swaps }: Config,
  now: () => number,
): Promise<{ findings: Finding[]; clocks: ClockSample[] }> {
  const data = { ...networks, ...chains }
  const findings = await Promise.all(
    Object.entries(swaps.chains).flatMap(([id, name]) => {
      const settings = name === 'pools' ? undefined : swaps[name]
      const chain = data[id]
      if (name === 'pools' || !settings || !chain) return []
      const source = creators[name](settings, now)
      return [checkQuote(source, `${new URL(settings.url).host} for ${id}`, { id, data: chain })]
    }),
  )
  if (findings.length > 0) return { findings, clocks: [] }
  const message = 'No swap vendor is configured.'
  return { findings: [{ check: 'swaps', status: 'skipped', message }], clocks: [] }
}

async function checkQuote(
  source: ReturnType<typeof createZeroExSwaps>,
  place: string,
  { id, data }: { id: string; data: ChainData },
): Promise<Finding> {
  const token = data.tokens.find(({ address }) => keyOf(address) !== keyOf(data.wrapped ?? ''))
  if (!token)
    return {
      check: 'swaps',
      status: 'warning',
      message: `${place} was not checked: the chain has no token in its list.`,
      fix: `Add tokens of ${id} to GATEFOLD_CHAINS.`,
    }
  // 0.1 of the native currency. The quote reads only the chain's data, so it needs no client.
  const amount = 10n ** BigInt(Math.max(data.nativeCurrency.decimals - 1, 0))
  const pair = { from: nativeTokenAddress, to: token.address, amount } as const
  const found = await source
    .quote({ id, data, client: undefined as never, reads: undefined as never }, pair)
    .then(({ quotes, reason }) => (quotes[0] ? undefined : (reason?.description ?? 'no quote')))
    .catch((error: unknown) => {
      // The errors of sources contain no secrets.
      if (!(error instanceof SwapSourceError)) throw error
      return error.message
    })
  const pairName = `${data.nativeCurrency.symbol} to ${token.symbol}`
  return found === undefined
    ? { check: 'swaps', status: 'ok', message: `${place} quotes ${pairName}.` }
    : {
        check: 'swaps',
        status: 'error',
        message: `${place} does not quote ${pairName}: ${found}.`,
        fix: 'Check the url and the key of the source in GATEFOLD_SWAPS.',
      }
}
