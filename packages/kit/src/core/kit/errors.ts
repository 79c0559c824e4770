import { BaseError } from '@gatefold/protocol'

/**
 * The visitor declined a request in the wallet. An outcome, not a failure.
 *
 * @see EIP-1193 code 4001; spec §8.11.4
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

/** Connecting failed for a reason other than the visitor declining. @see spec §8.3 */
export class ConnectError extends BaseError {
  override name = 'ConnectError'
  constructor(options: { cause?: unknown; code?: string; details?: string } = {}) {
    super('Failed to connect', { code: 'wallet.connect_failed', ...options })
  }
}

/** The connection request expired before a wallet responded. @see spec §4.7 */
export class ConnectExpiredError extends BaseError {
  override name = 'ConnectExpiredError'
  constructor(options: { cause?: unknown } = {}) {
    super('The connection request expired', { code: 'wallet.connect_expired', ...options })
  }
}

/** @see spec §8.4 */
export class DisconnectError extends BaseError {
  override name = 'DisconnectError'
  constructor(options: { cause?: unknown; message?: string } = {}) {
    super(
      options.message ? `Failed to disconnect chains: ${options.message}` : 'Failed to disconnect',
      { code: 'wallet.disconnect_failed', cause: options.cause },
    )
  }
}

/** The wallet could neither switch to the chain nor add it. @see spec §4.6.3, §8.4 */
export class ChainNotSupportedError extends BaseError {
  override name = 'ChainNotSupportedError'
  constructor(options: { cause?: unknown } = {}) {
    super('Chain is not supported', { code: 'chain.not_supported', ...options })
  }
}

/** The network is not configured. @see spec §5.6.3, §5.9.2, §8.4 */
export class NetworkNotFoundError extends BaseError {
  override name = 'NetworkNotFoundError'
  constructor(options: { networkId?: string | number } = {}) {
    super('Network not found', {
      code: 'chain.not_found',
      metaMessages: options.networkId
        ? [`${options.networkId} is not among the networks given to createGatefold.`]
        : [],
    })
  }
}

/** @see spec §5.6.4 */
export class AdapterNotFoundError extends BaseError {
  override name = 'AdapterNotFoundError'
  constructor(namespace: string) {
    super(`Adapter for namespace ${namespace} doesn't exist`, {
      code: 'adapter.not_found',
      metaMessages: ['Pass one to createGatefold, for example adapters: [evm()].'],
    })
  }
}

/** @see spec §5.6.7 */
export class AlreadyConnectedError extends BaseError {
  override name = 'AlreadyConnectedError'
  constructor(name: string) {
    super(`${name} is already connected`, { code: 'wallet.already_connected' })
  }
}

/** @see spec §8.4 */
export class ProviderNotFoundError extends BaseError {
  override name = 'ProviderNotFoundError'
  constructor(options: { cause?: unknown } = {}) {
    super('Provider not found.', { code: 'wallet.provider_not_found', ...options })
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

/** Signing a message failed for a reason other than the visitor declining. @see spec §8.11.1 */
export class SignMessageError extends BaseError {
  override name = 'SignMessageError'
  constructor(message: string, options: { cause?: unknown } = {}) {
    super(message, { code: 'wallet.sign_failed', ...options })
  }
}

/**
 * A transaction could not be sent, estimated or confirmed. The revert reason, if known, is in `shortMessage` or
 * `details`.
 */
export class TransactionError extends BaseError {
  override name = 'TransactionError'
  constructor(message: string, options: { cause?: unknown; details?: string } = {}) {
    super(message, { code: 'chain.transaction_failed', ...options })
  }
}

/** A wallet request failed for a reason other than the visitor declining. @see spec §5.9.5 */
export class WalletRequestError extends BaseError {
  override name = 'WalletRequestError'
  constructor(message: string, options: { cause?: unknown } = {}) {
    super(message, { code: 'wallet.request_failed', ...options })
  }
}

/** A request to the gateway failed, or its response was invalid. */
export class GatewayError extends BaseError {
  override name = 'GatewayError'
  readonly status: number | undefined
  constructor(message: string, options: { status?: number; cause?: unknown } = {}) {
    super(message, { code: 'gateway.failed', cause: options.cause })
    this.status = options.status
  }
}
