import { createHmac, timingSafeEqual } from 'node:crypto'
import { parseJson } from '../../http/parseJson.ts'

/** HMAC with SHA-256. */
export function hmac(key: Buffer | string, ...parts: (string | Uint8Array)[]): Buffer {
  const mac = createHmac('sha256', key)
  for (const part of parts) mac.update(part)
  return mac.digest()
}

/** Compares signatures in constant time. */
export function isEqual(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)]
  return a.length === b.length && timingSafeEqual(a, b)
}

/** Parses the body of a signed request; `undefined` if it is not JSON. */
export function parseBody(body: Uint8Array): unknown {
  try {
    return parseJson(Buffer.from(body).toString())
  } catch {
    return undefined
  }
}
