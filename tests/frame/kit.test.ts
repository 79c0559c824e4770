import { fileURLToPath } from 'node:url'

import type { Page } from 'playwright-core'
import { stringToHex, type Address, type EIP1193Provider } from 'viem'
import { createSiweMessage } from 'viem/siwe'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { launchBrowser } from '../browser.ts'
import type { TestBrowser } from '../browser.ts'
import { serveSite } from '../walletConnect/page/serve.ts'
import { startFrame } from './startFrame.ts'
import type { FrameStack } from './startFrame.ts'
import { pressUntilGone } from './pressUntilGone.ts'

declare const window: Window & {
  provider: EIP1193Provider
  speak(locale: string): void
  send(to: string): Promise<string>
  outcome: Promise<unknown>
}

// A dark page in German, in a browser that prefers English and light pages. One visit; the tests build on each other.

const email = 'mira@north.example'
let browser: TestBrowser
let frame: FrameStack
let site: Awaited<ReturnType<typeof serveSite>>
let page: Page
beforeAll(async () => {
  const root = fileURLToPath(new URL('kitSite', import.meta.url))
  const rpc = 'http://127.0.0.1:9'
  ;[browser, site, frame] = await Promise.all([
    launchBrowser(),
    serveSite({ root }),
    startFrame({ rpcUrls: { 'eip155:31337': [rpc] } }),
  ])
  ;({ page } = await browser.newPage({ colorScheme: 'light' }))
  await page.goto(`${site.url}/?${new URLSearchParams({ frame: frame.url, rpc, locale: 'de' })}`)
})
afterAll(async () => {
  await browser?.close()
  await Promise.all([site?.stop(), frame?.stop()])
})

const card = () => page.locator('[data-gatefold] [role="dialog"]')
const secure = () => page.frameLocator('#gatefold-frame')

/** Presses a button in the frame, until it is gone. */
async function press(name: string) {
  const button = secure().getByRole('button', { name, exact: true })
  await pressUntilGone(button)
}

/** Sends a request from the page. Its outcome is the signature, or the code of the error. */
async function request(method: string, params: unknown[]) {
  await page.evaluate(
    (call) => {
      window.outcome = window.provider
        .request(call as never)
        .catch(({ code }: { code: number }) => code)
    },
    { method, params },
  )
}
const outcome = () => page.evaluate(() => window.outcome)

/** What the modal and the frame show. */
async function shown() {
  const html = secure().locator('html')
  await secure().getByRole('dialog').getByRole('heading').waitFor()
  return {
    title: await card()
      .getAttribute('aria-label')
      .then(async (label) => label ?? titleOfCard()),
    frame: await page.locator('#gatefold-frame').getAttribute('title'),
    language: await html.getAttribute('lang'),
    theme: await html.getAttribute('data-theme'),
    heading: await secure().getByRole('dialog').getByRole('heading').textContent(),
  }
}

async function titleOfCard() {
  const id = await card().getAttribute('aria-labelledby')
  return page.locator(`[id="${id}"]`).textContent()
}

const address = async () => (await page.locator('output').textContent()) as Address

const signing = {
  title: 'Nachricht unterschreiben',
  frame: 'Sichere Wallet',
  language: 'de',
  theme: 'dark',
  heading: 'Nachricht unterschreiben',
}

test('the frame, its name and the mail are in the language of the modal', async () => {
  await page.getByRole('button', { name: 'Verbinden' }).click()
  await card().getByLabel('E-Mail-Adresse').fill(email)
  await card().getByLabel('E-Mail-Adresse').press('Enter')
  await card().getByLabel('6-stelliger Code').waitFor()
  const code = await frame.codeFor(email)
  const { host, origin } = new URL(site.url)
  await card().getByText(`Die E-Mail nennt ${host}, und der Code gilt 5 Minuten.`).waitFor()
  expect(await frame.lastMail(email)).toContain(`Gib diesen Code auf ${origin} ein`)
  await card().getByLabel('6-stelliger Code').fill(code)
  await expect.poll(shown).toMatchObject({
    title: 'Passkey hinzufügen',
    frame: 'Sichere Wallet',
    language: 'de',
    theme: 'dark',
  })
  await press('Nicht jetzt')
  await page.locator('output:not(:empty)').waitFor()
  await card().waitFor({ state: 'detached' })
})

