import {
  framePrefix,
  parseAppMessage,
  type AppMessage,
  type CardKind,
} from '@gatefold/protocol/frame'
import { isBounded } from './isBounded.ts'

/** The connection to the page that embeds the frame. */
export type Channel = {
  /** The origin of the page, from its first accepted message. It never changes. */
  origin(): string | undefined
  /** Notifies the page that the frame accepts messages; without a page, reports a problem. Call it once. */
  ready(): void
  /**
   * Sends `CARD` to a page that opened a port: the purpose of the card, and the
   * height in CSS pixels at which the whole card is visible. Official clients
   * choose the size of the frame themselves.
   */
  showing(height: number | undefined, kind: CardKind): void
  /** Whether the page opened a port. Such a page shows the frame whenever the frame has a card. */
  hasPort(): boolean
  close(): void
}

/** A message with a request. `OPEN_PORT` is handled by the channel itself. */
type Message = Exclude<AppMessage, { name: 'OPEN_PORT' }>

export type Request = Message & { origin: string }

/** The result of a request that needs no reply. */
export const noReply = Symbol('no reply')

/**
 * Receives messages from the parent window and replies to it. A message is
 * ignored unless its source is the parent, the parent is the top window, its
 * origin may embed the frame and equals that of the first message, and it
 * matches the schema. Replies have that origin as their target. `OPEN_PORT`
 * transfers a port of the page. Messages on the port are handled in the same
 * way and answered on the port: no other window can read or forge them.
 *
 * @param options.isAllowed - whether an origin may embed the frame.
 * @param options.handle - handles a request. Its error becomes an error reply; {@link noReply} sends none.
 * @see docs/contracts/frame.md#messages; docs/threats.md#embedding-pages; spec §5.10.10
 */
export function createChannel(options: {
  window: Window
  version: string
  isAllowed: (origin: string) => boolean
  handle: (request: Request) => Promise<unknown>
  onProblem: (text: string) => void
}): Channel {
  const { window, version, isAllowed, handle, onProblem } = options
  const { parent, top } = window
  let origin: string | undefined
  let port: MessagePort | undefined

  function receive(event: MessageEvent) {
    // If the frame is the top window, its parent is itself.
    if (event.source !== parent || parent === window || parent !== top) return
    if (origin === undefined ? !isAllowed(event.origin) : event.origin !== origin) return
    if (!isBounded(event.data)) return
    const message = read(event.data)
    if (!message) return
    // Set before the first await, so that a second origin cannot win a race.
    const from = (origin = event.origin)
    if (message.name !== 'OPEN_PORT')
      return void answer(message, from, (reply) => parent.postMessage(reply, from))
    const [next] = event.ports
    if (!next) return onProblem('OPEN_PORT without a port was ignored.')
    port?.close()
    port = next
    next.addEventListener('message', ({ data }: MessageEvent) => {
      const request = isBounded(data) ? read(data) : undefined
      if (request && request.name !== 'OPEN_PORT')
        void answer(request, from, (reply) => next.postMessage(reply, []))
    })
    next.start()
    next.postMessage({ type: `${framePrefix}OPEN_PORT_SUCCESS`, id: message.id }, [])
  }

  function read(data: unknown): AppMessage | undefined {
    const message = parseAppMessage(data)
    if (!message && hasAppType(data)) onProblem('An invalid message from the page was ignored.')
    return message
  }

  async function answer(message: Message, from: string, send: (reply: object) => void) {
    const post = (suffix: string, payload?: unknown) =>
      send({
        type: `${framePrefix}${message.name}_${suffix}`,
        id: message.id,
        ...withPayload(payload),
      })
    try {
      const payload = await handle({ ...message, origin: from })
      if (payload !== noReply) post('SUCCESS', payload)
    } catch (error) {
      post('ERROR', { message: toText(error), ...toCode(error) })
    }
  }

  window.addEventListener('message', receive)
  return {
    origin: () => origin,
    ready() {
      // The document is open on its own. See spec §8.10.6.
      if (parent === window) return onProblem('W3mFrame: parent is not set')
      // The page's origin is not known yet, and the message contains no secret.
      parent.postMessage({ type: `${framePrefix}READY`, payload: { version } }, '*')
    },
    showing(height, kind) {
      const payload = { height: height ?? null, kind }
      port?.postMessage({ type: `${framePrefix}CARD`, payload }, [])
    },
    hasPort: () => port !== undefined,
    close() {
      window.removeEventListener('message', receive)
      port?.close()
    },
  }
}

function withPayload(payload: unknown) {
  return payload === undefined ? {} : { payload }
}

function hasAppType(value: unknown): boolean {
  const type = (value as { type?: unknown } | null)?.type
  return typeof type === 'string' && type.startsWith('@w3m-app/')
}

/**
 * The code of an error; a code from the server takes precedence. The official
 * client removes it.
 */
function toCode(error: unknown): { code?: string } {
  const { reason, code } = error as { reason?: unknown; code?: unknown }
  const found = reason ?? code
  return typeof found === 'string' ? { code: found } : {}
}

/** The text of an error that the page may show. */
function toText(error: unknown): string {
  if (error instanceof Error && error.message !== '') {
    const { shortMessage } = error as { shortMessage?: unknown }
    return typeof shortMessage === 'string' ? shortMessage : error.message
  }
  return 'An error occurred'
}
