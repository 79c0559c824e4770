import { BaseError } from '@gatefold/protocol'

/** A time limit that several waits of one request share. */
export type Deadline = {
  /** @throws {OutOfTimeError} if the work does not end in time; the work continues, for later requests. */
  race: <Result>(work: Promise<Result>) => Promise<Result>
  end: () => void
}

/**
 * Creates a deadline that expires after `ms`. Call `end` once the request has
 * its response.
 */
export function createDeadline(ms: number): Deadline {
  const { promise, reject } = Promise.withResolvers<never>()
  promise.catch(() => {}) // `race` reports the error
  const timer = setTimeout(() => reject(new OutOfTimeError()), ms).unref()
  return {
    race: async (work) => Promise.race([work, promise]),
    end: () => clearTimeout(timer),
  }
}

/** A chain did not respond in time for the client. */
export class OutOfTimeError extends BaseError {
  override name = 'OutOfTimeError'
  constructor() {
    super('The chain did not respond in time.', {
      code: 'money.out_of_time',
      docsPath: 'docs/gateway.md',
    })
  }
}
