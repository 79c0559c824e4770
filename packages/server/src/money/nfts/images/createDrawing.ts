import { Worker } from 'node:worker_threads'
import { createSlots } from '../../../http/createSlots.ts'
import { NftError } from '../NftError.ts'

export type Drawing = {
  /**
   * Re-encodes an image as WebP, scaled to fit into a square of `size` pixels.
   * Transfers the bytes, so the caller can no longer use them.
   *
   * @throws {NftError} if the image cannot be drawn in time; {@link NoSlotError}
   */
  draw(bytes: Uint8Array<ArrayBuffer>, size: number): Promise<Uint8Array<ArrayBuffer>>
  /** Ends the thread. */
  close(): Promise<void>
}

export type DrawCall = { bytes: Uint8Array<ArrayBuffer>; size: number }
export type DrawAnswer = { image: ArrayBuffer } | { error: string }

/** Timeout of re-encoding one image. */
const drawMs = 4_000
/** Maximum number of images that wait. */
const waitingImages = 100
/** Timeout of the wait. */
const drawWaitMs = 10_000
/** Time without an image after which the thread ends, which frees its memory. */
const idleMs = 60_000

/**
 * Re-encodes images one at a time in a worker thread, which starts with the
 * first image. A thread that takes too long or runs out of memory is
 * terminated, and the next image starts a new thread.
 */
export function createDrawing(): Drawing {
  const slots = createSlots({
    all: 1,
    perKey: 1,
    waiting: waitingImages,
    waitingPerKey: waitingImages,
  })
  let thread: Worker | undefined
  let idle: NodeJS.Timeout | undefined

  async function end() {
    clearTimeout(idle)
    const ended = thread
    thread = undefined
    await ended?.terminate()
  }

  async function draw(call: DrawCall): Promise<Uint8Array<ArrayBuffer>> {
    clearTimeout(idle)
    thread ??= start()
    const worker = thread
    const { promise, resolve, reject } = Promise.withResolvers<Uint8Array<ArrayBuffer>>()
    const fail = (what: string, cause?: unknown) => reject(new NftError(what, cause))
    const settle = (answer: DrawAnswer) =>
      'image' in answer ? resolve(new Uint8Array(answer.image)) : fail(answer.error)
    const onExit = () => fail('The image needs too much memory.')
    const onError = (error: unknown) => fail('The image could not be drawn.', error)
    worker.once('message', settle).once('exit', onExit).on('error', onError)
    const timer = setTimeout(() => fail('The image takes too long to draw.'), drawMs)
    worker.postMessage(call, [call.bytes.buffer])
    try {
      return await promise
    } catch (error) {
      // The thread's state and memory are unknown.
      await end()
      throw error
    } finally {
      clearTimeout(timer)
      worker.off('message', settle).off('exit', onExit).off('error', onError)
      idle = setTimeout(() => void end(), idleMs).unref()
    }
  }

  return {
    draw: async (bytes, size) =>
      slots.run('', AbortSignal.timeout(drawWaitMs), async () => draw({ bytes, size })),
    close: end,
  }
}

function start(): Worker {
  const worker = new Worker(new URL('./drawThread.ts', import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: 128 },
    // Passes on the export conditions; other flags are meant for the main thread only.
    execArgv: process.execArgv.filter((flag) => flag.startsWith('--conditions=')),
  })
  // The server may exit while the thread waits for an image.
  worker.unref()
  // Without a listener, an error while nothing is drawn would end the process.
  worker.on('error', () => {})
  return worker
}
