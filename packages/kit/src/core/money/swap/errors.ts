import { BaseError } from '@gatefold/protocol'

/**
 * The gateway built a transaction that is not the swap on screen, or that cannot be checked. It was not sent to the
 * wallet.
 */
export class UnsafeTransactionError extends BaseError {
  override name = 'UnsafeTransactionError'
  /**
   * @param difference - what differs, such as `the approved amount`
   * @param hint - what a developer can do
   */
  constructor(difference: string, hint?: string) {
    super(`The gateway built a transaction that differs from the request: ${difference}`, {
      code: 'swap.unsafe_transaction',
      metaMessages: [
        'It was not sent to the wallet. Check the gateway that the site uses.',
        ...(hint ? [hint] : []),
      ],
      docsPath: 'docs/evm.md',
    })
  }
}

/** The price moved so far that the minimum on screen can no longer be received. */
export class PriceMovedError extends BaseError {
  override name = 'PriceMovedError'
  constructor(options: { cause?: unknown } = {}) {
    super('The price moved by more than the slippage', { code: 'swap.price_moved', ...options })
  }
}

/** The active account or network changed after the visitor started the swap. */
export class SwapChangedError extends BaseError {
  override name = 'SwapChangedError'
  constructor() {
    super('The account or the network changed during the swap', { code: 'swap.changed' })
  }
}

/** A transaction of the swap was mined but reverted. The reason is in `details`. */
export class SwapRevertedError extends BaseError {
  override name = 'SwapRevertedError'
  constructor(details: string) {
    super('The swap was reverted', { code: 'swap.reverted', details })
  }
}

/** A transaction of the swap did not get into a block. How it ended is in `details`. */
export class SwapNotIncludedError extends BaseError {
  override name = 'SwapNotIncludedError'
  constructor(details: string) {
    super('A transaction of the swap is not in a block', { code: 'swap.not_included', details })
  }
}

/**
 * The wallet signed a permit with the key of another account, whose tokens it would spend. It was not sent to the
 * gateway.
 */
export class PermitSignerError extends BaseError {
  override name = 'PermitSignerError'
  constructor() {
    super('The permit was signed with the key of another account', { code: 'swap.permit_signer' })
  }
}
