import { BaseError } from '@gatefold/protocol'
import type { Operation, Results } from './operations.ts'
import type { WorkerResponse } from './worker.ts'

/** Runs operations with the key. */
export type Signer = <Name extends Operation['name']>(
  operation: Extract<Operation, { name: Name }>,
) => Promise<Results[Name]>

/**
 * Creates a function that runs each operation in a worker of its own. The worker ends with the operation, because
 * JavaScript cannot overwrite the strings and numbers that a signature leaves in memory.
 *
 * @see docs/custody.md
 */
export function createSigner(startWorker: () => Worker): Signer {
  return (operation) => {
    const worker = startWorker()
    return new Promise<WorkerResponse>((resolve, reject) => {
      worker.addEventListener('message', (event: MessageEvent<WorkerResponse>) =>
        resolve(event.data),
      )
      worker.addEventListener('error', (event) => reject(new SignerError(event.message)))
      worker.postMessage(operation, [])
    })
      .then((response) => {
        if ('error' in response) throw new SignerError(response.error.message)
        return response.result as never
      })
      .finally(() => worker.terminate())
  }
}

export class SignerError extends BaseError {
  override name = 'SignerError'
  constructor(details: string) {
    super('The wallet could not sign.', { code: 'frame.signer', details })
  }
}
