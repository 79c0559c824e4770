import { brotliCompressSync } from 'node:zlib'
import type { TestBrowser } from '@gatefold/tests/browser'
import { clickAt } from './clickAt.ts'
import type { HostReply, HostWindow } from './startHost.ts'
import type { MailServer } from './startMail.ts'

declare const window: HostWindow

export type Visits = {
  /** From the submitted address to the painted account, without the mail; ms. */
  newVisitor: number
  /** From the start of the page's load to the account; ms. */
  returningVisitor: number
  /** From the click on Sign to the signature in the page; ms. */
  approval: number
  /**
   * Size of what the frame loads before the first approval: its document,
   * scripts and styles after Brotli; bytes.
   */
  bytes: number
}

/**
 * Measures visits in a real browser, each in a new profile. The results are medians.
 *
 * @param options.host - the page that embeds the frame.
 */
export async function benchVisits(options: {
  browser: TestBrowser
  frameUrl: string
  host: string
  mail: MailServer
  runs: number
}): Promise<Visits> {
  const { browser, frameUrl, host, mail, runs } = options
  const visits: Visits[] = []
  for (let run = 0; run < runs; run += 1) {
    const { page, context } = await browser.newPage()
    const loaded = new Set<string>()
    context.on('request', (request) => {
      const { origin, pathname } = new URL(request.url())
      if (origin === frameUrl && (pathname === '/sdk' || pathname.startsWith('/assets/')))
        loaded.add(request.url())
    })
    await page.goto(host)
    const email = `run-${run}@example.com`
    const mailed = mail.nextCode(email)
    const submitted = await page.evaluate(async (address) => {
      const begin = window.now()
      const { type } = await window.send('CONNECT_EMAIL', { email: address })
      return { type, ms: window.now() - begin }
    }, email)
    const entered = await page.evaluate(
      async (otp) => {
        const begin = window.now()
        await window.send('CONNECT_OTP', { otp })
        const reply = await window.send('GET_USER', {})
        return { reply, ms: window.now() - begin }
      },
      await mailed,
    )
    const address = addressIn(entered.reply)
    const bytes = await sizeOf([...loaded])

    await page.evaluate((from) => {
      const request = {
        method: 'personal_sign',
        params: ['0x68656c6c6f', from],
        chainId: 31_337,
      }
      window.waiting = window.send('RPC_REQUEST', request).then((reply) => ({
        at: window.now(),
        reply,
      }))
    }, address)
    const clicked = await clickAt(page, 'Sign')
    const signed = await page.evaluate(async () => window.waiting!)
    if (!/^0x[0-9a-f]{130,}$/.test(String(signed.reply.payload)))
      throw new Error(`no signature: ${JSON.stringify(signed.reply)}`)
    const approval = signed.at - (await clicked())

    await page.goto(`${host}/?returning`)
    const returned = await page.evaluate(async () => window.returned!)
    if (addressIn(returned.reply) !== address) throw new Error('another account after the reload')
    visits.push({
      newVisitor: submitted.ms + entered.ms,
      returningVisitor: returned.ms,
      approval,
      bytes,
    })
    await context.close()
  }
  const median = (name: keyof Visits) =>
    visits.map((visit) => visit[name]).toSorted((a, b) => a - b)[Math.floor(runs / 2)]!
  return {
    newVisitor: median('newVisitor'),
    returningVisitor: median('returningVisitor'),
    approval: median('approval'),
    bytes: median('bytes'),
  }
}

/**
 * The bytes of responses after Brotli. The browser does not report those of
 * workers.
 */
async function sizeOf(urls: string[]): Promise<number> {
  const sizes = urls.map(async (url) => {
    const response = await fetch(url)
    if (!response.ok) throw new Error(`${response.status} for ${url}`)
    return brotliCompressSync(Buffer.from(await response.arrayBuffer())).length
  })
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
}

/** @throws if the visitor is not logged in. */
export function addressIn({ type, payload }: HostReply): string {
  const { address } = (payload ?? {}) as { address?: string }
  if (address === undefined) throw new Error(`no account: ${type} ${JSON.stringify(payload)}`)
  return address
}
