import { launchBrowser } from '@gatefold/tests/browser'
import type { TestBrowser, TestPage } from '@gatefold/tests/browser'
import { startStack } from '@gatefold/tests/stack'
import type { Stack } from '@gatefold/tests/stack'

import { scanCode } from '../../tests/ui/scanCode.ts'
import { traceSocket } from './traceSocket.ts'
import type { SocketLog } from './traceSocket.ts'

/** Medians in ms, measured from the scan of the QR code. */
export type PhoneBench = {
  /** Until the page has the session. */
  total: number
  /** Until the account is painted, up to one frame after its element is added. */
  painted: number
  /** The part of `total` that is spent waiting for the relay: three deliveries. */
  relay: number
  /**
   * The rest of `total`: keys, storage, verification, the wallet's prompt, and rendering in both pages.
   */
  ours: number
}

/**
 * Measures how long the phone wallet takes to connect to the Book of Ethereum on the local stack. Each
 * run is a first visit on both sides, with the scanner already open. The wallet approves immediately.
 *
 * @param parameters.runs - measured runs, after one run that warms up the servers and the browser
 */
export async function benchPhone({ runs }: { runs: number }): Promise<PhoneBench> {
  const stack = await startStack({ phone: true })
  const browser = await launchBrowser()
  const found: PhoneBench[] = []
  try {
    for (let run = 0; run <= runs; run++) found.push(await connectOnce(browser, stack))
  } finally {
    await browser.close()
    await stack.stop()
  }
  const measured = found.slice(1)
  const middle = (key: keyof PhoneBench) => Math.round(median(measured.map((one) => one[key])))
  return {
    total: middle('total'),
    painted: middle('painted'),
    relay: middle('relay'),
    ours: middle('ours'),
  }
}

async function connectOnce(browser: TestBrowser, stack: Stack): Promise<PhoneBench> {
  const [app, phone] = await Promise.all([browser.newPage(), browser.newPage()])
  try {
    for (const { context } of [app, phone]) await context.addInitScript(traceSocket)
    await Promise.all([app.page.goto(stack.book!.url), phone.page.goto(stack.phone!.url)])
    await phone.page.getByText('No connected apps').waitFor()
    // Opening the scanner connects to the relay.
    await phone.page.getByRole('button', { name: 'Scan QR code' }).click()
    // Without a GPU, the page's background film uses half of a CPU core.
    await app.page.getByRole('button', { name: 'Pause the film' }).click()
    await app.page.getByTestId('connect').click()
    await app.page.getByRole('button', { name: /^WalletConnect/ }).click()
    await app.page.getByRole('img', { name: /QR code to connect/ }).waitFor()
    const uri = await scanCode(app.page)

    const shown = app.page.evaluate(untilShown, '[data-testid="account"]')
    const from = await phone.page.evaluate(pairAndApprove, uri ?? '')
    const { shown: to, painted } = await shown
    const relay = relayTime(await logOf(phone), await logOf(app), from)
    return { total: to - from, painted: painted - from, relay, ours: to - from - relay }
  } finally {
    await Promise.all([app.context.close(), phone.context.close()])
  }
}

const logOf = ({ page }: TestPage) => page.evaluate(() => window.socketLog)

/**
 * Time spent waiting for the relay, in ms: delivery of the proposal to the phone, and of the response and
 * the settlement to the page.
 */
function relayTime(phone: SocketLog, app: SocketLog, from: number): number {
  let at = from
  const until = (log: SocketLog, what: SocketLog[number]['what'], frame = '') => {
    const next = log.find((one) => one.at >= at && one.what === what && one.frame === frame)
    if (!next) throw new Error(`The socket log has no entry "${what} ${frame}".`)
    at = next.at
    return at
  }
  const wait = (begin: () => number, end: () => number) => -begin() + end()
  return [
    wait(
      () => until(phone, 'sent', 'irn_subscribe'),
      () => until(phone, 'received', 'irn_subscription'),
    ),
    wait(
      () => until(phone, 'sent', 'wc_approveSession'),
      () => until(app, 'received', 'irn_subscription'),
    ),
    wait(
      () => until(app, 'sent', 'irn_subscribe'),
      () => until(app, 'received', 'irn_subscription'),
    ),
  ].reduce((sum, ms) => sum + ms, 0)
}

/** Runs in the wallet's page: pairs and approves immediately. @returns the start time */
function pairAndApprove(uri: string): number {
  type Wallet = {
    pair(text: string): Promise<void>
    wallet: {
      controls: { watch(run: () => void): void; pending: readonly { approve(): void }[] }
    }
  }
  const { __gatefoldPhone: phone } = window as unknown as { __gatefoldPhone: Wallet }
  const { controls } = phone.wallet
  controls.watch(() => controls.pending[0]?.approve())
  const began = performance.timeOrigin + performance.now()
  void phone.pair(uri)
  return began
}

/** Runs in the app's page: records when an element is added and when it is painted. */
function untilShown(selector: string): Promise<{ shown: number; painted: number }> {
  const now = () => performance.timeOrigin + performance.now()
  return new Promise((resolve) => {
    const check = () => {
      if (!document.querySelector(selector)) return
      observer.disconnect()
      const shown = now()
      requestAnimationFrame(() => {
        // This callback runs before the frame is painted. The message is delivered after the paint.
        const { port1, port2 } = new MessageChannel()
        port1.addEventListener('message', () => {
          port1.close()
          resolve({ shown, painted: now() })
        })
        port1.start()
        port2.postMessage(0)
      })
    }
    const observer = new MutationObserver(check)
    observer.observe(document, { subtree: true, childList: true })
  })
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}

/** Formats the medians as rows of the report. */
export function toRows({ total, painted, relay, ours }: PhoneBench) {
  return [
    {
      what: 'scan to session in the page; bare: the relay’s deliveries',
      unit: 'ms',
      bare: relay,
      gatefold: total,
      limit: '70',
      holds: total <= 70,
    },
    {
      what: 'scan to session in the page, without the relay’s deliveries',
      unit: 'ms',
      bare: undefined,
      gatefold: ours,
      limit: '60',
      holds: ours <= 60,
    },
    { what: 'scan to painted account', unit: 'ms', bare: undefined, gatefold: painted },
  ]
}
