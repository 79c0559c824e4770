import type { Context } from '../context.ts'
import type { AccessContext } from '../http/access.ts'
import { StorageUnavailableError } from '../storage/StorageUnavailableError.ts'
import { hasScamDomain } from '../storage/verify.ts'
import { refuse } from './answers.ts'
import { createKeyring, type Keyring } from './createKeyring.ts'
import { domainsOf } from './domains.ts'
import { createVerifyMetrics, type VerifyMetrics } from './metrics.ts'

/** The server's services that the verify service uses. */
export type VerifyContext = Omit<AccessContext, 'refuse'> &
  Pick<Context, 'log' | 'metrics' | 'now' | 'storage'>

/** The services that the verify service's handlers use. */
export type VerifyService = {
  context: VerifyContext & Pick<AccessContext, 'refuse'>
  keyring: Keyring
  metrics: VerifyMetrics
  /** Whether the scam list contains the origin's domain or one of its parent domains. */
  isScam(origin: string): Promise<boolean>
}

export function createVerifyService(context: VerifyContext): VerifyService {
  const { db } = context.storage
  return {
    context: { ...context, refuse },
    keyring: createKeyring({ db, now: context.now }),
    metrics: createVerifyMetrics(context.metrics.registry),
    isScam: (origin) => stored(hasScamDomain(db, domainsOf(URL.parse(origin)?.hostname ?? ''))),
  }
}

/** Turns the error of a failed query into `StorageUnavailableError`, which gets a 503. */
export async function stored<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    throw new StorageUnavailableError(error)
  }
}
