import { accounts, startBundler, type Chain } from '@gatefold/chain'
import type { TestBrowser } from '@gatefold/tests/browser'
import { sponsorOperations } from '@gatefold/tests/sponsorOperations'
import { createPublicClient, http } from 'viem'
import { addressIn } from './benchVisits.ts'
import { clickAt, type Page } from './clickAt.ts'
import { startFrameServer } from './startFrameServer.ts'
import { startHost, type HostWindow } from './startHost.ts'
import type { MailServer } from './startMail.ts'

declare const window: HostWindow

/** Interval in ms at which the chain is polled for a new block. */
const pollMs = 5

/**
 * Measures a sponsored operation in a real browser with a real bundler, from the request to the hash of the executed
 * transaction. Excludes the time in which the visitor reads the approval, the time of the requests to the bundler, and
 * the time from sending the operation to the block that contains it.
 *
 * @returns the median in ms, without the first operation, which creates the
 *   account.
 */
export async function benchSponsored(options: {
  browser: TestBrowser
  chain: Chain
  mail: MailServer
  dataDir: string
  runs: number
}): Promise<number> {
  const { browser, chain, mail, dataDir, runs } = options
  const bundler = await startBundler(chain)
  const server = await startFrameServer({
    dataDir,
    smtpUrl: mail.url,
    rpcUrl: chain.url,
    bundlerUrl: bundler.url,
  })
  const host = await startHost(server.url)
  try {
    await sponsorOperations({ GATEFOLD_DATA_DIR: dataDir })
    const { page } = await browser.newPage()
    await page.goto(host.url)
    const email = 'sponsored@example.com'
    const mailed = mail.nextCode(email)
    await page.evaluate((address) => window.send('CONNECT_EMAIL', { email: address }), email)
    const reply = await page.evaluate(
      async (otp) => {
        await window.send('CONNECT_OTP', { otp })
        return window.send('GET_USER', { chainId: 31_337 })
      },
      await mailed,
    )
    const from = addressIn(reply)
    const times: number[] = []
    for (let run = 0; run <= runs; run += 1) times.push(await measure(page, chain, from))
    return times.slice(1).toSorted((a, b) => a - b)[Math.floor(runs / 2)]!
  } finally {
    await Promise.all([host.stop(), server.program.stop()])
    await bundler.stop()
  }
}

/**
 * Sends an operation without a value to another account. Returns the time of
 * the frame and of its server in ms.
 */
async function measure(page: Page, chain: Chain, from: string): Promise<number> {
  const inside = page.frameLocator('#w3m-iframe')
  await inside.locator('body').evaluate(() => performance.clearResourceTimings())
  const asked = await page.evaluate(
    ([sender, to]) => {
      const request = {
        method: 'eth_sendTransaction',
        params: [{ from: sender, to, value: '0x0' }],
        chainId: 31_337,
      }
      window.waiting = window.send('RPC_REQUEST', request).then((reply) => ({
        at: window.now(),
        reply,
      }))
      return window.now()
    },
    [from, accounts[1].address] as const,
  )
  await inside.getByRole('dialog', { name: 'Approve Transaction' }).waitFor()
  const shown = await page.evaluate(() => window.now())
  const mined = untilNextBlock(chain)
  const clicked = await clickAt(page, 'Approve')
  const { at: replied, reply } = await page.evaluate(async () => window.waiting!)
  if (!/^0x[0-9a-f]{64}$/.test(String(reply.payload)))
    throw new Error(`the operation failed: ${JSON.stringify(reply)}`)
  const requests = await inside.locator('body').evaluate(() =>
    performance
      .getEntriesByType('resource')
      .filter(({ name }) => new URL(name).pathname === '/bundler')
      .map(({ startTime, duration }) => ({ at: performance.timeOrigin + startTime, duration })),
  )
  const before = requests.filter(({ at }) => at < shown)
  const clickedAt = await clicked()
  const sent = requests.find(({ at }) => at >= clickedAt)
  if (!sent) throw new Error('no operation was sent to the bundler')
  const minedAt = await mined
  return shown - asked - busyMs(before) + (sent.at - clickedAt) + (replied - minedAt)
}

/** The time during which at least one of several requests was running. */
function busyMs(requests: { at: number; duration: number }[]): number {
  let end = -Infinity
  let busy = 0
  for (const { at, duration } of requests.toSorted((a, b) => a.at - b.at)) {
    busy += Math.max(0, at + duration - Math.max(at, end))
    end = Math.max(end, at + duration)
  }
  return busy
}

/** Waits for a chain's next block. Returns its time in ms since the epoch. */
async function untilNextBlock(chain: Chain): Promise<number> {
  const client = createPublicClient({ transport: http(chain.url), cacheTime: 0 })
  const first = await client.getBlockNumber()
  for (;;) {
    if ((await client.getBlockNumber()) > first) return performance.timeOrigin + performance.now()
    await new Promise((resolve) => setTimeout(resolve, pollMs))
  }
}
