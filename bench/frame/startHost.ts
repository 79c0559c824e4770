import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createAdaptorServer } from '@hono/node-server'

/**
 * The page's interface for the measurements. Times are in ms since the epoch,
 * with fractions, so that they are comparable across frames.
 */
export type HostWindow = Window & {
  /** Sends a message to the frame. The first message embeds the frame. */
  send(name: string, payload?: unknown): Promise<HostReply>
  now(): number
  /** On a page that was opened with `?returning`: when the visitor's account was known. */
  returned?: Promise<{ ms: number; reply: HostReply }>
  /** The last request that is waiting for an approval. */
  waiting?: Promise<{ at: number; reply: HostReply }>
}
export type HostReply = { type: string; payload?: unknown }

/**
 * A page that embeds the frame when it is first needed, and exchanges the
 * messages of docs/contracts/frame.md with it.
 */
const page = (frameUrl: string) => `<!doctype html>
<html lang="en">
  <title>Host</title>
  <body>
    <script>
      window.now = () => performance.timeOrigin + performance.now()
      let frame
      const embed = () =>
        (frame ??= new Promise((resolve) => {
          const element = document.createElement('iframe')
          element.id = 'w3m-iframe'
          element.src = '${frameUrl}/sdk?projectId=default'
          element.style = 'width:360px;height:600px;border:0'
          addEventListener('message', (event) => {
            if (event.data?.type === '@w3m-frame/READY') resolve(element.contentWindow)
          })
          document.body.append(element)
        }))
      window.send = async (name, payload) => {
        const target = await embed()
        const id = Math.random().toString(36).slice(2, 8)
        return new Promise((resolve) => {
          addEventListener('message', function take(event) {
            if (event.data?.id !== id || event.source !== target) return
            removeEventListener('message', take)
            resolve(event.data)
          })
          target.postMessage({ type: '@w3m-app/' + name, payload, id }, '*')
        })
      }
      if (location.search === '?returning')
        window.returned = send('GET_USER', {}).then((reply) => ({ ms: performance.now(), reply }))
    </script>
  </body>
</html>`

/** Serves the page on an origin that the default project allows. */
export async function startHost(frameUrl: string) {
  const server = createAdaptorServer({
    fetch: () =>
      new Response(page(frameUrl), { headers: { 'content-type': 'text/html; charset=utf-8' } }),
  }) as Server
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    stop: () => new Promise((resolve) => server.close(resolve)),
  }
}
