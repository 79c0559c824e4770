import { randomBytes } from 'node:crypto'

/** A random id of 128 bits. */
export function newId(): string {
  return randomBytes(16).toString('base64url')
}
