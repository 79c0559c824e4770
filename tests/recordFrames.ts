/** Records what the relays in this process receive and send. Its effect starts when the file is imported. */
import { createRequire } from 'node:module'
import type { WebSocket } from 'ws'

/** Number of frames that are kept. */
const most = 300
/** Maximum characters of a text that is not a relay's message. */
const mostText = 200

type Methods = Record<'emit' | 'send', (this: WebSocket, ...parameters: unknown[]) => unknown>
type Frame = { at: number; socket: number; direction: 'received' | 'sent'; data: unknown }

const frames: Frame[] = []
const numbers = new WeakMap<WebSocket, number>()
let sockets = 0

// The copy of the server: other packages may have another version.
const require = createRequire(import.meta.resolve('@gatefold/server'))
const { WebSocket: Socket } = require('ws') as { WebSocket: { prototype: Methods } }
const { emit, send } = Socket.prototype
Socket.prototype.emit = function (name, ...rest) {
  if (name === 'message') record(this, 'received', rest[0])
  return emit.call(this, name, ...rest)
}
Socket.prototype.send = function (...rest) {
  record(this, 'sent', rest[0])
  return send.apply(this, rest)
}

function record(socket: WebSocket, direction: Frame['direction'], data: unknown) {
  if (!('_isServer' in socket && socket._isServer)) return
  if (!numbers.has(socket)) numbers.set(socket, (sockets += 1))
  frames.push({ at: Date.now(), socket: numbers.get(socket) ?? 0, direction, data })
  if (frames.length > most) frames.shift()
}

/** Describes the frames since the previous call, one per line, without the contents of messages. */
export function takeFrames(): string[] {
  return frames.splice(0).map(({ at, socket, direction, data }) => {
    const time = new Date(at).toISOString().slice(14, 23)
    return `${time} socket ${socket} ${direction} ${describe(String(data))}`
  })
}

/** Removes long texts from a message, and most digits of a topic. */
function describe(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), (key, value: unknown) => {
      if (typeof value !== 'string' || key === 'id') return value
      return value.length > 64 ? `${value.length} characters` : value.slice(0, 24)
    })
  } catch {
    return text.slice(0, mostText)
  }
}
