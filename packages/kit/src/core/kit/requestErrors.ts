import { BaseError } from '@gatefold/protocol'

// Not in `errors.ts`, which is part of the modal's chunk.

/** The call needs an account, but no wallet is connected. */
export class NotConnectedError extends BaseError {
  override name = 'NotConnectedError'
  constructor(message = 'No wallet is connected') {
    super(message, {
      code: 'wallet.not_connected',
      metaMessages: ['Connect a wallet first, for example with await open().'],
    })
  }
}

/** A wallet failed to disconnect. */
export class DisconnectError extends BaseError {
  override name = 'DisconnectError'
  constructor(options: { cause?: unknown; message?: string } = {}) {
    super(
      options.message ? `Failed to disconnect chains: ${options.message}` : 'Failed to disconnect',
      { code: 'wallet.disconnect_failed', cause: options.cause },
    )
  }
}

/** The network is not configured. */
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

/** The only network cannot be removed. */
export class LastNetworkError extends BaseError {
  override name = 'LastNetworkError'
  constructor(options: { networkId: string | number }) {
    super(`The network ${options.networkId} cannot be removed, because it is the only one`, {
      code: 'chain.last',
      metaMessages: ['Add another network first.'],
    })
  }
}

/** The connected wallet has no provider. */
export class ProviderNotFoundError extends BaseError {
  override name = 'ProviderNotFoundError'
  constructor(options: { cause?: unknown } = {}) {
    super('Provider not found.', { code: 'wallet.provider_not_found', ...options })
  }
}

/** Signing a message failed for a reason other than the visitor declining. */
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

/**
 * The wallet confirmed a transaction, but did not return the hash of a new one,
 * or the request ended before the wallet responded. The transaction may have
 * been sent, so the visitor must check the wallet before repeating it.
 */
export class WrongHashError extends BaseError {
  override name = 'WrongHashError'
  constructor(options: { cause?: unknown } = {}) {
    super('The wallet did not return the hash of a new transaction', {
      code: 'wallet.wrong_hash',
      ...options,
      metaMessages: ['The transaction may have been sent. Check the wallet.'],
    })
  }
}

/** A wallet request failed for a reason other than the visitor declining. */
export class WalletRequestError extends BaseError {
  override name = 'WalletRequestError'
  constructor(message: string, options: { cause?: unknown } = {}) {
    super(message, { code: 'wallet.request_failed', ...options })
  }
}

/** A request to the gateway failed, or its response was invalid. */
export class GatewayError extends BaseError {
  override name = 'GatewayError'
  /** The HTTP status of the response; undefined if there was none. */
  readonly status: number | undefined
  /** The field of the request that the gateway refused, such as `origin`. */
  readonly field: string | undefined
  /** The gateway's error code, such as `no_route`. */
  readonly reason: string | undefined
  constructor(
    message: string,
    options: {
      status?: number
      field?: string | undefined
      reason?: string | undefined
      cause?: unknown
    } = {},
  ) {
    super(message, { code: 'gateway.failed', cause: options.cause })
    this.status = options.status
    this.field = options.field
    this.reason = options.reason
  }
}

/** The wallet could neither switch to the chain nor add it. */
export class ChainNotSupportedError extends BaseError {
  override name = 'ChainNotSupportedError'
  constructor(options: { cause?: unknown } = {}) {
    super('Chain is not supported', { code: 'chain.not_supported', ...options })
  }
}
