import type { Reason, SignClient } from '@gatefold/sign'
import type { DemoWallet } from '../createDemoWallet.ts'
import { errorCodes } from '../provider/ProviderRpcError.ts'
import type { persistPhoneState } from './persistPhoneState.ts'
import type { PhoneFaults } from './PhoneFaults.ts'

/** What the modules of a phone wallet share. */
export type Phone = {
  sign: SignClient
  wallet: DemoWallet
  faults: PhoneFaults
  persisted: ReturnType<typeof persistPhoneState>
  /** Shows an error to the person who uses the wallet. */
  reportError(error: unknown): void
}

/** The wallet's error as a response to the app; a rejection by the person becomes `rejected`. */
export function toReason(error: unknown, rejected: Reason): Reason {
  const { code, message, data } = error as { code?: unknown; message?: unknown; data?: unknown }
  if (code === errorCodes.userRejected) return rejected
  return {
    code: typeof code === 'number' ? code : errorCodes.internal,
    message: typeof message === 'string' && message ? message : 'Internal wallet error.',
    ...(typeof data === 'string' && { data }),
  }
}
