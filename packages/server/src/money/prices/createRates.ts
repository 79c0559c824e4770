import { limits } from '@gatefold/protocol'
import * as v from 'valibot'
import { createPriceVendor } from './createPriceVendor.ts'
import { Rate, type RateSettings } from './settings.ts'

export type Rates = {
  /** ISO 4217 codes; USD first. */
  currencies: readonly string[]
  /**
   * Units of a currency for one US dollar; `undefined` if no rate is known that is young enough. Never rejects.
   *
   * @param currency - one of `currencies`.
   */
  find(currency: string): Promise<number | undefined>
}

/** The response of Frankfurter. @see https://frankfurter.dev/v1 */
const Latest = v.object({
  base: v.literal('USD'),
  date: v.pipe(v.string(), v.isoDate()),
  rates: v.record(v.string(), v.unknown()),
})

/** Rates that were published for a day; times are Unix times in ms. */
type Published = { rates: ReadonlyMap<string, number>; publishedAt: number; readAt: number }

/**
 * Creates the exchange rates: fixed ones, and those of a service with the API of Frankfurter. It learns the list of
 * currencies, and nothing of the visitor.
 *
 * @see docs/prices/exchange-rates.md
 */
export function createRates({ fixed, frankfurter }: RateSettings, now: () => number): Rates {
  const fixedRates = new Map([['USD', 1], ...Object.entries(fixed)])
  const others = (frankfurter?.currencies ?? []).filter((code) => !fixedRates.has(code))
  const currencies = [
    'USD',
    ...[...fixedRates.keys(), ...others].filter((it) => it !== 'USD').toSorted(),
  ]
  const request = createPriceVendor('Frankfurter', now)
  let known: Published | undefined
  let loading: Promise<void> | undefined

  /** Loads the rates once for all callers. Keeps the known ones if it fails. */
  async function refresh(url: string): Promise<void> {
    const query = new URLSearchParams({ base: 'USD', symbols: others.join(',') })
    loading ??= request(`${url}/latest?${query}`, Latest)
      .then(
        ({ date, rates }) => {
          // A date in the future would keep a rate valid for longer.
          const publishedAt = Math.min(Date.parse(date), now())
          const valid = Object.entries(rates).filter(
            (entry): entry is [string, number] => v.safeParse(Rate, entry[1]).success,
          )
          known = { rates: new Map(valid), publishedAt, readAt: now() }
        },
        () => {}, // the currency counts as missing, and the next request tries again
      )
      .finally(() => {
        loading = undefined
      })
    return loading
  }

  function isYoung(published: Published | undefined): published is Published {
    return published !== undefined && now() - published.publishedAt <= limits.exchangeRateAgeMaxMs
  }

  return {
    currencies,
    async find(currency) {
      const rate = fixedRates.get(currency)
      if (rate !== undefined || !frankfurter || !others.includes(currency)) return rate
      if (!known || now() - known.readAt >= limits.exchangeRateCacheMs) {
        const refreshed = refresh(frankfurter.url)
        if (!isYoung(known)) await refreshed
      }
      return isYoung(known) ? known.rates.get(currency) : undefined
    },
  }
}
