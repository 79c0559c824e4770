import type { WalletInfo } from '../announce.ts'
import type { Controls } from '../createControls.ts'
import type { PendingRequest } from '../provider/createApprovals.ts'
import { contentNodes } from './contentNodes.ts'
import { createDrawer } from './createDrawer.ts'
import { createIdle } from './createIdle.ts'
import { describe, short } from './describe.ts'
import { element, icon } from './element.ts'
import { styles } from './styles.ts'

/** Tells the other wallets of the page that this one came forward, or went back. */
const foldEvent = 'gatefold-wallet:fold'

/**
 * The wallet's own small window, in a shadow root at the corner of the page.
 *
 * It behaves like the pop-up of an extension. It stands beside `<body>`, above everything and out of
 * reach of what makes the body inert; a pointer on it takes no focus from the page, and the page
 * hears none of its events, so a dialog that is open neither closes nor pulls focus back. From the
 * keyboard it is reached with Alt+Shift+W and left with Escape.
 *
 * @returns takes it away again.
 */
export function createWindow(options: {
  info: WalletInfo
  controls: Controls
  /** CSS colour all others derive from. */
  accent: string
  theme: 'light' | 'dark' | 'auto'
  /** Whether this wallet is the one the keyboard shortcut opens when none asks for anything. */
  isFirst: () => boolean
  /** Place of its bookmark, counted from above. */
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

  const waiting = () => controls.pending.filter((request) => !request.hung)
  let open = false
  /** Whether another wallet's window lies over the bookmark. */
  let covered = false
  let shown: PendingRequest | undefined
  /** Where focus was before the keyboard came in. */
  let before: HTMLElement | undefined

  const badge = element('b', { hidden: true })
  const tab = element(
    'button',
    { type: 'button', class: 'tab', 'data-testid': 'wallet-tab', onclick: () => setOpen(true) },
    element('img', { src: info.icon, alt: '' }),
    badge,
  )
  const queue = element('span', { class: 'tag', hidden: true, 'data-testid': 'wallet-queue' })
  const status = element('span')
  const fold = element(
    'button',
    {
      type: 'button',
      class: 'fold',
      'aria-label': `Fold ${info.name}`,
      onclick: () => {
        leave()
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
  const answer = element('div', { class: 'duo' }, reject, approve)
  const idle = createIdle(controls)
  const drawer = createDrawer(controls)
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
      element('div', { class: 'who' }, element('b', {}, info.name), status),
      queue,
      fold,
    ),
    request,
  )
  const voice = element('div', { class: 'quiet', role: 'status' })
  root.append(element('div', { class: 'root', dir: 'ltr' }, tab, card, voice))

  function setOpen(next: boolean) {
    open = next
    tellOthers()
    render()
  }
  function tellOthers() {
    window.dispatchEvent(new CustomEvent(foldEvent, { detail: { rdns: info.rdns, open } }))
  }
  /** Gives focus back to the page, if it is in here. */
  function leave() {
    if (root.activeElement) before?.focus()
  }

  function render() {
    const asked = waiting()
    const next = asked[0]
    if (next !== shown) {
      shown = next
      if (next) {
        // What is asked comes forward by itself; what is answered goes.
        open = true
        tellOthers()
        const content = describe(next, controls)
        voice.textContent = `${info.name}: ${content.title}. Alt+Shift+W opens it.`
        request.replaceChildren(...contentNodes(content, next), answer, drawer.node)
        request.scrollTop = 0
      } else {
        voice.textContent = ''
        open = false
        tellOthers()
        leave()
      }
    }
    if (!next && drawer.node.parentNode !== idle.node) {
      idle.node.append(drawer.node)
      request.replaceChildren(idle.node)
    }
    idle.update()
    drawer.update()
    card.hidden = !open
    tab.hidden = open || covered
    tab.toggleAttribute('data-linked', controls.permitted)
    tab.toggleAttribute('data-asks', asked.length > 0)
    tab.setAttribute('aria-label', `${info.name}, demo wallet, ${asked.length} waiting`)
    badge.hidden = asked.length === 0
    badge.textContent = String(asked.length)
    queue.hidden = asked.length < 2
    queue.textContent = `1 of ${asked.length}`
    const chain = controls.chains.find(({ id }) => id === controls.chainId)
    status.textContent = !controls.connected
      ? 'Disconnected'
      : controls.locked
        ? 'Locked'
        : `${short(controls.accounts[controls.account]!)} · ${chain?.name ?? `Chain ${controls.chainId}`}`
  }

  function keep() {
    // A page that renders its whole document anew sweeps away what it did not write.
    if (!host.isConnected) document.documentElement.append(host)
  }

  for (const name of pageEvents) host.addEventListener(name, (event) => event.stopPropagation())
  root.addEventListener('mousedown', (event) => {
    const target = event.target instanceof Element ? event.target : undefined
    if (!target?.closest('select, input, label, .text')) event.preventDefault()
  })
  host.addEventListener('focusin', (event) => {
    const from = event.relatedTarget
    if (from instanceof HTMLElement && from !== host) before = from
  })
  root.addEventListener('keydown', (event) => {
    if ((event as KeyboardEvent).key !== 'Escape') return
    leave()
    // A question stays in sight until it is answered.
    if (!shown) setOpen(false)
  })
  window.addEventListener(
    'keydown',
    (event) => {
      if (!event.altKey || !event.shiftKey || event.code !== 'KeyW') return
      if (!waiting().length && !isFirst()) return
      event.preventDefault()
      event.stopPropagation()
      if (document.activeElement instanceof HTMLElement && document.activeElement !== host) {
        before = document.activeElement
      }
      setOpen(true)
      if (shown) approve.focus()
      else card.focus()
    },
    { capture: true, signal },
  )
  window.addEventListener(
    foldEvent,
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
  const paint = () => {
    host.dataset.theme = theme === 'auto' ? (dark.matches ? 'dark' : 'light') : theme
  }
  dark.addEventListener('change', paint, { signal })
  paint()
  const observer = new MutationObserver(keep)
  observer.observe(document, { childList: true })
  observer.observe(document.documentElement, { childList: true })
  keep()
  const unwatch = controls.watch(render)
  render()

  return () => {
    lifetime.abort()
    observer.disconnect()
    unwatch()
    host.remove()
  }
}

/** What the page must not hear from inside: its traps and its "clicked outside" would answer. */
const pageEvents = (
  'click dblclick contextmenu mousedown mouseup pointerdown pointerup touchstart touchmove ' +
  'touchend wheel focusin focusout keydown keyup keypress input change'
).split(' ')
