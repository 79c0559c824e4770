/** Types of the autocannon 8 functions that the benchmarks use. The package has no types. */
declare module 'autocannon' {
  type Options = { url: string; connections: number; duration: number }
  type Result = { requests: { average: number }; non2xx: number; errors: number }
  export default function autocannon(options: Options): Promise<Result>
}
