import * as v from 'valibot'
import { readAttestation } from './readAttestation.ts'

const Message = v.object({
  type: v.literal('verify_attestation'),
  attestation: v.nullable(v.string()),
})

/**
 * Asks for an attestation in a hidden frame, which ends with the signal.
 *
 * @param options.url - of the attestation page; only its origin is listened to
 * @param options.id - what the attestation must be for
 * @returns `undefined` when the service has none, or the signal came first
 */
export function attestInFrame(options: {
  url: string
  id: string
  signal: AbortSignal
}): Promise<string | undefined> {
  const { url, id, signal } = options
  const { origin } = new URL(url)
  const frame = document.createElement('iframe')
  return new Promise<string | undefined>((resolve) => {
    const end = (attestation: string | undefined) => {
      window.removeEventListener('message', onMessage)
      signal.removeEventListener('abort', onAbort)
      frame.remove()
      resolve(attestation)
    }
    const onAbort = () => end(undefined)
    function onMessage(event: MessageEvent<unknown>) {
      if (event.source !== frame.contentWindow || event.origin !== origin) return
      const message = readMessage(event.data)
      if (!message) return
      const { attestation } = message
      if (attestation === null) end(undefined)
      else if (readAttestation(attestation)?.claims.id === id) end(attestation)
    }
    window.addEventListener('message', onMessage)
    signal.addEventListener('abort', onAbort)
    // Its script, and requests to its own server: nothing else. It never shares an origin with a page
    // that could lift this, but for a service on the page's own origin.
    frame.setAttribute('sandbox', 'allow-scripts allow-same-origin')
    // Browsers that do not tell a page who frames it tell who asked for it.
    frame.referrerPolicy = 'origin'
    frame.style.display = 'none'
    frame.setAttribute('aria-hidden', 'true')
    frame.tabIndex = -1
    frame.src = url
    const place = document.body ?? document.documentElement
    place.append(frame)
  })
}

/** @see contracts/relay.md 6: the message is a string */
function readMessage(data: unknown) {
  if (typeof data !== 'string') return undefined
  try {
    const result = v.safeParse(Message, JSON.parse(data))
    return result.success ? result.output : undefined
  } catch {
    // Another frame's words.
    return undefined
  }
}
