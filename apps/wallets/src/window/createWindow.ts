import type { WalletInfo } from '../announce.ts'
import type { Controls } from '../createControls.ts'
import type { PendingRequest } from '../provider/createApprovals.ts'
import { renderRequest } from './renderRequest.ts'
import { createFaultsPanel } from './createFaultsPanel.ts'
import { createHomePanel } from './createHomePanel.ts'
import { describeRequest, short } from './describeRequest.ts'
import { element, icon } from './element.ts'
import { styles } from './styles.ts'

/** Notifies the page's other demo wallets that this window opened or closed. */
const toggleEvent = 'gatefold-wallet:toggle'

/**
 * Renders the wallet's window in a shadow root at the corner of the page.
 *
 * It behaves like an extension's pop-up. Its host is a sibling of `<body>`, so making the body inert
 * does not disable it. Clicks in it do not move the page's focus, except into its fields, and its
 * events do not reach the page. Dialogs that are open in the page therefore neither close nor pull
 * focus back. Alt+Shift+W moves focus into the window, Escape moves it out.
 *
 * @returns a function that removes it.
 */
export function createWindow(options: {
  info: WalletInfo
  controls: Controls
  /** CSS color from which most other colors derive. */
  accent: string
  theme: 'light' | 'dark' | 'auto'
  /** Whether the keyboard shortcut opens this wallet when no wallet has a pending request. */
  isFirst: () => boolean
  /** Position of the wallet's tab among the tabs of all wallets, starting at 0. */
  slot: number
}): () => void {
  const { info, controls, accent, theme, isFirst, slot } = options
  const lifetime = new AbortController()
  const { signal } = lifetime
  const host = element('gatefold-wallet' as 'div', { 'data-rdns': info.rdns })
  host.style.setProperty('--accent', accent)
  host.style.setProperty('--slot', String(slot))
  const root = host.attachShadow({ mode: 'open' })
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(styles)
  root.adoptedStyleSheets = [sheet]

  const visibleRequests = () => controls.pending.filter((request) => !request.hung)
  let open = false
  /** Whether another wallet's window covers the tab. */
  let covered = false
  let shown: PendingRequest | undefined
  /** The page's focused element before focus moved into the window. */
  let lastFocus: HTMLElement | undefined

  const badge = element('b', { hidden: true })
  const tab = element(
    'button',
    { type: 'button', class: 'tab', 'data-testid': 'wallet-tab', onclick: () => setOpen(true) },
    element('img', { src: info.icon, alt: '' }),
    badge,
  )
  const queue = element('span', { class: 'tag', hidden: true, 'data-testid': 'wallet-queue' })
  const status = element('span')
  const close = element(
    'button',
    {
      type: 'button',
      class: 'close',
      'aria-label': `Close ${info.name}`,
      onclick: () => {
        restoreFocus()
        setOpen(false)
      },
    },
    icon('m7.500 5 5 5-5 5'),
  )
  const request = element('div', { class: 'body' })
  const reject = element(
    'button',
    {
      type: 'button',
      class: 'button',
      'data-testid': 'wallet-reject',
      onclick: () => shown?.reject(),
    },
    'Reject',
  )
  const approve = element(
    'button',
    {
      type: 'button',
      class: 'button',
      'data-kind': 'primary',
      'data-testid': 'wallet-approve',
      onclick: () => shown?.approve(),
    },
    'Approve',
  )
  const answer = element('div', { class: 'actions' }, reject, approve)
  const homePanel = createHomePanel(controls)
  const faultsPanel = createFaultsPanel(controls)
  const card = element(
    'section',
    {
      class: 'card',
      role: 'dialog',
      'aria-label': `${info.name}, demo wallet`,
      'data-testid': 'wallet-window',
      hidden: true,
      tabindex: '-1',
    },
    element(
      'header',
      {},
      element('img', { src: info.icon, alt: '' }),
      element('div', { class: 'identity' }, element('b', {}, info.name), status),
      queue,
      close,
    ),
    request,
  )
  const announcer = element('div', { class: 'visually-hidden', role: 'status' })
  root.append(element('div', { class: 'root', dir: 'ltr' }, tab, card, announcer))

  function setOpen(next: boolean) {
    open = next
    notifyOthers()
    render()
  }
  function notifyOthers() {
    window.dispatchEvent(new CustomEvent(toggleEvent, { detail: { rdns: info.rdns, open } }))
  }
  /** Moves focus back to the page if the window has it. */
  function restoreFocus() {
    if (root.activeElement) lastFocus?.focus()
  }

  function render() {
    const requests = visibleRequests()
    const next = requests[0]
    if (next !== shown) {
      shown = next
      if (next) {
        // A new request opens the window; approving or rejecting the last one closes it.
        open = true
        notifyOthers()
        const content = describeRequest(next, controls)
        announcer.textContent = `${info.name}: ${content.title}. Press Alt+Shift+W to open.`
        request.replaceChildren(...renderRequest(content, next), answer, faultsPanel.node)
        request.scrollTop = 0
      } else {
        announcer.textContent = ''
        open = false
        notifyOthers()
        restoreFocus()
      }
    }
    if (!next && faultsPanel.node.parentNode !== homePanel.node) {
      homePanel.node.append(faultsPanel.node)
      request.replaceChildren(homePanel.node)
    }
    homePanel.update()
    faultsPanel.update()
    card.hidden = !open
    tab.hidden = open || covered
    tab.toggleAttribute('data-linked', controls.permitted)
    tab.toggleAttribute('data-pending', requests.length > 0)
    tab.setAttribute('aria-label', `${info.name}, demo wallet, ${requests.length} pending`)
    badge.hidden = requests.length === 0
    badge.textContent = String(requests.length)
    queue.hidden = requests.length < 2
    queue.textContent = `1 of ${requests.length}`
    const chain = controls.chains.find(({ id }) => id === controls.chainId)
    status.textContent = !controls.connected
      ? 'Disconnected'
      : controls.locked
        ? 'Locked'
        : `${short(controls.accounts[controls.account]!)} · ${chain?.name ?? `Chain ${controls.chainId}`}`
  }

  function attach() {
    // Frameworks that re-render the whole document remove nodes that they did not create.
    if (!host.isConnected) document.documentElement.append(host)
  }

  for (const name of pageEvents) host.addEventListener(name, (event) => event.stopPropagation())
  root.addEventListener('mousedown', (event) => {
    const target = event.target instanceof Element ? event.target : undefined
    if (!target?.closest('select, input, label, .text')) event.preventDefault()
  })
  host.addEventListener('focusin', (event) => {
    const from = event.relatedTarget
    if (from instanceof HTMLElement && from !== host) lastFocus = from
  })
  root.addEventListener('keydown', (event) => {
    if ((event as KeyboardEvent).key !== 'Escape') return
    restoreFocus()
    // A pending request stays visible until the user approves or rejects it.
    if (!shown) setOpen(false)
  })
  window.addEventListener(
    'keydown',
    (event) => {
      if (!event.altKey || !event.shiftKey || event.code !== 'KeyW') return
      if (!visibleRequests().length && !isFirst()) return
      event.preventDefault()
      event.stopPropagation()
      if (document.activeElement instanceof HTMLElement && document.activeElement !== host) {
        lastFocus = document.activeElement
      }
      setOpen(true)
      if (shown) approve.focus()
      else card.focus()
    },
    { capture: true, signal },
  )
  window.addEventListener(
    toggleEvent,
    (event) => {
      const { detail } = event as CustomEvent<{ rdns: string; open: boolean }>
      if (detail.rdns === info.rdns) return
      covered = detail.open
      if (detail.open) open = false
      render()
    },
    { signal },
  )
  const dark = window.matchMedia('(prefers-color-scheme: dark)')
  const applyTheme = () => {
    host.dataset.theme = theme === 'auto' ? (dark.matches ? 'dark' : 'light') : theme
  }
  dark.addEventListener('change', applyTheme, { signal })
  applyTheme()
  const observer = new MutationObserver(attach)
  observer.observe(document, { childList: true })
  observer.observe(document.documentElement, { childList: true })
  attach()
  const unwatch = controls.watch(render)
  render()

  return () => {
    lifetime.abort()
    observer.disconnect()
    unwatch()
    host.remove()
  }
}

/**
 * Events that do not propagate beyond the host element, because the page's focus traps and
 * outside-click handlers would react to them.
 */
const pageEvents = (
  'click dblclick contextmenu mousedown mouseup pointerdown pointerup touchstart touchmove ' +
  'touchend wheel focusin focusout keydown keyup keypress input change'
).split(' ')
