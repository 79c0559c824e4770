import { BaseError } from '@gatefold/protocol'

/** The anvil binary for this platform is not installed. */
export class AnvilMissingError extends BaseError {
  override name = 'AnvilMissingError'

  constructor(packageName: string, cause?: unknown) {
    super('Couldn’t start the local chain: anvil is not installed.', {
      code: 'chain.anvil_missing',
      cause,
      metaMessages: [
        `It comes with the optional dependency \`${packageName}\`.`,
        'Reinstall without `--omit=optional`.',
      ],
    })
  }
}

/** Another program is listening on the requested port. */
export class ChainPortTakenError extends BaseError {
  override name = 'ChainPortTakenError'
  readonly port: number

  constructor(port: number) {
    super(`Couldn’t start the local chain: port ${port} is taken.`, {
      code: 'chain.port_taken',
      metaMessages: ['Use another port, or 0 for any free one.'],
    })
    this.port = port
  }
}

/** anvil exited or did not respond before the chain was ready. */
export class ChainStartError extends BaseError {
  override name = 'ChainStartError'

  constructor(details: string, cause?: unknown) {
    super('Couldn’t start the local chain.', { code: 'chain.start_failed', details, cause })
  }
}

/** The node rejected a control request. */
export class ChainRequestError extends BaseError {
  override name = 'ChainRequestError'

  constructor(method: string, details: string, cause?: unknown) {
    super(`The local chain rejected ${method}.`, { code: 'chain.request_failed', details, cause })
  }
}

/** The bundler is not installed. */
export class BundlerMissingError extends BaseError {
  override name = 'BundlerMissingError'

  constructor() {
    super('Couldn’t start the bundler: alto is not installed.', {
      code: 'chain.bundler_missing',
      metaMessages: [
        'Smart accounts need a bundler. Install it with `npm run bundler -w @gatefold/chain`.',
      ],
    })
  }
}

/** The bundler exited or did not respond. */
export class BundlerStartError extends BaseError {
  override name = 'BundlerStartError'

  constructor(details: string, cause?: unknown) {
    super('Couldn’t start the bundler.', { code: 'chain.bundler_start', details, cause })
  }
}
