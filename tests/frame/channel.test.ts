import { limits } from '@gatefold/protocol'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launchBrowser, type TestBrowser } from '../browser.ts'
import { storageModes } from './openHost.ts'
import { hostPage, startFrame, type FrameStack } from './startFrame.ts'

type Received = { origin: string; data: { type?: string; id?: string; payload?: unknown } }
declare const window: Window & {
  received: Received[]
  send(name: string, payload?: unknown, id?: string): Promise<Received['data']>
}

let frame: FrameStack
beforeAll(async () => {
  frame = await startFrame()
})
afterAll(() => frame?.stop())

const types = (page: Page) =>
  page.evaluate(() => window.received.map(({ data }) => data.type ?? ''))

const send = (page: Page, name: string, payload?: unknown, id?: string) =>
  page.evaluate(([n, p, i]) => window.send(n, p, i), [name, payload, id] as const)

async function untilReady(page: Page) {
  await expect.poll(() => types(page)).toContain('@w3m-frame/READY')
}

describe.each(storageModes)('with storage $storage', ({ storage, args, init }) => {
  let browser: TestBrowser
  beforeAll(async () => {
    browser = await launchBrowser({ args })
  })
  afterAll(() => browser?.close())

  async function newPage() {
    const opened = await browser.newPage()
    if (init) await opened.context.addInitScript(init)
    return opened
  }

  /** Serves a page on another site than the frame. */
  const serve = async (html: string) =>
    (await frame.serve({ '/': html })).replace('localhost', '127.0.0.1')

  async function openHost(more?: string) {
    const url = await serve(hostPage(frame.documentUrl(), more))
    const opened = await newPage()
    await opened.page.goto(url)
    return { ...opened, url }
  }

  it('§7.16.2 §7.18.1/1 §7.18.1/3 is ready once, with its version, and responds to the page that embeds it', async () => {
    const { page, pageErrors, consoleErrors } = await openHost()
    await untilReady(page)
    expect(await send(page, 'IS_CONNECTED', undefined, 'abc123')).toEqual({
      type: '@w3m-frame/IS_CONNECTED_SUCCESS',
      id: 'abc123',
      payload: { isConnected: false },
    })
    expect(await send(page, 'GET_CHAIN_ID', undefined, 'abc124')).toMatchObject({
      type: '@w3m-frame/GET_CHAIN_ID_ERROR',
      id: 'abc124',
      payload: { message: expect.stringMatching(/./) as string },
    })
    expect(await page.evaluate(() => window.received.map(({ data }) => data))).toMatchObject([
      { type: '@w3m-frame/READY', payload: { version: expect.stringMatching(/^\d/) as string } },
      { type: '@w3m-frame/IS_CONNECTED_SUCCESS' },
      { type: '@w3m-frame/GET_CHAIN_ID_ERROR' },
    ])
    const origins = await page.evaluate(() => window.received.map(({ origin }) => origin))
    expect(new Set(origins)).toEqual(new Set([frame.url]))
    expect({ pageErrors, consoleErrors }).toEqual({ pageErrors: [], consoleErrors: [] })
  })

  it('error: a method that is not on any list is refused, whatever the page filters', async () => {
    const { page } = await openHost()
    await untilReady(page)
    for (const method of ['eth_sign', 'debug_traceTransaction', 'constructor', ''])
      expect(
        await send(page, 'RPC_REQUEST', { method, params: [], chainId: 1 }),
        method,
      ).toMatchObject({
        type: '@w3m-frame/RPC_REQUEST_ERROR',
        payload: { message: expect.stringMatching(/not available|not allowed/) as string },
      })
  })

  it('error: a login that waits for its device ends when another login starts', async () => {
    const { page } = await openHost()
    await untilReady(page)
    let isAnswered = false
    const anotherStarted = Promise.withResolvers<void>()
    await page.route('**/api/login/device', async (route) => {
      await anotherStarted.promise
      // A second question about the first login would be confirmed.
      await route.fulfill({ json: { isConfirmed: isAnswered } })
      isAnswered = true
    })
    const connect = (email: string) => send(page, 'CONNECT_EMAIL', { email })
    expect(await connect(`joan-${storage}@example.com`)).toMatchObject({
      type: '@w3m-frame/CONNECT_EMAIL_SUCCESS',
    })
    const asked = page.waitForRequest('**/api/login/device')
    const waiting = send(page, 'CONNECT_DEVICE')
    await asked
    expect(await connect(`hedy-${storage}@example.com`)).toMatchObject({
      type: '@w3m-frame/CONNECT_EMAIL_SUCCESS',
    })
    anotherStarted.resolve()
    expect(await waiting).toMatchObject({
      type: '@w3m-frame/CONNECT_DEVICE_ERROR',
      payload: { message: 'Another login has started.' },
    })
  })

  it('§7.17.3 RPC_ABORT gets no reply, because official clients know none', async () => {
    const { page } = await openHost()
    await untilReady(page)
    await page.evaluate(() => void window.send('RPC_ABORT'))
    // This reply comes later, so the first message would have had a reply by now.
    await send(page, 'IS_CONNECTED')
    expect(await types(page)).toEqual(['@w3m-frame/READY', '@w3m-frame/IS_CONNECTED_SUCCESS'])
  })

  it('§8.10.6 error: a document that no page embeds warns that it has no parent', async () => {
    const { page } = await newPage()
    const warning = page.waitForEvent('console', (message) => message.type() === 'warning')
    await page.goto(frame.documentUrl())
    expect((await warning).text()).toBe('W3mFrame: parent is not set')
  })

  it('attack: a page of an origin that is not in the project cannot embed the frame', async () => {
    const url = await serve(hostPage(frame.documentUrl('nobody')))
    const { page } = await newPage()
    await page.goto(url)
    const inner = page.frames().find((one) => one.url().startsWith(frame.url))
    expect(inner).toBeUndefined()
    expect(await types(page)).toEqual([])
  })

  it('attack: a frame inside another frame does not answer, although both pages may embed it', async () => {
    const inner = await serve(hostPage(frame.documentUrl()))
    const outer = await serve(hostPage(inner))
    const { page } = await newPage()
    await page.goto(outer)
    const middle = page.frames().find((one) => one.url().startsWith(inner))!
    const read = () => middle.evaluate(() => window.received.map(({ data }) => data.type))
    await expect.poll(read).toContain('@w3m-frame/READY')
    const frameInside = page.frames().find((one) => one.url().startsWith(frame.url))!
    // Messages keep their order, so a reply would arrive before this one.
    await frameInside.evaluate(() => {
      addEventListener('message', ({ data }) => {
        if (data === 'ping') setTimeout(() => parent.postMessage({ type: 'pong' }, '*'))
      })
    })
    await middle.evaluate(() => {
      void window.send('GET_SMART_ACCOUNT_ENABLED_NETWORKS')
      document.querySelector('iframe')!.contentWindow!.postMessage('ping', '*')
    })
    await expect.poll(read).toContain('pong')
    expect(await read()).toEqual(['@w3m-frame/READY', 'pong'])
  })

  it('attack: a sibling frame, a pop-up and the top page of another window get no answer', async () => {
    const attack = `<script>
    const target = (opener ?? parent).frames[0]
    addEventListener('message', (event) => {
      if (event.source === target) (opener ?? parent).postMessage('leaked', '*')
    })
    for (const name of ['IS_CONNECTED', 'GET_CHAIN_ID', 'GET_USER', 'SIGN_OUT'])
      target.postMessage({ type: '@w3m-app/' + name, id: 'attack' + name }, '*')
    document.title = 'sent'
  </script>`
    const evil = await serve(attack)
    const { page } = await openHost(
      `<iframe id="sibling" name="sibling" src="about:blank"></iframe>`,
    )
    await untilReady(page)
    await page.evaluate((url) => {
      document.querySelector<HTMLIFrameElement>('#sibling')!.src = url
    }, evil)
    const popup = page.waitForEvent('popup')
    await page.evaluate((url) => void window.open(url), evil)
    const attackers = [await popup, page.frames().find((one) => one.name() === 'sibling')!]
    for (const attacker of attackers) await expect.poll(() => attacker.title()).toBe('sent')
    // The first accepted message sets the origin, so this one gets a reply only
    // if none of theirs was accepted.
    await page.evaluate(() => void window.send('IS_CONNECTED', undefined, 'own'))
    const received = () => page.evaluate(() => JSON.stringify(window.received))
    await expect.poll(received).toContain('"id":"own"')
    const seen = await received()
    expect(seen).not.toContain('attack')
    expect(seen).not.toContain('leaked')
  })

  it('attack: a message above the limits gets no reply, from the window or over a port', async () => {
    const { page } = await openHost()
    await untilReady(page)
    const answered = await page.evaluate(
      async ({ frameMessageDepth: depth, frameMessageLength }) => {
        const target = document.querySelector<HTMLIFrameElement>('#w3m-iframe')!.contentWindow!
        const { port1, port2 } = new MessageChannel()
        target.postMessage({ type: '@w3m-app/OPEN_PORT', id: 'port' }, '*', [port2])
        const ids: (string | undefined)[] = []
        const last = new Promise<void>((resolve) => {
          let waiting = 2
          const take = ({ data }: MessageEvent<Received['data']>) => {
            if (data.type !== '@w3m-frame/IS_CONNECTED_SUCCESS') return
            ids.push(data.id)
            if (data.id?.endsWith('last') && (waiting -= 1) === 0) resolve()
          }
          addEventListener('message', take)
          port1.addEventListener('message', take)
          port1.start()
        })
        const nested = JSON.parse('{"a":'.repeat(depth) + '1' + '}'.repeat(depth)) as object
        const messages = {
          long: 'x'.repeat(frameMessageLength),
          deep: nested,
          map: new Map(),
          last: {},
        }
        for (const [name, payload] of Object.entries(messages)) {
          const message = { type: '@w3m-app/IS_CONNECTED', payload }
          target.postMessage({ ...message, id: `window-${name}` }, '*')
          port1.postMessage({ ...message, id: `port-${name}` })
        }
        await last
        return ids.map(String).toSorted()
      },
      limits,
    )
    expect(answered).toEqual(['port-last', 'window-last'])
  })

  it('§5.10.10 100,000 malformed messages: no reply, no exception, no growth', async () => {
    const { page, pageErrors } = await openHost()
    await untilReady(page)
    const heap = async () => {
      const cdp = await page.context().newCDPSession(page)
      await cdp.send('HeapProfiler.collectGarbage')
      const { usedSize } = await cdp.send('Runtime.getHeapUsage')
      await cdp.detach()
      return usedSize
    }
    await page.evaluate(() => (window.received.length = 0))
    const before = await heap()
    await page.evaluate(async () => {
      const target = document.querySelector<HTMLIFrameElement>('#w3m-iframe')!.contentWindow!
      const values = [null, 0, '', 'x', [], {}, true, -1, { a: { b: 1 } }, 'é'.repeat(50), 1e308]
      const names = [
        'CONNECT_EMAIL',
        'CONNECT_OTP',
        'RPC_REQUEST',
        'SWITCH_NETWORK',
        'SYNC_THEME',
        'x',
      ]
      const pick = <Item>(list: readonly Item[], at: number) => list[at % list.length]!
      for (let at = 0; at < 100_000; at += 1) {
        const payload = pick(values, at)
        const message = pick(
          [
            payload,
            { type: pick(values, at >> 3), payload, id: pick(values, at >> 5) },
            {
              type: `@w3m-app/${pick(names, at >> 2)}`,
              payload,
              id: pick([{}, '', null, 5], at >> 4),
            },
            { type: `@w3m-app/${pick(names, at >> 2)}`, payload: [payload], id: 'a'.repeat(65) },
            { type: `@w3m-frame/${pick(names, at)}_SUCCESS`, payload, id: 'abc' },
            { type: `@w3m-app/CONNECT_OTP`, payload: { otp: payload ?? 5 }, id: {} },
          ],
          at,
        )
        target.postMessage(message, '*')
        if (at % 5_000 === 0) await new Promise((resolve) => setTimeout(resolve))
      }
    })
    await send(page, 'IS_CONNECTED', undefined, 'last')
    expect(await types(page)).toEqual(['@w3m-frame/IS_CONNECTED_SUCCESS'])
    expect(pageErrors).toEqual([])
    expect((await heap()) - before).toBeLessThan(10_000_000)
  })
})
