import { fileURLToPath } from 'node:url'

import { listen } from '@gatefold/site'
import type { Frame, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'

import { launchBrowser } from '../browser.ts'
import type { TestBrowser } from '../browser.ts'
import { closeAfterTest } from '../closeAfterTest.ts'
import { storageModes } from './openHost.ts'
import { serveSite } from '../walletConnect/page/serve.ts'
import type { Client } from './client/main.ts'

type Listening = Awaited<ReturnType<typeof listen>>

let site: Awaited<ReturnType<typeof serveSite>>
/** The origin of the frame: a document that does nothing by itself. */
let frames: Listening
/** Another origin. */
let elsewhere: Listening
let page: Page

const frameDocument = `<!doctype html><title>A frame</title><script>
  const received = []
  const say = (data) => parent.postMessage(data, '*')
  addEventListener('message', ({ data, ports: [port] }) => {
    received.push(data)
    if (!port) return
    window.port = port
    port.onmessage = ({ data }) => received.push(data)
  })
</script>`

beforeAll(async () => {
  const serve = () =>
    listen(() => new Response(frameDocument, { headers: { 'content-type': 'text/html' } }), {
      port: 0,
    })
  const root = fileURLToPath(new URL('client', import.meta.url))
  ;[site, frames, elsewhere] = await Promise.all([serveSite({ root }), serve(), serve()])
})
afterAll(async () => {
  await Promise.all([site?.stop(), frames?.stop(), elsewhere?.stop()])
})
declare global {
  interface Window {
    client: Client
  }
  // Runs in the documents of the frames.
  var received: { type: string; id: string }[], port: MessagePort, say: (data: unknown) => void
}

/**
 * Embeds the frame and sends a first request. Resolves once the frame's
 * document is loaded.
 */
async function embed() {
  await page.evaluate((url) => {
    window.client.connected = window.client.connect(`${url}/sdk`)
    void window.client.connected.ask()
  }, frames.url)
  const frame = await (
    await page.waitForSelector('#gatefold-frame', { state: 'attached' })
  )
    .contentFrame()
    .then((found) => found!)
  await frame.waitForFunction(() => typeof say === 'function')
  return frame
}

const outcome = (index = 0) => page.evaluate((at) => window.client.connected.outcome(at), index)
const ready = { type: '@w3m-frame/READY', payload: { version: '1' } }
const success = (id: string, isConnected: boolean) => ({
  type: '@w3m-frame/IS_CONNECTED_SUCCESS',
  id,
  payload: { isConnected },
})

/** The request that the frame receives over its port. */
async function question(frame: Frame) {
  await frame.waitForFunction(() => received.some(({ type }) => type === '@w3m-app/IS_CONNECTED'))
  return frame.evaluate(() => received.find(({ type }) => type === '@w3m-app/IS_CONNECTED')!)
}

/**
 * Lets the frame report that it is ready. @returns the request that it receives
 */
async function open(frame: Frame) {
  await frame.evaluate((message) => say(message), ready)
  return question(frame)
}

/** Replies over the port. */
const answer = (frame: Frame, message: unknown) =>
  frame.evaluate((reply) => port.postMessage(reply), message)

/**
 * Lets the frame report that it is ready, and reply. @returns the outcome, even
 * if the request never arrives
 */
async function openAndAnswer(frame: Frame) {
  const answered = open(frame).then(({ id }) => answer(frame, success(id, true)))
  await Promise.race([answered.catch(() => {}), outcome()])
  return outcome()
}

/**
 * Adds a frame of an origin to the page. This frame reports that the secure
 * frame is ready.
 */
async function addSibling(url: string) {
  const handle = await page.evaluateHandle(async (src) => {
    const sibling = document.createElement('iframe')
    sibling.src = src
    const loaded = new Promise((resolve) => sibling.addEventListener('load', resolve))
    document.body.append(sibling)
    await loaded
    return sibling
  }, url)
  const sibling = (await handle.asElement().contentFrame())!
  await sibling.evaluate((message) => say(message), ready)
  return sibling
}

/** The page is on another site than the frame. */
const pageUrl = () => site.url.replace('localhost', '127.0.0.1')

describe.each(storageModes)('with storage $storage', ({ args, init }) => {
  let browser: TestBrowser
  beforeAll(async () => {
    browser = await launchBrowser({ args })
  })
  afterAll(() => browser?.close())
  beforeEach(async () => {
    const opened = closeAfterTest(await browser.newPage())
    ;({ page } = opened)
    if (init) await opened.context.addInitScript(init)
    await page.goto(pageUrl())
    await page.waitForFunction(() => 'client' in window)
  })

  test('§4.11.1/1 §4.11.2 a request gets its reply over a port, once the frame is ready', async () => {
    const frame = await embed()
    // Messages keep their order, so one of the frame's client would be received before this one.
    await page.evaluate(() =>
      document.querySelector('iframe')!.contentWindow!.postMessage({ type: 'last' }, '*'),
    )
    await frame.waitForFunction(() => received.some(({ type }) => type === 'last'))
    expect(await frame.evaluate(() => received)).toEqual([{ type: 'last' }])
    const { id } = await open(frame)
    expect(id).toMatch(/^[0-9a-f]{32}$/)
    await answer(frame, success(id, true))
    expect(await outcome()).toBe(true)
    expect(
      await frame.evaluate(() => received.filter(({ type }) => /OPEN_PORT/.test(type))),
    ).toHaveLength(1)
  })

  test('attack: neither the page nor another frame of the same origin can report that the secure frame is ready', async () => {
    const frame = await embed()
    await page.evaluate((message) => postMessage(message, '*'), ready)
    const sibling = await addSibling(frames.url)
    // An accepted message would open a channel, which the real message closes:
    // the request would be aborted.
    expect(await openAndAnswer(frame)).toBe(true)
    expect(await sibling.evaluate(() => received)).toEqual([])
  })

  test('attack: a frame that has left its origin cannot report that it is ready', async () => {
    const frame = await embed()
    await frame.goto(elsewhere.url)
    await frame.evaluate((message) => say(message), ready)
    await frame.goto(`${frames.url}/sdk`)
    expect(await openAndAnswer(frame)).toBe(true)
  })

  test('attack: a script in the frame cannot navigate the page, even after a click', async () => {
    const frame = await embed()
    await page.evaluate(() =>
      window.client.connected.place({
        left: 0,
        top: 0,
        width: 300,
        height: 200,
        radius: '0',
        title: 'Frame',
      }),
    )
    await frame.evaluate((url) => {
      document.body.textContent = 'Click'
      addEventListener('click', () => {
        try {
          top!.location.href = url
        } catch (error) {
          document.title = (error as Error).name
        }
      })
    }, elsewhere.url)
    await frame.getByText('Click').click()
    await expect.poll(() => frame.title()).toBe('SecurityError')
    expect(page.url()).toBe(`${pageUrl()}/`)
  })

  test('attack: a reply that does not come over the port is not used', async () => {
    const frame = await embed()
    const { id } = await open(frame)
    const forged = success(id, false)
    await frame.evaluate((message) => say(message), forged)
    await page.evaluate((message) => postMessage(message, '*'), forged)
    const sibling = await addSibling(frames.url)
    await sibling.evaluate((message) => say(message), forged)
    await answer(frame, success(id, true))
    expect(await outcome()).toBe(true)
  })

  test('a reply to another request is not used', async () => {
    const frame = await embed()
    const { id } = await open(frame)
    await answer(frame, success('0'.repeat(32), false))
    await answer(frame, { ...success(id, false), type: '@w3m-frame/GET_USER_SUCCESS' })
    await answer(frame, success(id, true))
    expect(await outcome()).toBe(true)
  })

  test('§5.10.10 a reply without the expected fields is an error, with a warning', async () => {
    const frame = await embed()
    const warning = page.waitForEvent('console', (message) => message.type() === 'warning')
    const { id } = await open(frame)
    await answer(frame, {
      type: '@w3m-frame/IS_CONNECTED_SUCCESS',
      id,
      payload: { isConnected: 1 },
    })
    expect(await outcome()).toEqual({ code: 'frame.failed', message: 'An error occurred' })
    expect((await warning).text()).toContain('IS_CONNECTED')
  })

  test('§8.10.5 the message and code of an error are those of the frame', async () => {
    const frame = await embed()
    const { id } = await open(frame)
    const payload = { message: 'Not now', code: 'too_soon' }
    await answer(frame, { type: '@w3m-frame/IS_CONNECTED_ERROR', id, payload })
    expect(await outcome()).toEqual({ code: 'too_soon', message: 'Not now' })
  })

  test('a reloaded document aborts the requests to the previous one, and replies to the next request', async () => {
    const frame = await embed()
    await open(frame)
    await frame.goto(`${frames.url}/sdk`)
    await frame.evaluate((message) => say(message), ready)
    expect(await outcome()).toMatchObject({ code: 'frame.reloaded' })
    await page.evaluate(() => void window.client.connected.ask())
    const { id } = await question(frame)
    await answer(frame, success(id, true))
    expect(await outcome(1)).toBe(true)
  })

  test('§9.8.1/2 a frame that does not load, or does not respond, results in an error within the time limit', async () => {
    await page.clock.install()
    const frame = await embed()
    await page.clock.runFor(20_000)
    expect(await outcome()).toMatchObject({ code: 'frame.load_failed' })

    await page.evaluate((url) => {
      document.getElementById('gatefold-frame')!.remove()
      window.client.connected = window.client.connect(`${url}/sdk`)
      void window.client.connected.ask({ timeoutMs: 5_000 })
    }, frames.url)
    const second = page.frames().find((one) => one !== page.mainFrame() && one !== frame)!
    await second.waitForFunction(() => typeof say === 'function')
    await open(second)
    await page.clock.runFor(5_000)
    expect(await outcome()).toMatchObject({ code: 'frame.timeout' })
  })

  describe.each<[string, () => void]>([
    ['the frame', () => document.getElementById('gatefold-frame')!.remove()],
    ['the content of its body', () => document.body.replaceChildren()],
    ['its body', () => document.body.replaceWith(document.createElement('body'))],
  ])('if the page removes %s', (_, remove) => {
    const message = 'W3mFrame: iframe is not set'
    const removed = { code: 'frame.removed', message }
    /** The request was not sent. */
    const notSet = { code: 'frame.not_set', message }

    test('§8.10.6 error: a request that waits for its reply ends, and the card is gone', async () => {
      const frame = await embed()
      await open(frame)
      await answer(frame, { type: '@w3m-frame/CARD', payload: { height: 280, kind: 'restore' } })
      await expect.poll(() => page.evaluate(() => window.client.connected.cards.length)).toBe(1)
      await page.evaluate(remove)
      expect(await outcome()).toEqual(removed)
      expect(await page.evaluate(() => window.client.connected.cards.at(-1))).toBeUndefined()
    })

    test('§8.10.6 error: a request that is sent right before ends', async () => {
      const frame = await embed()
      await open(frame)
      await page.evaluate(`window.client.connected.ask(); (${remove.toString()})()`)
      expect(await outcome(1)).toEqual(notSet)
    })

    test('§8.10.6 error: a request that waits for the frame to load ends', async () => {
      await embed()
      await page.evaluate(remove)
      expect(await outcome()).toEqual(notSet)
    })
  })

  test('a frame that the page has moved replies, until the page removes its new parent', async () => {
    const frame = await embed()
    await open(frame)
    await page.evaluate(() => {
      const parent = document.createElement('main')
      parent.append(document.createElement('section'))
      document.body.append(parent)
      parent.firstElementChild!.append(document.getElementById('gatefold-frame')!)
    })
    const moved = await (
      await page.waitForSelector('section iframe', { state: 'attached' })
    )
      .contentFrame()
      .then((found) => found!)
    await moved.waitForFunction(() => typeof say === 'function')
    await moved.evaluate((message) => say(message), ready)
    await page.evaluate(() => void window.client.connected.ask())
    await question(moved)
    await page.evaluate(() => document.querySelector('section')!.remove())
    expect(await outcome(1)).toMatchObject({ code: 'frame.removed' })
  })

  test('a request can be aborted while the frame is loading', async () => {
    await embed()
    await page.evaluate(() => {
      const abort = new AbortController()
      void window.client.connected.ask({ signal: abort.signal })
      abort.abort(Object.assign(new Error('Left'), { code: 'left' }))
    })
    expect(await outcome(1)).toEqual({ code: 'left', message: 'Left' })
  })

  test('attack: a card of an unknown kind is an approval, and a text is not read', async () => {
    const frame = await embed()
    await open(frame)
    for (const payload of [
      { height: 280, kind: 'restore' },
      { height: 300 },
      { height: 310, kind: '<b>Restore</b>', title: 'Send all' },
      { height: -1, kind: 'offer' },
      { height: 'all', kind: 'offer' },
      { height: null, kind: 'offer' },
    ])
      await answer(frame, { type: '@w3m-frame/CARD', payload })
    await expect
      .poll(() => page.evaluate(() => window.client.connected.cards))
      .toEqual([
        { height: 280, kind: 'restore' },
        { height: 300, kind: 'approval' },
        { height: 310, kind: 'approval' },
        undefined,
      ])
  })
})
