import type { WalletInfo } from '../announce.ts'
import type { Controls } from '../createDemoWallet.ts'
import type { PendingRequest } from '../provider/createApprovals.ts'
import { createDrawer } from './createDrawer.ts'
import { type Content, describe, type Row, short } from './describe.ts'
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

function contentNodes(content: Content, request: PendingRequest): Node[] {
  const site = element('b', {}, request.origin.replace(/^https?:\/\//, ''))
  const nodes: Node[] = [
    element(
      'div',
      { class: 'say' },
      element('h2', { 'data-testid': 'wallet-title' }, content.title),
      element('p', {}, 'asked by ', site),
    ),
  ]
  const rows = content.rows.map((row) => rowNode(row))
  if (content.cost) {
    const row = rowNode({ label: 'Gas, at most', value: '…' })
    rows.push(row)
    void content.cost.then((known) => {
      row.replaceWith(rowNode(known, known.bad))
    })
  }
  if (content.warning) {
    const sign = icon(
      'M8.700 4.200a1.500 1.500 0 0 1 2.600 0l5.400 9.400a1.500 1.500 0 0 1-1.300 2.200H4.600a1.500 1.500 0 0 1-1.300-2.200z',
      'M10 8v3.200',
      'M10 13.400v.010',
    )
    nodes.push(element('p', { class: 'warning' }, sign, content.warning))
  }
  if (content.text !== undefined) {
    nodes.push(
      element(
        'pre',
        { class: 'text', tabindex: '0', 'aria-label': 'Message', 'data-testid': 'wallet-message' },
        content.text || '(an empty text)',
      ),
    )
  }
  if (content.fields?.length) {
    nodes.push(
      element(
        'dl',
        {
          class: 'leaf fields',
          tabindex: '0',
          'aria-label': 'Details',
          'data-testid': 'wallet-fields',
        },
        ...content.fields.map((row) => rowNode(row)),
      ),
    )
  }
  if (rows.length) nodes.push(element('dl', { class: 'leaf' }, ...rows))
  if (content.line) nodes.push(element('p', { class: 'hint' }, content.line))
  return nodes
}

function rowNode({ label, value }: Row, bad = false): HTMLElement {
  return element(
    'div',
    { 'data-bad': bad },
    element('dt', {}, label),
    element('dd', {}, element('bdi', {}, value)),
  )
}

/** What the window shows while nothing is asked: who the wallet is, and what a person may change. */
function createIdle(controls: Controls) {
  const account = element('select', {
    'data-testid': 'wallet-account',
    onchange: () => controls.switchAccount(Number(account.value)),
  })
  const network = element('select', {
    'data-testid': 'wallet-network',
    onchange: () => controls.switchChain(Number(network.value)),
  })
  account.append(
    ...controls.accounts.map((address, index) =>
      element('option', { value: String(index) }, short(address)),
    ),
  )
  const site = element('b', { 'data-testid': 'wallet-site' })
  const lock = action('wallet-lock', () => (controls.locked ? controls.unlock() : controls.lock()))
  const lose = action('wallet-lose', () => controls.loseAccounts())
  const link = action('wallet-disconnect', () =>
    controls.connected ? controls.disconnect() : controls.connect(),
  )
  lose.textContent = 'Take accounts back'
  const node = element(
    'div',
    { class: 'body', style: 'padding: 0; overflow: visible' },
    element(
      'div',
      { class: 'say' },
      element('h2', {}, 'Nothing to approve'),
      element('p', {}, 'A demo wallet with public keys. Keep real coins away from it.'),
    ),
    element(
      'div',
      { class: 'leaf' },
      element('label', {}, element('span', {}, 'Account'), account),
      element('label', {}, element('span', {}, 'Network'), network),
      element('div', {}, element('span', {}, 'This site'), site),
    ),
    element('div', { class: 'foot' }, lock, lose, link),
  )
  return {
    node,
    update() {
      const chains = controls.chains.map(({ id, name }) => [id, name ?? `Chain ${id}`] as const)
      if (!chains.some(([id]) => id === controls.chainId)) {
        chains.push([controls.chainId, `Chain ${controls.chainId}, unknown`])
      }
      // A network no page here works on, to see what the page does about it.
      if (!chains.some(([id]) => id === 1)) chains.push([1, 'Ethereum, no node'])
      network.replaceChildren(
        ...chains.map(([id, name]) => element('option', { value: String(id) }, name)),
      )
      network.value = String(controls.chainId)
      account.value = String(controls.account)
      site.textContent = controls.permitted ? 'Connected' : 'Not connected'
      lose.hidden = !controls.permitted
      lock.textContent = controls.locked ? 'Unlock' : 'Lock'
      link.textContent = controls.connected ? 'Lose the network' : 'Find the network'
    },
  }
}

function action(testId: string, run: () => void): HTMLButtonElement {
  return element('button', { type: 'button', class: 'button', 'data-testid': testId, onclick: run })
}
