import { BaseError } from '@gatefold/protocol'
import type { Stretching } from './stretch.ts'

/** Derives 32 bytes from a password, in a worker that ends afterwards. */
export type Stretch = (stretching: Stretching) => Promise<Uint8Array<ArrayBuffer>>

export function createStretch(startWorker: () => Worker): Stretch {
  return async (stretching) => {
    const worker = startWorker()
    try {
      return await new Promise((resolve, reject) => {
        worker.addEventListener('message', ({ data }: MessageEvent<Uint8Array<ArrayBuffer>>) =>
          resolve(data),
        )
        worker.addEventListener('error', ({ message }) => reject(new StretchError(message)))
        worker.postMessage(stretching, [])
      })
    } finally {
      worker.terminate()
    }
  }
}

export class StretchError extends BaseError {
  override name = 'StretchError'
  constructor(details: string) {
    super('The password could not be used in this browser.', { code: 'frame.stretch', details })
  }
}
