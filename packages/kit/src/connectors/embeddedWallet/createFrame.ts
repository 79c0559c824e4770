import { limits } from '@gatefold/protocol'
import {
  appPrefix,
  CardMessage,
  FrameErrorReply,
  framePrefix,
  frameReplies,
  type AppPayload,
  type CardKind,
  type FrameReply,
  type FrameRequestName,
} from '@gatefold/protocol/frame'
import * as v from 'valibot'

import { aborted, FrameError, loadFailed, removed } from './FrameError.ts'

/** The position of the frame, in px of the viewport, with its shape and name. */
export type FrameBox = {
  left: number
  top: number
  width: number
  height: number
  /** CSS radius of the frame's lower corners. */
  radius: string
  /** The accessible name of the frame. */
  title: string
}

/** What the frame shows: its height in px, and what it is for. */
export type FrameCard = { height: number; kind: CardKind }

/** The secure frame of a page, and the channel to it. */
export type Frame = {
  /**
   * Sends a message and waits for its reply.
   *
   * @throws {FrameError} the frame refused it, did not load, did not respond in time or was removed from the page, or
   *   the signal was aborted
   */
  request<Name extends FrameRequestName>(
    name: Name,
    payload: AppPayload<Name>,
    options?: { timeoutMs?: number; signal?: AbortSignal | undefined },
  ): Promise<FrameReply<Name>>
  /** Cancels the requests that wait for an approval. The frame sends no reply. */
  abortRequests(): void
  /** Shows the frame over a box of the page; without one, hides it. */
  place(box: FrameBox | undefined): void
  /** Moves the focus into the frame. */
  focus(): void
  destroy(): void
}

/** What the frame's document may do: run scripts with its own origin, submit forms, and open windows. */
const sandbox =
  'allow-scripts allow-same-origin allow-forms allow-popups allow-popups-to-escape-sandbox'

/**
 * Adds the frame to the page and connects to it.
 *
 * Only a message from the frame's own window and origin opens the channel. Everything else is sent over a `MessagePort`,
 * which no other window has, with random ids.
 *
 * @param options.log - called with the name of each message, without its contents, which may be secret
 * @param options.onReload - called when another document of the frame is connected; it has no state of the previous
 * document
 * @param options.onCard - called with what the frame shows; with `undefined` once it shows nothing
 * @see docs/contracts/frame.md; docs/threats.md#frame-messages; spec §2.14, §4.11
 */
