import { limits } from '@gatefold/protocol'
import { LRUCache } from 'lru-cache'
import * as v from 'valibot'
import { createPriceVendor } from './createPriceVendor.ts'
import { periods } from './PriceSource.ts'
import { Rate, type RateSettings } from './settings.ts'

export type Rates = {
  /** ISO 4217 codes; USD first. */
  currencies: readonly string[]
  /**
   * Units of a currency for one US dollar; `undefined` if there is no recent
   * rate. Never rejects.
   *
   * @param currency - one of `currencies`.
   */
  find(currency: string): Promise<number | undefined>
  /**
   * The daily rates of a currency, for the longest period of a price history.
   * Never rejects.
   *
   * @param currency - one of `currencies`.
   * @returns a function that returns the rate at a Unix time in ms: that of the last day up to then that has a rate.
   * `undefined` if the source has no earlier rates or cannot be read.
   */
  history(currency: string): Promise<((at: number) => number | undefined) | undefined>
  /**
   * Units of a currency for one US dollar at a time, with the resolution of `history`. A fixed rate applies at any
   * time. Never rejects.
   *
   * @param currency - one of `currencies`.
   * @param at - Unix time in ms.
   */
  findAt(currency: string, at: number): Promise<number | undefined>
}

/** The response of Frankfurter. @see https://frankfurter.dev/v1 */
const Latest = v.object({
  base: v.literal('USD'),
  date: v.pipe(v.string(), v.isoDate()),
  rates: v.record(v.string(), v.unknown()),
})

/** The response of Frankfurter for a range of days. @see https://frankfurter.dev/v1 */
const Range = v.object({
  base: v.literal('USD'),
  rates: v.record(v.pipe(v.string(), v.isoDate()), v.record(v.string(), v.unknown())),
})

/** Rates by the start of their day, in ms; newest first. */
type Days = readonly { from: number; rates: Record<string, unknown> }[]

/**
 * How far back daily rates are read: a month, plus the time for which a rate is
 * valid.
 */
const rangeMs = periods.month.lengthMs + limits.exchangeRateAgeMaxMs

/** Rates that were published for a day; times are Unix times in ms. */
type Published = { rates: ReadonlyMap<string, number>; publishedAt: number; readAt: number }

/**
 * Creates the exchange rates: fixed ones, and those of a service with
 * Frankfurter's API. The service learns the list of currencies, but nothing
 * about the visitor.
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
  // Separate from the current rates, so that a service without earlier rates
  // does not pause requests for current ones.
  const requestDays = createPriceVendor('Frankfurter', now)
  const ranges = new LRUCache<'days', Days>({
    max: 1,
    ttl: limits.exchangeRateCacheMs,
    ttlResolution: 0,
    perf: { now },
    fetchMethod: async () => readDays(),
  })
  let known: Published | undefined
  let loading: Promise<void> | undefined

  /**
   * Loads the rates once for all callers. After a failure, the known rates are
   * kept.
   */
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

  async function readDays(): Promise<Days> {
    const symbols = others.join(',')
    const since = new Date(now() - rangeMs).toISOString().slice(0, 10)
    const query = new URLSearchParams({ base: 'USD', symbols })
    const { rates } = await requestDays(`${frankfurter!.url}/${since}..?${query}`, Range)
    return Object.entries(rates)
      .map(([day, ofDay]) => ({ from: Date.parse(day), rates: ofDay }))
      .toSorted((a, b) => b.from - a.from)
  }

  /** The daily rates of a currency. */
  async function listDays(currency: string) {
    // Fixed rates have no history.
    if (fixedRates.has(currency) || !frankfurter || !others.includes(currency)) return undefined
    const days = await ranges.fetch('days').catch(() => undefined)
    return (
      days &&
      ((at: number) => {
        const day = days.find(({ from, rates }) => from <= at && rates[currency] !== undefined)
        if (!day || at - day.from > limits.exchangeRateAgeMaxMs) return undefined
        const rate = v.safeParse(Rate, day.rates[currency])
        return rate.success ? rate.output : undefined
      })
    )
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
    history: listDays,
    findAt: async (currency, at) => fixedRates.get(currency) ?? (await listDays(currency))?.(at),
  }
}
