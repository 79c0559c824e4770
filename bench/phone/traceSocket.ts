/**
 * The events of a page's sockets, with Unix times in ms. A request is logged as its method name, a
 * response as `answer` and the type of its result.
 */
export type SocketLog = { at: number; what: 'new' | 'open' | 'sent' | 'received'; frame: string }[]

declare global {
  interface Window {
    socketLog: SocketLog
  }
}

/**
 * Runs in a page before the page's scripts. Logs the page's sockets in `window.socketLog`, with
 * times that are comparable between local pages.
 */
export function traceSocket(): void {
  const now = () => performance.timeOrigin + performance.now()
  const log: SocketLog = []
  window.socketLog = log
  const nameOf = (data: unknown) => {
    const { method, result } = JSON.parse(String(data)) as { method?: string; result?: unknown }
    return method ?? `answer ${typeof result}`
  }
  window.WebSocket = class extends WebSocket {
    constructor(url: string | URL, protocols?: string | string[]) {
      super(url, protocols)
      log.push({ at: now(), what: 'new', frame: '' })
      this.addEventListener('open', () => log.push({ at: now(), what: 'open', frame: '' }))
      this.addEventListener('message', ({ data }) =>
        log.push({ at: now(), what: 'received', frame: nameOf(data) }),
      )
    }
    override send(data: string) {
      log.push({ at: now(), what: 'sent', frame: nameOf(data) })
      super.send(data)
    }
  }
}
