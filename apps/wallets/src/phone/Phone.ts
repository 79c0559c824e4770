import type { Reason, SignClient } from '@gatefold/sign'
import type { DemoWallet } from '../createDemoWallet.ts'
import { errorCodes } from '../provider/ProviderRpcError.ts'
import type { createPhoneMemory } from './phoneMemory.ts'
import type { PhoneFaults } from './PhoneFaults.ts'

/** What the parts of a phone wallet share. */
export type Phone = {
  sign: SignClient
  wallet: DemoWallet
  faults: PhoneFaults
  memory: ReturnType<typeof createPhoneMemory>
  /** Something went wrong that a person should know of. */
  tell(error: unknown): void
}

/** What an app is told of an error of the wallet; a person's no as the protocol spells it. */
export function toReason(error: unknown, rejected: Reason): Reason {
  const { code, message, data } = error as { code?: unknown; message?: unknown; data?: unknown }
  if (code === errorCodes.userRejected) return rejected
  return {
    code: typeof code === 'number' ? code : errorCodes.internal,
    message: typeof message === 'string' && message ? message : 'The wallet broke.',
    ...(typeof data === 'string' && { data }),
  }
}
