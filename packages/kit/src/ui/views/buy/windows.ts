import { useEffect, useState } from 'react'

import { openPopup } from '../../../core/platform/openPopup.ts'
import type { Popup } from '../../../core/platform/openPopup.ts'
import type { KitInstance } from '../../../core/kit/Kit.ts'
import { useInstance } from '../../../react/context.ts'

/** How often a window is checked, in ms: browsers do not report that another window was closed. */
const checkMs = 500

/**
 * The window of an order. `open`: on screen. `linked`: opened by a link, so its
 * state is unknown. `closed`: closed, opened before a reload, or showing a page
 * that isolates itself (Cross-Origin-Opener-Policy); these cases cannot be
 * distinguished. `blocked`: the browser did not open it.
 */
export type OrderWindow = 'open' | 'linked' | 'closed' | 'blocked'

type Opened = Popup | 'linked' | 'blocked'

/** The windows of this page's orders, by order id. */
const windows = new WeakMap<KitInstance, Map<string, Opened>>()

/**
 * Stores the window of an order. @param popup - undefined if the browser
 * blocked it
 */
export function setWindow(kit: KitInstance, orderId: string, popup: Popup | undefined): void {
  windowsOf(kit).set(orderId, popup ?? 'blocked')
}

/** The state of an order's window, and the actions on it. */
export function useOrderWindow(orderId: string) {
  const kit = useInstance()
  const [state, setState] = useState(() => stateOf(kit, orderId))
  useEffect(() => {
    const check = () => setState(stateOf(kit, orderId))
    check()
    const timer = setInterval(check, checkMs)
    return () => clearInterval(timer)
  }, [kit, orderId])
  const set = (opened: Opened) => {
    windowsOf(kit).set(orderId, opened)
    setState(stateOf(kit, orderId))
  }
  return {
    state,
    /** Opens the page again. Call it in a click handler. */
    reopen: (url: string, text: string) => {
      const popup = openPopup(text)
      popup?.navigate(url)
      set(popup ?? 'blocked')
    },
    /** Call it when the visitor follows a link to the page. */
    link: () => set('linked'),
    /** Brings the window to the front. */
    show: () => {
      const opened = windowsOf(kit).get(orderId)
      if (typeof opened === 'object') opened.focus()
    },
  }
}

function stateOf(kit: KitInstance, orderId: string): OrderWindow {
  const opened = windowsOf(kit).get(orderId)
  if (typeof opened === 'string') return opened
  return opened && !opened.closed ? 'open' : 'closed'
}

function windowsOf(kit: KitInstance): Map<string, Opened> {
  const known = windows.get(kit) ?? new Map<string, Opened>()
  windows.set(kit, known)
  return known
}
