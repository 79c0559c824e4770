import { BaseError } from '@gatefold/protocol'
import type { Operation, Results } from './operations.ts'
import type { WorkerResponse } from './worker.ts'

/** Runs operations with the key. */
export type Signer = <Name extends Operation['name']>(
  operation: Extract<Operation, { name: Name }>,
) => Promise<Results[Name]>

/**
 * Creates a signer that runs each operation in a new worker. The worker ends
 * with the operation, because JavaScript cannot overwrite the strings and
 * numbers that a signature leaves in memory.
 *
 * @returns `run`, and `warm`, which starts the worker of the next operation in
 *   advance. The worker has no key until the operation starts.
 * @see docs/custody.md
 */
export function createSigner(startWorker: () => Worker): { run: Signer; warm: () => void } {
  let spare: ReturnType<typeof start> | undefined

  function start() {
    const worker = startWorker()
    const failed = new Promise<never>((_, reject) => {
      worker.addEventListener('error', (event) => reject(new SignerError(event.message)))
    })
    // The operation that uses the worker reports the error.
    failed.catch(() => {})
    return { worker, failed }
  }

  const run: Signer = (operation) => {
    const { worker, failed } = spare ?? start()
    spare = undefined
    const responded = new Promise<WorkerResponse>((resolve) => {
      worker.addEventListener('message', (event: MessageEvent<WorkerResponse>) =>
        resolve(event.data),
      )
    })
    worker.postMessage(operation, [])
    return Promise.race([responded, failed])
      .then((response) => {
        if ('error' in response) throw new SignerError(response.error.message)
        return response.result as never
      })
      .finally(() => worker.terminate())
  }

  return {
    run,
    warm() {
      spare ??= start()
    },
  }
}

export class SignerError extends BaseError {
  override name = 'SignerError'
  constructor(details: string) {
    super('The wallet could not sign.', { code: 'frame.signer', details })
  }
}
