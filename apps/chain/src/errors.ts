import { BaseError } from '@gatefold/protocol'

/** No anvil for this platform is installed. */
export class AnvilMissingError extends BaseError {
  override name = 'AnvilMissingError'

  constructor(packageName: string, cause?: unknown) {
    super('The local chain cannot start: anvil is not installed.', {
      code: 'chain.anvil_missing',
      cause,
      metaMessages: [
        `It comes with the optional dependency \`${packageName}\`.`,
        'Install again without `--omit=optional`.',
      ],
    })
  }
}

/** Another program listens on the port asked for. */
export class ChainPortTakenError extends BaseError {
  override name = 'ChainPortTakenError'
  readonly port: number

  constructor(port: number) {
    super(`The local chain cannot start: port ${port} is taken.`, {
      code: 'chain.port_taken',
      metaMessages: ['Choose another port, or 0 for any free one.'],
    })
    this.port = port
  }
}

/** anvil ended, or never answered, before the chain was ready. */
export class ChainStartError extends BaseError {
  override name = 'ChainStartError'

  constructor(details: string, cause?: unknown) {
    super('The local chain did not start.', { code: 'chain.start_failed', details, cause })
  }
}

/** The node refused a request of the chain's own controls. */
export class ChainRequestError extends BaseError {
  override name = 'ChainRequestError'

  constructor(method: string, details: string, cause?: unknown) {
    super(`The local chain refused ${method}.`, { code: 'chain.request_failed', details, cause })
  }
}
