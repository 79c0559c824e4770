/** The part of autocannon 8 that the bench uses; the package brings no types. */
declare module 'autocannon' {
  type Options = { url: string; connections: number; duration: number }
  type Result = { requests: { average: number }; non2xx: number; errors: number }
  export default function autocannon(options: Options): Promise<Result>
}
