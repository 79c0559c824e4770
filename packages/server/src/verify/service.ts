import type { Context } from '../context.ts'
import type { AccessContext } from '../http/access.ts'
import { stored } from '../storage/stored.ts'
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
