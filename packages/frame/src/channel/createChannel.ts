import { framePrefix, parseAppMessage, type AppMessage } from '@gatefold/protocol/frame'
import { isBounded } from './isBounded.ts'

/** The connection to the page that embeds the frame. */
export type Channel = {
  /** The origin of the page, from its first accepted message. It never changes. */
  origin(): string | undefined
  /** Notifies the page that the frame accepts messages. Call it once. */
  ready(): void
  close(): void
}

export type Request = AppMessage & { origin: string }

/** The result of a request that gets no reply. */
export const noReply = Symbol('no reply')

/**
 * Receives messages from the parent window and replies to it.
 *
 * A message is ignored unless its source is the parent, the parent is the top window, its origin may embed the frame and
 * is that of the first message, and it fits the schema. Replies name that origin.
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

  function receive(event: MessageEvent) {
    // In a window of its own, the frame's parent is itself.
    if (event.source !== parent || parent === window || parent !== top) return
    if (origin === undefined ? !isAllowed(event.origin) : event.origin !== origin) return
    if (!isBounded(event.data)) return
    const message = parseAppMessage(event.data)
    if (!message) {
      if (hasAppType(event.data)) onProblem('An invalid message from the page was ignored.')
      return
    }
    // Set before anything is awaited, so that a second origin cannot race it.
    origin = event.origin
    void answer(message, event.origin)
  }

  async function answer(message: AppMessage, to: string) {
    const post = (suffix: string, payload?: unknown) =>
      parent.postMessage(
        {
          type: `${framePrefix}${message.name}_${suffix}`,
          id: message.id,
          ...withPayload(payload),
        },
        to,
      )
    try {
      const payload = await handle({ ...message, origin: to })
      if (payload !== noReply) post('SUCCESS', payload)
    } catch (error) {
      post('ERROR', { message: toText(error) })
    }
  }

  window.addEventListener('message', receive)
  return {
    origin: () => origin,
    ready() {
      // The page's origin is not known yet, and the message has no secret.
      parent.postMessage({ type: `${framePrefix}READY`, payload: { version } }, '*')
    },
    close: () => window.removeEventListener('message', receive),
  }
}

function withPayload(payload: unknown) {
  return payload === undefined ? {} : { payload }
}

function hasAppType(value: unknown): boolean {
  const type = (value as { type?: unknown } | null)?.type
  return typeof type === 'string' && type.startsWith('@w3m-app/')
}

/** The text of an error that the page may show. */
function toText(error: unknown): string {
  if (error instanceof Error && error.message !== '') {
    const { shortMessage } = error as { shortMessage?: unknown }
    return typeof shortMessage === 'string' ? shortMessage : error.message
  }
  return 'An error occurred'
}
