import { BaseError } from '@gatefold/protocol'
import type { LabelProblem } from '@gatefold/protocol/gateway'

/** The label cannot be a name. */
export class NameLabelError extends BaseError {
  override name = 'NameLabelError'
  /** What is wrong with the label. */
  readonly problem: LabelProblem
  constructor(label: string, problem: LabelProblem) {
    super(`${label} cannot be a name`, {
      code: 'names.label',
      metaMessages: [
        'A name has 4 to 63 letters (a to z), digits, and single hyphens between them.',
      ],
    })
    this.problem = problem
  }
}

/** The gateway has no names, or the account cannot have one. */
export class NamesUnavailableError extends BaseError {
  override name = 'NamesUnavailableError'
  constructor() {
    super('No names can be registered', {
      code: 'names.unavailable',
      metaMessages: ['Names need an EVM account, and a gateway with the names of docs/gateway.md.'],
    })
  }
}

/** Another account has the name. */
export class NameTakenError extends BaseError {
  override name = 'NameTakenError'
  constructor(name: string, options: { cause?: unknown } = {}) {
    super(`${name} is already registered`, { code: 'names.taken', ...options })
  }
}

/** The account has the maximum number of names. */
export class TooManyNamesError extends BaseError {
  override name = 'TooManyNamesError'
  constructor(options: { cause?: unknown } = {}) {
    super('The account has the maximum number of names', { code: 'names.too_many', ...options })
  }
}

/** The wallet took so long that its signature is no longer accepted. */
export class NameExpiredError extends BaseError {
  override name = 'NameExpiredError'
  constructor() {
    super('The request to register the name expired', { code: 'names.expired' })
  }
}

/** The gateway's clock and that of this device differ by minutes. */
export class NameClockError extends BaseError {
  override name = 'NameClockError'
  constructor(options: { cause?: unknown } = {}) {
    super('The clock of this device is wrong', { code: 'names.clock', ...options })
  }
}

/** The wallet did not return the account's signature of the message. */
export class NameSignatureError extends BaseError {
  override name = 'NameSignatureError'
  constructor(address: string, options: { cause?: unknown } = {}) {
    super(`The signature is not by ${address}`, { code: 'names.signature', ...options })
  }
}

/** The active account changed while the wallet showed the request. Nothing was registered. */
export class NameAccountChangedError extends BaseError {
  override name = 'NameAccountChangedError'
  constructor() {
    super('The account changed while the name was signed', { code: 'names.account_changed' })
  }
}
