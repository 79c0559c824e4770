/** Types of the autocannon 8 functions that the benchmarks use. The package has no types. */
declare module 'autocannon' {
  type Options = {
    url: string
    connections: number
    duration: number
    /** Interval of the samples in ms. A run ends with a sample. */
    sampleInt?: number
    method?: 'POST'
    headers?: Record<string, string>
    body?: string
  }
  type Result = {
    requests: { average: number }
    /** In ms. */
    latency: { p50: number; p99: number }
    /** In seconds. */
    duration: number
    '2xx': number
    non2xx: number
    errors: number
  }
  export default function autocannon(options: Options): Promise<Result>
}
