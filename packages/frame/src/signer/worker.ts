import { run, type Operation } from './operations.ts'

/** The response to an operation. */
export type WorkerResponse = { result: unknown } | { error: { name: string; message: string } }

self.addEventListener(
  'message',
  (event: MessageEvent<Operation>) => {
    run(event.data).then(
      (result) => respond({ result }),
      (error: unknown) => {
        const { name, message } = error instanceof Error ? error : new Error('signing failed')
        respond({ error: { name, message } })
      },
    )
  },
  { once: true },
)

function respond(response: WorkerResponse) {
  self.postMessage(response, { transfer: [] })
}
