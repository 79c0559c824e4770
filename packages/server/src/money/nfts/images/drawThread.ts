import { parentPort } from 'node:worker_threads'
import type { DrawAnswer, DrawCall } from './createDrawing.ts'
import { drawImage } from './drawImage.ts'

const port = parentPort!

port.on('message', ({ bytes, size }: DrawCall) => {
  drawImage(bytes, size).then(
    (image) => port.postMessage({ image } satisfies DrawAnswer, [image]),
    (error: unknown) =>
      port.postMessage({
        error: error instanceof Error ? error.message : String(error),
      } satisfies DrawAnswer),
  )
})
