import { BaseError } from '@gatefold/protocol'

// The few errors that the first load can throw; the others come with the code that throws them.

/** The modal was closed before anything was connected. @see spec §8.3 */
export class ModalClosedError extends BaseError {
  override name = 'ModalClosedError'
  constructor() {
    super('Modal closed', { code: 'modal.closed' })
  }
}

/** An option of `createGatefold` that cannot work. */
export class OptionsError extends BaseError {
  override name = 'OptionsError'
}

/** Used after `destroy()`. */
export class DestroyedError extends BaseError {
  override name = 'DestroyedError'
  constructor() {
    super('This Gatefold instance was destroyed', { code: 'kit.destroyed' })
  }
}

/** Nothing is connected, and the call needs an account. */
export class NotConnectedError extends BaseError {
  override name = 'NotConnectedError'
  constructor() {
    super('No wallet is connected', {
      code: 'wallet.not_connected',
      metaMessages: ['Connect first: open() resolves once the visitor has.'],
    })
  }
}
