import { BaseError } from '@gatefold/protocol'

/**
 * The visitor declined a request in the wallet. An outcome, not a failure.
 *
 * @see EIP-1193 code 4001
 * @example if (error instanceof UserRejectedError) return
 */
export class UserRejectedError extends BaseError {
  override name = 'UserRejectedError'
  /** @param options.request - what was declined; a connection by default */
  constructor(options: { cause?: unknown; request?: string } = {}) {
    super(`${options.request ?? 'Connection'} rejected`, {
      code: 'wallet.user_rejected',
      cause: options.cause,
    })
  }
}

/** Connecting failed for a reason other than the visitor declining. */
export class ConnectError extends BaseError {
  override name = 'ConnectError'
  constructor(options: { cause?: unknown; code?: string; details?: string } = {}) {
    super('Failed to connect', { code: 'wallet.connect_failed', ...options })
  }
}

/** The connection request expired before a wallet responded. */
export class ConnectExpiredError extends BaseError {
  override name = 'ConnectExpiredError'
  constructor(options: { cause?: unknown } = {}) {
    super('The connection request expired', { code: 'wallet.connect_expired', ...options })
  }
}

/** The instance has no adapter for the chain family. */
export class AdapterNotFoundError extends BaseError {
  override name = 'AdapterNotFoundError'
  constructor(namespace: string) {
    super(`Adapter for namespace ${namespace} doesn't exist`, {
      code: 'adapter.not_found',
      metaMessages: ['Pass one to createGatefold, for example adapters: [evm()].'],
    })
  }
}

/** The connector's session already serves the chain family. */
export class AlreadyConnectedError extends BaseError {
  override name = 'AlreadyConnectedError'
  constructor(name: string) {
    super(`${name} is already connected`, { code: 'wallet.already_connected' })
  }
}

/** The connected wallet or its chain family does not support the operation. */
export class UnsupportedOperationError extends BaseError {
  override name = 'UnsupportedOperationError'
  constructor(operation: string, options: { cause?: unknown } = {}) {
    super(`The wallet does not support ${operation}`, {
      code: 'wallet.unsupported_operation',
      ...options,
    })
  }
}
