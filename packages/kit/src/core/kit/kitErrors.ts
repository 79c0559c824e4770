import { BaseError } from '@gatefold/protocol'

// This file has only the errors that the initial chunk throws. Other errors are in `errors.ts`, which lazy
// chunks import.

/** The modal was closed before a wallet was connected, or an attempt to connect was aborted. */
export class ModalClosedError extends BaseError {
  override name = 'ModalClosedError'
  constructor() {
    super('Modal closed', { code: 'modal.closed' })
  }
}

/** An invalid option, view or locale. The message names it and what was expected. */
export class OptionsError extends BaseError {
  override name = 'OptionsError'
}

/** The instance was used after `destroy()`. */
export class DestroyedError extends BaseError {
  override name = 'DestroyedError'
  constructor() {
    super('This Gatefold instance was destroyed', { code: 'kit.destroyed' })
  }
}