export function createFrame(options: {
  url: URL
  log?: ((text: string) => void) | undefined
  onReload: () => void
  onCard: (card: FrameCard | undefined) => void
}): Frame {
  const { url, log, onReload, onCard } = options
  const { origin } = url
  const element = document.createElement('iframe')
  element.id = 'gatefold-frame'
  element.allow = `publickey-credentials-get ${origin}; publickey-credentials-create ${origin}; clipboard-write ${origin}`
  // Without the permission to navigate the page. The windows that the frame opens are ordinary windows.
  element.setAttribute('sandbox', sandbox)
  element.src = url.href
  element.style.cssText =
    'position:fixed;border:0;visibility:hidden;inline-size:1px;block-size:1px;inset:0 auto auto 0;color-scheme:normal'

  const pending = new Map<
    string,
    { settle: (type: string, payload: unknown) => void; fail: (error: Error) => void }
  >()
  let port: MessagePort | undefined
  let opened!: (port: MessagePort) => void
  let refused!: (error: Error) => void
  const ready = new Promise<MessagePort>((resolve, reject) => {
    opened = resolve
    refused = reject
  })
  ready.catch(() => {}) // reported by each request
  const timer = setTimeout(() => refused(loadFailed()), limits.frameLoadMs)

  function onMessage(event: MessageEvent): void {
    const data = event.data as { type?: unknown } | null
    if (event.source !== element.contentWindow || event.origin !== origin) return
    if (data?.type !== `${framePrefix}READY`) return
    const isReload = port !== undefined
    // The requests to the previous document get no reply, and its card is gone.
    if (isReload) failAll(aborted('frame.reloaded'))
    port?.close()
    const channel = new MessageChannel()
    port = channel.port1
    port.addEventListener('message', ({ data: reply }: MessageEvent) => settle(reply))
    port.start()
    element.contentWindow?.postMessage({ type: `${appPrefix}OPEN_PORT`, id: newId() }, origin, [
      channel.port2,
    ])
    clearTimeout(timer)
    opened(port)
    if (isReload) onReload()
  }

  function settle(reply: unknown): void {
    const { id, type, payload } = (reply ?? {}) as { id?: string; type?: string; payload?: unknown }
    if (type === `${framePrefix}CARD`) {
      const card = v.safeParse(CardMessage, payload)
      if (!card.success) return
      const { height, kind } = card.output
      onCard(height === null ? undefined : { height, kind })
    } else pending.get(id ?? '')?.settle(type ?? '', payload)
  }

  function failAll(error: Error): void {
    for (const { fail } of pending.values()) fail(error)
  }

  /** Rejects once the signal is aborted, even while the frame is loading. */
  async function untilReady(signal: AbortSignal | undefined): Promise<void> {
    if (!signal) return void (await ready)
    const stop = new AbortController()
    const isAborted = new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason as Error), stop)
    })
    await Promise.race([ready, isAborted]).finally(() => stop.abort())
    signal.throwIfAborted()
  }

  /** Ends the requests once the page has removed the frame, because no reply can arrive then. */
  const removals = new MutationObserver(() => {
    if (element.isConnected) return watchRemoval()
    onCard(undefined)
    destroy(removed('frame.removed'))
  })
  /** Only the children of the element's ancestors are observed, so that other changes of the page cost nothing. */
  function watchRemoval(): void {
    removals.disconnect()
    for (let node = element.parentNode; node; node = node.parentNode)
      removals.observe(node, { childList: true })
  }

  function destroy(reason: Error): void {
    clearTimeout(timer)
    removals.disconnect()
    removeEventListener('message', onMessage)
    refused(removed('frame.not_set'))
    failAll(reason)
    port?.close()
    element.remove()
  }

  addEventListener('message', onMessage)
  document.body.append(element)
  watchRemoval()

  return {
    async request(name, payload, { timeoutMs, signal } = {}) {
      await untilReady(signal)
      if (!element.isConnected) throw removed('frame.not_set')
      const id = newId()
      return new Promise((resolve, reject) => {
        const fail = (error: unknown) => {
          log?.(`${name} failed`)
          finish(() => reject(error))
        }
        const onAbort = () => fail(signal?.reason)
        // The other requests would wait for the same frame. See spec §8.10.7.
        const limit = timeoutMs && setTimeout(() => failAll(aborted('frame.timeout')), timeoutMs)
        function finish(run: () => void) {
          pending.delete(id)
          clearTimeout(limit || undefined)
          signal?.removeEventListener('abort', onAbort)
          run()
        }
        signal?.addEventListener('abort', onAbort)
        pending.set(id, {
          fail,
          settle(type, reply) {
            if (type === `${framePrefix}${name}_ERROR`) return fail(toError(reply))
            if (type !== `${framePrefix}${name}_SUCCESS`) return
            const parsed = v.safeParse(frameReplies[name], reply)
            if (parsed.success) {
              log?.(`${name} succeeded`)
              return finish(() => resolve(parsed.output))
            }
            // oxlint-disable-next-line no-console -- §5.10.10 requires it
            console.warn(`Gatefold: the secure frame sent an invalid reply to ${name}.`)
            fail(toError(undefined))
          },
        })
        log?.(`${name} sent`)
        // The port of the current document; a reloaded document gets a new
        // port.
        port!.postMessage({ type: `${appPrefix}${name}`, id, payload }, [])
      })
    },
    abortRequests() {
      port?.postMessage({ type: `${appPrefix}RPC_ABORT`, id: newId() }, [])
    },
    place(box) {
      const { style } = element
      if (!box) {
        style.visibility = 'hidden'
        style.inlineSize = style.blockSize = '1px'
        return
      }
      element.title = box.title
      style.visibility = 'visible'
      style.zIndex = '2147483647'
      style.left = `${box.left}px`
      style.top = `${box.top}px`
      style.width = `${box.width}px`
      style.height = `${box.height}px`
      style.borderRadius = `0 0 ${box.radius} ${box.radius}`
    },
    focus: () => element.focus({ preventScroll: true }),
    destroy: () => destroy(aborted()),
  }
}

/** @see spec §8.10.5 */
function toError(reply: unknown): FrameError {
  const parsed = v.safeParse(FrameErrorReply, reply)
  const { message, code = 'frame.failed' } = parsed.success ? parsed.output : { message: '' }
  return new FrameError(message || 'An error occurred', { code })
}

/** 128 random bits. */
function newId(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('')
}
