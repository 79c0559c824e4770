import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { accounts, chainData, faucet, fundFaucet, startChain, type Chain } from '@gatefold/chain'
import type { OnrampOrder, OnrampUrlResponse } from '@gatefold/protocol/gateway'
import { startServer, type RunningServer } from '@gatefold/server'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { axe, launchBrowser, type TestBrowser } from '../browser.ts'

const id = 'eip155:31337'
const [, receiver] = accounts

let chain: Chain
let server: RunningServer
/**
 * A page of the project, to which orders redirect back, and which frames an
 * order's page.
 */
let site: Server
let siteUrl = ''
let framed = ''
let browser: TestBrowser
beforeAll(async () => {
  chain = await startChain()
  await fundFaucet(chain)
  server = await startServer({
    port: 0,
    roles: ['money'],
    logLevel: 'silent',
    dataDir: ':memory:',
    rpcUrls: { [id]: [chain.url] },
    chains: chainData,
    onramp: { sandbox: { faucetKey: faucet.privateKey } },
  })
  site = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html')
    response.end(`<title>Site</title><iframe src="${framed}"></iframe>`)
  })
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
  siteUrl = `http://localhost:${(site.address() as AddressInfo).port}/`
  browser = await launchBrowser()
})
afterAll(async () => {
  await browser?.close()
  site?.closeAllConnections()
  site?.close()
  await server?.stop()
  await chain?.stop()
})

async function order(): Promise<OnrampUrlResponse> {
  const response = await fetch(`${server.url}/v1/generators/onrampurl`, {
    method: 'POST',
    body: JSON.stringify({
      destinationWallets: [{ address: receiver.address, assets: ['ETH'] }],
      presetFiatAmount: 250,
      returnUrl: siteUrl,
    }),
  })
  return (await response.json()) as OnrampUrlResponse
}
const read = async (orderId: string) =>
  (await (await fetch(`${server.url}/v1/onramp/orders/${orderId}`)).json()) as OnrampOrder

describe.each([
  { name: 'a desktop in light', width: 600, height: 800, colorScheme: 'light' },
  { name: 'a phone in dark', width: 390, height: 844, colorScheme: 'dark', touch: true },
] as const)('on $name', (options) => {
  test('a visitor corrects the form, confirms, waits, and returns to the site', async () => {
    const { url, order: created } = await order()
    const { page, context, consoleErrors, pageErrors } = await browser.newPage(options)
    await page.goto(url)
    expect(await page.getByText('$250.00').first().isVisible()).toBe(true)
    expect(await page.getByText(receiver.address).isVisible()).toBe(true)
    expect(await axe(page)).toEqual([])
    const scrollWidth = await page.evaluate(() => document.documentElement.scrollWidth)
    expect(scrollWidth).toBeLessThanOrEqual(options.width)

    await page.getByLabel('Card number').pressSequentially('4111111111111111')
    expect(await page.getByLabel('Card number').inputValue()).toBe('4111 1111 1111 1111')
    await page.getByLabel('Expires').pressSequentially('1240')
    await page.getByRole('button', { name: 'Pay $250.00' }).click()
    const number = page.getByLabel('Card number')
    await number.and(page.locator('[aria-invalid]')).waitFor()
    expect(await number.evaluate((input) => input === document.activeElement)).toBe(true)
    expect(await page.getByText('Real cards don’t work here').isVisible()).toBe(true)
    expect(await page.getByLabel('Expires').inputValue()).toBe('12 / 40')
    expect(await axe(page)).toEqual([])

    await page.getByText('Test cards', { exact: true }).click()
    await page.getByRole('button', { name: '4000 0027 6000 3184' }).click()
    await page.getByRole('button', { name: 'Pay $250.00' }).click()
    await page.getByRole('heading', { name: 'Confirm with your bank' }).waitFor()
    expect(await axe(page)).toEqual([])
    await page.getByRole('button', { name: 'Approve' }).click()
    await page.getByRole('heading', { name: 'ETH is in your wallet' }).waitFor()
    expect(await axe(page)).toEqual([])
    expect((await read(created.id)).status).toBe('paid')
    await page.getByRole('link', { name: 'Return to localhost' }).click()
    await page.waitForURL(siteUrl)
    expect(pageErrors).toEqual([])
    // Chromium reports the form with errors, which is a 422.
    expect(consoleErrors.filter((text) => !text.includes('422'))).toEqual([])
    await context.close()
  })

  test('a declined payment and a slow payment have their own pages', async () => {
    const [declined, slow] = [await order(), await order()]
    const { page, context } = await browser.newPage(options)
    await page.goto(declined.url)
    await page.getByText('Test cards', { exact: true }).click()
    await page.getByRole('button', { name: '4000 0000 0000 0002' }).click()
    await page.getByRole('button', { name: 'Pay $250.00' }).click()
    await page.getByRole('heading', { name: 'Your bank said no' }).waitFor()
    expect(await axe(page)).toEqual([])
    await page.goto(slow.url)
    await page.getByText('Test cards', { exact: true }).click()
    await page.getByRole('button', { name: '4000 0000 0000 0077' }).click()
    await page.getByRole('button', { name: 'Pay $250.00' }).click()
    await page.getByText('On its way').waitFor()
    expect(await axe(page)).toEqual([])
    await context.close()
  })
})

test('the form works without scripts', async () => {
  const { url, order: created } = await order()
  const { page, context } = await browser.newPage({ javaScript: false })
  await page.goto(url)
  await page.getByLabel('Card number').fill('4242 4242 4242 4242')
  await page.getByLabel('Expires').fill('12/40')
  await page.getByLabel('Security code').fill('123')
  await page.getByRole('button', { name: 'Pay $250.00' }).click()
  // The answer to the form replaces it: a reload before that would abort the navigation.
  await page.getByLabel('Card number').waitFor({ state: 'detached' })
  await expect.poll(async () => (await read(created.id)).status).toBe('paid')
  await page.reload()
  await page.getByRole('heading', { name: 'ETH is in your wallet' }).waitFor()
  await context.close()
})

test('attack: another site cannot frame the page of an order', async () => {
  framed = (await order()).url
  const { page, context, consoleErrors } = await browser.newPage()
  await page.goto(siteUrl)
  const frame = page.frames()[1]!
  await expect.poll(() => frame.url()).toMatch(/^chrome-error:|sandbox/)
  expect(await frame.getByRole('heading').count()).toBe(0)
  expect(consoleErrors.join()).toContain('frame-ancestors')
  await context.close()
})
