import { readFileSync } from 'node:fs'
import autocannon from 'autocannon'

/**
 * Number of connections. Each sends a request as soon as it has the previous
 * response.
 */
const connections = 50
const warmUpSeconds = 2

export type Load = {
  /** Requests per second. */
  rate: number
  /** Median and 99th percentile of the time to a response, in ms. */
  p50: number
  p99: number
  /** CPU time of the server for a request, in µs; undefined without its process, or where there is no `/proc`. */
  cpuMicros?: number | undefined
}

/**
 * Sends requests to a server as fast as it responds.
 *
 * @param options.body - JSON that is posted; without it, the request is a GET.
 * @param options.pid - the server's process, whose CPU time is measured.
 * @throws Error if a request fails.
 */
export async function runLoad(options: {
  url: string
  body?: string
  seconds: number
  pid?: number | undefined
}): Promise<Load> {
  const { body, pid, seconds, url } = options
  const before = readCpuMicros(pid)
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
  const after = readCpuMicros(pid)
  const cpuMicros =
    before === undefined || after === undefined ? undefined : (after - before) / result['2xx']
  return { rate: result['2xx'] / duration, p50: latency.p50, p99: latency.p99, cpuMicros }
}

/** One tick of `/proc/<pid>/stat`; 100 a second on every Linux that Node.js supports. */
const tickMicros = 10_000

/** The CPU time that a process has used. Other load on the machine does not change it, unlike a rate. */
function readCpuMicros(pid: number | undefined): number | undefined {
  if (!pid || process.platform !== 'linux') return undefined
  // The name of the program, in parentheses, may contain spaces.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
  return (Number(fields[11]) + Number(fields[12])) * tickMicros
}

/** The results of several servers under the same load. */
export type Comparison<Name extends string> = {
  /** The run of each server that has the median rate. */
  loads: Record<Name, Load>
  /**
   * One server's rate divided by another's in the same round; the median of the
   * rounds.
   */
  ratio: (of: Name, to: Name) => number
  /** The same for the CPU time of a request; undefined if it is not measured. */
  cpuRatio: (of: Name, to: Name) => number | undefined
}

/**
 * Runs the same load on several servers in turn, after a short warm-up of each.
 */
export async function alternate<Name extends string>(options: {
  urls: Record<Name, string>
  body?: string
  /** Duration of one run. */
  seconds: number
  /** Number of runs of each server. */
  rounds: number
  /** Processes whose CPU time is measured. */
  pids?: Partial<Record<Name, number>>
}): Promise<Comparison<Name>> {
  const { body, pids = {}, rounds, seconds, urls } = options
  const names = Object.keys(urls) as Name[]
  const run = async (name: Name, duration: number) =>
    runLoad({
      url: urls[name],
      seconds: duration,
      pid: (pids as Partial<Record<Name, number>>)[name],
      ...(body !== undefined && { body }),
    })
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
    cpuRatio: (of, to) =>
      runs
        .flatMap((round) => {
          const { [of]: one, [to]: other } = round
          return one.cpuMicros && other.cpuMicros ? one.cpuMicros / other.cpuMicros : []
        })
        .toSorted((a, b) => a - b)[middle],
  }
}
