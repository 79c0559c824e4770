import type { Reason, SignClient } from '@gatefold/sign'
import type { DemoWallet } from '../createDemoWallet.ts'
import { errorCodes } from '../provider/ProviderRpcError.ts'
import type { persistPhoneState } from './persistPhoneState.ts'
import type { PhoneFaults } from './PhoneFaults.ts'

/** State shared by the modules of a phone wallet. */
export type Phone = {
  sign: SignClient
  wallet: DemoWallet
  faults: PhoneFaults
  persisted: ReturnType<typeof persistPhoneState>
  /** Switches one session to a chain. */
  switchChain: (topic: string, chainId: number) => void
  /** Shows an error to the wallet's user. */
  reportError(error: unknown): void
}

/**
 * Converts an error of the wallet to the error that is sent to the app; a rejection by the user
 * becomes `rejected`.
 */
export function toReason(error: unknown, rejected: Reason): Reason {
  const { code, message, data } = error as { code?: unknown; message?: unknown; data?: unknown }
  if (code === errorCodes.userRejected) return rejected
  return {
    code: typeof code === 'number' ? code : errorCodes.internal,
    message: typeof message === 'string' && message ? message : 'Internal wallet error.',
    ...(typeof data === 'string' && { data }),
  }
}
