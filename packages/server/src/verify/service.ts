import type { Context } from '../context.ts'
import { StorageUnavailableError } from '../storage/StorageUnavailableError.ts'
import { hasScamDomain } from '../storage/verify.ts'
import { createKeyring, type Keyring } from './createKeyring.ts'
import { domainsOf } from './domains.ts'
import { createVerifyMetrics, type VerifyMetrics } from './metrics.ts'

/** What the verify service's handlers need beside the server's context. */
export type VerifyService = {
  context: Context
  keyring: Keyring
  metrics: VerifyMetrics
  /** Whether the operator's scam list holds the origin's domain or one above it. */
  isScam(origin: string): Promise<boolean>
}

export function createVerifyService(context: Context): VerifyService {
  const { db } = context.storage
  return {
    context,
    keyring: createKeyring({ db, now: context.now }),
    metrics: createVerifyMetrics(context.metrics.registry),
    isScam: (origin) => stored(hasScamDomain(db, domainsOf(URL.parse(origin)?.hostname ?? ''))),
  }
}

/** A database that does not answer is no fault of the request. */
export async function stored<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    throw new StorageUnavailableError(error)
  }
}
