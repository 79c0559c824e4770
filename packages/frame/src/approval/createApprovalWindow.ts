import type { Pending } from './createApprovals.ts'
import { hasType, type ApprovalMessage, type WindowMessage } from './windowMessages.ts'

/**
 * How often to check whether the visitor has closed the window. Browsers have
 * no event for this.
 */
const closedPollMs = 250

export type ApprovalWindow = {
  /**
   * Opens the window. Browsers allow this only during the visitor's click.
   *
   * @returns false if the browser blocked it.
   */
  open(): boolean
  isOpen(): boolean
  focus(): void
  /**
   * Shows a request in the window if it is open. `undefined` closes the window.
   */
  show(next: { pending: Pending; waiting: number } | undefined): void
}

/**
 * Creates the approval window, for browsers that cannot detect whether the page
 * covers the frame. No page can embed or cover this window. It has no key: it
 * shows what the frame sends and returns the answer.
 *
 * @param options.window - of the frame
 * @param options.origin - of the frame, and of the window
 * @param options.path - of the window's document
 * @param options.onChange - called when the visitor has closed it
 * @see docs/threats.md#clickjacking
 */
export function createApprovalWindow(options: {
  window: Window
  origin: string
  path: () => string
  onChange: () => void
}): ApprovalWindow {
  const { window, origin, path, onChange } = options
  let opened: Window | undefined
  let current: { pending: Pending; waiting: number } | undefined
  let revision = 0
  let timer: ReturnType<typeof setInterval> | undefined

  function send() {
    if (!opened || !current) return
    const { pending, waiting } = current
    const message: ApprovalMessage = {
      type: 'gatefold-approval',
      revision,
      origin: pending.origin,
      waiting,
      statement: pending.statement,
      change: pending.change,
      theme: window.document.documentElement.getAttribute('data-theme'),
    }
    opened.postMessage(message, origin)
  }

  function receive({ source, origin: from, data }: MessageEvent) {
    if (!opened || source !== opened || from !== origin) return
    if (hasType<WindowMessage & { type: 'gatefold-ready' }>(data, 'gatefold-ready')) return send()
    if (!hasType<WindowMessage & { type: 'gatefold-answer' }>(data, 'gatefold-answer')) return
    if (data.revision !== revision) return
    if (data.answer === 'approve') current?.pending.approve()
    else if (data.answer === 'limit') current?.pending.limit(data.call, data.amount)
    else current?.pending.reject()
  }

  function forget() {
    clearInterval(timer)
    window.removeEventListener('message', receive)
    opened = undefined
  }

  function watch() {
    if (!opened?.closed) return
    forget()
    // A closed window counts as a rejection.
    current?.pending.reject()
    onChange()
  }

  return {
    open() {
      // Has no name, because another page could use the name to reach the window.
      const next = window.open(origin + path(), '_blank', 'popup,width=440,height=680')
      if (!next) return false
      opened = next
      window.addEventListener('message', receive)
      timer = setInterval(watch, closedPollMs)
      return true
    },
    isOpen: () => opened !== undefined,
    focus: () => opened?.focus(),
    show(next) {
      const isNew =
        next?.pending.id !== current?.pending.id ||
        next?.pending.statement !== current?.pending.statement
      if (isNew) revision += 1
      current = next
      if (next) return send()
      const last = opened
      forget()
      last?.close()
    },
  }
}
