import * as v from 'valibot'
import { readAttestation } from './readAttestation.ts'

const Message = v.object({
  type: v.literal('verify_attestation'),
  attestation: v.nullable(v.string()),
})

/**
 * Requests an attestation in a hidden frame. If the signal aborts, the frame is removed.
 *
 * @param options.url - the attestation page's URL; messages from other origins are ignored
 * @param options.id - the hash that the attestation must cover
 * @returns undefined if the service returns no attestation or the signal aborts
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
    // The frame may only run scripts and send requests to its server. It could lift the sandbox only if the
    // service had the host page's origin.
    frame.setAttribute('sandbox', 'allow-scripts allow-same-origin')
    // In browsers without `ancestorOrigins`, the referrer identifies the host page.
    frame.referrerPolicy = 'origin'
    frame.style.display = 'none'
    frame.setAttribute('aria-hidden', 'true')
    frame.tabIndex = -1
    frame.src = url
    const parent = document.body ?? document.documentElement
    parent.append(frame)
  })
}

/** The message is a JSON string. @see docs/contracts/verify.md */
function readMessage(data: unknown) {
  if (typeof data !== 'string') return undefined
  try {
    const result = v.safeParse(Message, JSON.parse(data))
    return result.success ? result.output : undefined
  } catch {
    // Not a message from the attestation page.
    return undefined
  }
}
