import { fileURLToPath } from 'node:url'
import { startChain, type Chain } from '@gatefold/chain'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { launchBrowser, type TestBrowser } from '../browser.ts'
import { startFrame, type FrameStack } from '../frame/startFrame.ts'
import { servePage } from '../verify/page/serve.ts'

let browser: TestBrowser
let chain: Chain
let frame: FrameStack
let host: Awaited<ReturnType<typeof servePage>>

beforeAll(async () => {
  chain = await startChain()
  ;[browser, frame, host] = await Promise.all([
    launchBrowser(),
    startFrame({
      rpcUrls: { 'eip155:31337': [chain.url] },
      project: { confirmDevices: true },
    }),
    servePage(fileURLToPath(new URL('./framePage/', import.meta.url))),
  ])
})
afterAll(async () => {
  await browser?.close()
  await Promise.all([frame?.stop(), host?.stop(), chain?.stop()])
})

async function openApp(): Promise<Page> {
  const { page } = await browser.newPage()
  await page.goto(`http://localhost:${host.port}/?frame=${encodeURIComponent(frame.url)}`)
  await page.waitForFunction(() => 'frameClient' in window)
  return page
}

/** Opens the link of the mail on another device, and confirms. */
async function confirmDevice(email: string) {
  const link = () => frame.lastMail(email).then((text) => /http\S+\/device\?token=\S+/.exec(text))
  await expect.poll(link).not.toBeNull()
  const { page } = await browser.newPage()
  await page.goto((await link())![0])
  await page.getByRole('button', { name: 'Yes, it’s me' }).click()
  await page.getByRole('heading', { name: 'Confirmed' }).waitFor()
}

/** Logs in on a new device, which is confirmed by the link of the mail. @returns the user */
async function login(page: Page, email: string) {
  const { action } = await page.evaluate(
    (address) => window.frameClient.connectEmail({ email: address }),
    email,
  )
  expect(action).toBe('VERIFY_DEVICE')
  await page.evaluate(() => {
    const state = window as { confirmed?: Promise<unknown> }
    state.confirmed = window.frameClient.connectDevice()
  })
  await confirmDevice(email)
  await page.evaluate(() => (window as { confirmed?: Promise<unknown> }).confirmed)
  // The confirmation has mailed the code.
  const code = await frame.codeFor(email)
  await page.evaluate((otp) => window.frameClient.connectOtp({ otp }), code)
  return page.evaluate(() => window.frameClient.connect({ chainId: 31337 }))
}

const request = (page: Page, method: string, params: unknown) =>
  page.evaluate(
    ([name, list]) =>
      window.frameClient
        .request({ method: name, params: list } as never)
        .then((result: unknown) => ({ result }), String),
    [method, params] as const,
  )

describe('the other messages of the official frame client 1.7.15', () => {
  test('§7.16.1 loads the document from the configured URL, with a query of its own', async () => {
    const page = await openApp()
    const { action } = await page.evaluate(() =>
      window.frameClient.connectEmail({ email: 'dorothy@example.com' }),
    )
    expect(action).toBe('VERIFY_DEVICE')
    const { origin, pathname, searchParams } = new URL(
      (await page.locator('#w3m-iframe').getAttribute('src'))!,
    )
    expect({ url: origin + pathname, ...Object.fromEntries(searchParams) }).toEqual({
      url: `${frame.url}/sdk`,
      projectId: 'default',
      chainId: '31337',
      version: '4',
      enableLogger: 'false',
      rpcUrl: 'https://rpc.invalid',
    })
  })

  test('§4.12 logs in on a new device that is confirmed by the link of a mail', async () => {
    const page = await openApp()
    const { address, email } = await login(page, 'ada@example.com')
    expect({ address, email }).toEqual({
      address: expect.stringMatching(/^0x[0-9a-fA-F]{40}$/) as string,
      email: 'ada@example.com',
    })
  })

  test('§7.18.1/4 reloads the frame, and keeps the session', async () => {
    const page = await openApp()
    const { address } = await login(page, 'grace@example.com')
    const body = page.frameLocator('#w3m-iframe').locator('body')
    await body.evaluate(() => Object.assign(window, { isFirst: true }))
    await page.evaluate(() => window.frameClient.reload())
    await expect.poll(() => body.evaluate(() => 'isFirst' in window).catch(() => true)).toBe(false)
    await page.reload()
    await page.waitForFunction(() => 'frameClient' in window)
    expect(await page.evaluate(() => window.frameClient.connect())).toMatchObject({ address })
  })

  test('the name that a page gives itself is accepted, and an approval shows its origin instead', async () => {
    const page = await openApp()
    const { address } = await login(page, 'donald@example.com')
    const metadata = { name: 'Bank', description: '', url: 'https://bank.example', icons: [] }
    await page.evaluate(
      (given) =>
        window.frameClient.syncDappData({
          projectId: 'default',
          sdkVersion: 'html-core-1.7.15',
          metadata: given,
        }),
      metadata,
    )
    const answer = request(page, 'personal_sign', ['0x68656c6c6f', address])
    // The official modal shows the frame now.
    await page.evaluate(() => {
      document.querySelector<HTMLElement>('#w3m-iframe')!.style.display = 'block'
    })
    const card = page.frameLocator('#w3m-iframe').getByRole('dialog')
    await card.getByText(`localhost:${host.port}`).first().waitFor()
    expect(await card.innerText()).not.toMatch(/bank/i)
    await page.evaluate(() => void window.frameClient.rejectRpcRequests())
    expect(await answer).toContain('Request was aborted')
  })

  test('reads the chain and the capabilities through the frame', async () => {
    const page = await openApp()
    const { address } = await login(page, 'hedy@example.com')
    const direct = async (method: string, params: unknown) => {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
      const headers = { 'content-type': 'application/json' }
      const response = await fetch(chain.url, { method: 'POST', body, headers })
      return (await response.json()) as { result: unknown }
    }
    for (const [method, params] of [
      ['eth_getBalance', [address, 'latest']],
      ['eth_getTransactionCount', [address, 'latest']],
      ['eth_getCode', [address, 'latest']],
      ['eth_call', [{ to: address, data: '0x' }, 'latest']],
      ['eth_estimateGas', [{ from: address, to: address }]],
      ['eth_getBlockByNumber', ['0x0', false]],
      ['eth_getTransactionReceipt', [`0x${'00'.repeat(32)}`]],
      ['eth_getLogs', [{ fromBlock: '0x0', toBlock: '0x0' }]],
      ['eth_feeHistory', ['0x1', '0x0', []]],
    ] as const) {
      const { result } = await direct(method, params)
      expect(await request(page, method, params), method).toEqual({ result })
    }
    expect(await request(page, 'eth_accounts', [])).toEqual({ result: [address] })
    // The client sends no account with it.
    expect(await page.evaluate(() => window.frameClient.getCapabilities())).toEqual({})
  })

  test('§6.3.2 error: the frame refuses a method that is on none of its lists', async () => {
    const page = await openApp()
    const { address } = await login(page, 'joan@example.com')
    for (const [method, params] of [
      ['eth_sign', [address, `0x${'00'.repeat(32)}`]],
      ['eth_signTransaction', [{ from: address }]],
      ['anvil_setBalance', [address, '0x1']],
    ] as const)
      expect(await request(page, method, params)).toContain('Requested RPC call is not allowed')
  })
})