test('the title says what is signed', async () => {
  const from = await address()
  await request('personal_sign', [stringToHex('Hallo'), from])
  await expect.poll(shown).toEqual(signing)
  await press('Ablehnen')
  expect(await outcome()).toBe(4001)

  const { host } = new URL(site.url)
  const signIn = createSiweMessage({
    address: from,
    chainId: 31337,
    domain: host,
    nonce: 'k29sDk30fkgMw8Zq',
    uri: site.url,
    version: '1',
  })
  await request('personal_sign', [stringToHex(signIn), from])
  await expect.poll(shown).toMatchObject({ title: 'Anmelden' })
  await press('Ablehnen')
  expect(await outcome()).toBe(4001)

  const typedData = {
    domain: { name: 'Harbor', chainId: 31337 },
    types: { EIP712Domain: [], Note: [{ name: 'text', type: 'string' }] },
    primaryType: 'Note',
    message: { text: 'Hallo' },
  }
  await request('eth_signTypedData_v4', [from, JSON.stringify(typedData)])
  await expect.poll(shown).toMatchObject({ title: 'Daten unterschreiben' })
  await press('Ablehnen')
  expect(await outcome()).toBe(4001)
})

test('a document of the frame that reloads gets the theme and the language again', async () => {
  await request('personal_sign', [stringToHex('Hallo'), await address()])
  await expect.poll(shown).toEqual(signing)
  const html = secure().locator('html')
  await html.evaluate(() => location.reload())
  // The request is gone with the document that showed it.
  expect(await outcome()).toBe(6000)
  await card().waitFor({ state: 'detached' })
  await request('personal_sign', [stringToHex('Hallo'), await address()])
  await expect.poll(shown).toEqual(signing)

  await page.evaluate(() => window.speak('en'))
  await expect.poll(shown).toMatchObject({ title: 'Sign Message', frame: 'Secure wallet' })
  await secure().locator('[aria-disabled=false]').filter({ hasText: 'Unterschreiben' }).waitFor()
  await press('Unterschreiben')
  expect(await outcome()).toMatch(/^0x[0-9a-f]{130}$/)
})

test.each([
  [
    'reloads',
    () =>
      secure()
        .locator('html')
        .evaluate(() => location.reload()),
  ],
  ['is removed', () => page.locator('#gatefold-frame').evaluate((frame) => frame.remove())],
])('error: a transaction may have been sent if the frame %s before it replied', async (_, end) => {
  const node = `${frame.url}/rpc?**`
  await page.route(node, () => {}) // the node does not respond
  const asked = page.waitForRequest(node)
  await page.evaluate(
    (to) => {
      window.outcome = window.send(to).catch(({ code }: { code: string }) => code)
    },
    await address(),
  )
  await asked
  await end()
  expect(await outcome()).toBe('wallet.wrong_hash')
  await card().waitFor({ state: 'detached' })
  await page.unroute(node)
})

test('after a reload, the page gets the provider, however long the frame takes to load', async () => {
  await page.clock.install()
  const held = Promise.withResolvers<void>()
  const asked = page.waitForRequest(`${frame.url}/sdk?**`)
  await page.route(`${frame.url}/sdk?**`, async (route) => {
    await held.promise
    await route.continue()
  })
  await page.reload()
  await asked
  // Longer than any request for the provider is repeated.
  for (let second = 0; second < 10; second++) await page.clock.fastForward(1_000)
  held.resolve()
  await page.locator('output:not(:empty)').waitFor()
})

test('after another login, the page gets the provider of the new session', async () => {
  await page.getByRole('button', { name: /0x|mira/ }).click()
  await card().getByRole('button', { name: 'Trennen' }).click()
  await page.locator('output:empty').waitFor({ state: 'attached' })
  frame.advance(31)
  await page.getByRole('button', { name: 'Verbinden' }).click()
  await card().getByLabel('E-Mail-Adresse').fill(email)
  await card().getByLabel('E-Mail-Adresse').press('Enter')
  await card()
    .getByLabel('6-stelliger Code')
    .fill(await frame.codeFor(email, 2))
  await page.locator('output:not(:empty)').waitFor()
  await card().waitFor({ state: 'detached' })
  expect(await page.evaluate(() => window.provider.request({ method: 'eth_accounts' }))).toEqual([
    await address(),
  ])
})
