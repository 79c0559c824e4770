import { ExpiredError, ValidationError } from '../errors.ts'

// The prefixes of the client's error messages. @see spec §8.9.4

export function missingOrInvalid(context: string) {
  return new ValidationError(`Missing or invalid. ${context}`)
}

export function noMatchingKey(context: string) {
  return new ValidationError(`No matching key. ${context}`, 'sign.no_matching_key')
}

export function expired(context: string) {
  return new ExpiredError(`Expired. ${context}`)
}

export function notInitialized(context: string) {
  return new ValidationError(`Not initialized. ${context}`, 'sign.not_initialized')
}

/** @see spec §8.9.3, §4.18.7 */
export function recentlyDeleted(kind: string, id: string | number) {
  return new ValidationError(
    `Missing or invalid. Record was recently deleted - ${kind}: ${id}`,
    'sign.recently_deleted',
  )
}

export function unsupported(what: 'chains' | 'methods' | 'events' | 'accounts', context: string) {
  return new ValidationError(`Unsupported ${what}. ${context}`, 'sign.unsupported')
}

export function nonConforming(context: string) {
  return new ValidationError(
    `Non conforming namespaces. ${context}`,
    'sign.non_conforming_namespaces',
  )
}

/** Formats any value for an error message. */
export function inspect(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value)
  try {
    return JSON.stringify(value)
  } catch {
    // A cycle or a bigint: returns only the type.
    return Object.prototype.toString.call(value)
  }
}
