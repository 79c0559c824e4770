import autocannon from 'autocannon'

/** Connections that send a request as soon as they have the response to the last one. */
const connections = 50
const warmUpSeconds = 2

export type Load = {
  /** Requests per second. */
  rate: number
  /** Median and 99th percentile of the time to a response, in ms. */
  p50: number
  p99: number
}

/**
 * Sends requests to a server as fast as it responds.
 *
 * @param options.body - JSON that is posted; without it, the request is a GET.
 * @throws Error if a request fails.
 */
export async function runLoad(options: {
  url: string
  body?: string
  seconds: number
}): Promise<Load> {
  const { body, seconds, url } = options
  const result = await autocannon({
    url,
    connections,
    duration: seconds,
    sampleInt: 100,
    ...(body !== undefined && {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    }),
  })
  const { duration, errors, latency, non2xx } = result
  if (non2xx + errors > 0) throw new Error(`${non2xx + errors} requests to ${url} failed.`)
  return { rate: result['2xx'] / duration, p50: latency.p50, p99: latency.p99 }
}

/** The results of several servers under the same load. */
export type Comparison<Name extends string> = {
  /** The run of each server that has the median rate. */
  loads: Record<Name, Load>
  /** One server's rate divided by that of another one in the same round; the median of the rounds. */
  ratio: (of: Name, to: Name) => number
}

/** Runs the same load on several servers in turn, after a short run of each that does not count. */
export async function alternate<Name extends string>(options: {
  urls: Record<Name, string>
  body?: string
  /** Duration of one run. */
  seconds: number
  /** Runs of each. */
  rounds: number
}): Promise<Comparison<Name>> {
  const { body, rounds, seconds, urls } = options
  const names = Object.keys(urls) as Name[]
  const run = async (name: Name, duration: number) =>
    runLoad({ url: urls[name], seconds: duration, ...(body !== undefined && { body }) })
  for (const name of names) await run(name, Math.min(seconds, warmUpSeconds))
  const runs: Record<Name, Load>[] = []
  for (let round = 0; round < rounds; round += 1) {
    const results: [Name, Load][] = []
    for (const name of names) results.push([name, await run(name, seconds)])
    runs.push(Object.fromEntries(results) as Record<Name, Load>)
  }
  const middle = Math.floor(rounds / 2)
  const median = (name: Name) =>
    runs.map((round) => round[name]).toSorted((a, b) => a.rate - b.rate)[middle]!
  return {
    loads: Object.fromEntries(names.map((name) => [name, median(name)])) as Record<Name, Load>,
    ratio: (of, to) =>
      runs.map((round) => round[of].rate / round[to].rate).toSorted((a, b) => a - b)[middle]!,
  }
}
