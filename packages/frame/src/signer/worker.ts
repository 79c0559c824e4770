import { secp256k1 } from '@noble/curves/secp256k1'
import { run, type Operation } from './operations.ts'

/** The response to an operation. */
export type WorkerResponse = { result: unknown } | { error: { name: string; message: string } }

self.addEventListener(
  'message',
  ({ data: operation }: MessageEvent<Operation>) => {
    run(operation)
      .finally(() => {
        // Two shares are the key.
        if ('shares' in operation) for (const share of operation.shares) share.fill(0)
      })
      .then(
        (result) => respond({ result }, buffersOf(result)),
        (error: unknown) => {
          const { name, message } = error instanceof Error ? error : new Error('signing failed')
          respond({ error: { name, message } }, [])
        },
      )
  },
  { once: true },
)

// The table that every signature needs, computed while the visitor reads the approval.
secp256k1.utils.precompute(8)

/** The buffers of new shares. They are moved to the document, so that no copy is left here. */
function buffersOf(result: unknown): ArrayBuffer[] {
  return Object.values(Object(result) as Record<string, unknown>).flatMap((value) =>
    value instanceof Uint8Array ? [value.buffer as ArrayBuffer] : [],
  )
}

function respond(response: WorkerResponse, transfer: ArrayBuffer[]) {
  self.postMessage(response, { transfer })
}
