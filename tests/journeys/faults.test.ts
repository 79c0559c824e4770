import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { launchBrowser } from '../browser.ts'
import type { TestBrowser } from '../browser.ts'
import { closeAfterTest } from '../closeAfterTest.ts'
import { startStack } from '../stack.ts'
import type { Stack } from '../stack.ts'
import { openBook, countRequests } from './bookPage.ts'
import type { BookPage } from './bookPage.ts'

let stack: Stack
let browser: TestBrowser
const halyard = 'dev.gatefold.halyard'

beforeAll(async () => {
  ;[stack, browser] = await Promise.all([startStack(), launchBrowser()])
})
afterAll(async () => {
  await browser?.close()
  await stack?.stop()
})

const open = async () => closeAfterTest(await openBook(browser, stack.book!.url))

/** Calls a method of the controls for the demo wallet Halyard. */
const wallet = (page: BookPage, run: string, ...values: unknown[]) =>
  page.page.evaluate(
    ([name, method, parameters]) => {
      const { __gatefoldWallets: wallets } = globalThis as unknown as {
        __gatefoldWallets: Record<string, Record<string, (...values: unknown[]) => unknown>>
      }
      return wallets[name as string]![method]!(...parameters)
    },
    [halyard, run, values] as const,
  )

describe('a misbehaving wallet', () => {
  test('§8.11.4 declines to connect: the modal shows the reason and the visitor can retry', async () => {
    const page = await open()
    await page.connect.click()
    await page.row(/^Halyard/).click()
    await page.reject()
    await page.card.getByText('You declined the request in Halyard').waitFor()
    await page.row('Try again').click()
    await page.approve()
    await page.account.waitFor()
    expect(await countRequests(page.page, halyard, 'wallet_requestPermissions')).toBe(2)
  })

  test('does not respond: the visitor can close the modal, and a late response is ignored', async () => {
    const page = await open()
    await page.connect.click()
    await page.row(/^Halyard/).click()
    await page.card.getByText('Open Halyard to continue').waitFor()
    await page.page.keyboard.press('Escape')
    await page.card.waitFor({ state: 'detached' })
    await page.approve()
    await page.connectWith('Nacre')
    await page.account.click()
    await page.card.waitFor()
    expect(await page.card.getByText('Halyard').count()).toBe(0)
  })

  test('§4.1.8 revokes its accounts: the page disconnects', async () => {
    const page = await open()
    await page.connectWith('Halyard')
    await wallet(page, 'loseAccounts')
    await page.connect.waitFor()
  })

  test('switches the account: the page updates', async () => {
    const page = await open()
    await page.connectWith('Halyard')
    const before = await page.account.getAttribute('data-address')
    await wallet(page, 'switchAccount', 1)
    await page.page.locator(`[data-testid="account"]:not([data-address="${before}"])`).waitFor()
  })

  test('§4.6.1 §8.6.1 §4.3.3 switches to an unknown chain: the visitor must choose a network', async () => {
    const page = await open()
    await page.connectWith('Halyard')
    await wallet(page, 'switchChain', 1)
    await page.card.getByText(/This site doesn’t support/).waitFor()
    await page.page.keyboard.press('Escape')
    await page.page.locator('[data-gatefold] [data-shake]').waitFor()
    expect(await page.card.isVisible()).toBe(true)
    await page.row(/^Gatefold Local/).click()
    await page.approve()
    await page.card.waitFor({ state: 'detached' })
    await page.page.getByRole('button', { name: 'Network: Gatefold Local' }).waitFor()
  })

  test('declines to switch: the modal names the current network', async () => {
    const page = await open()
    await page.connectWith('Halyard')
    await page.page.getByRole('button', { name: /^Network:/ }).click()
    await page.row(/^Gatefold Second/).click()
    await page.reject()
    await page.card.getByText(/still on Gatefold Local/).waitFor()
    await page.row('Try again').click()
    await page.approve()
    await page.page.getByRole('button', { name: 'Network: Gatefold Second' }).waitFor()
  })

  test('declines to sign: the page shows a message, but no alert', async () => {
    const page = await open()
    await page.connectWith('Halyard')
    await page.page.getByRole('button', { name: 'Sign a message' }).click()
    await page.panel.getByRole('button', { name: 'Sign', exact: true }).click()
    await page.reject()
    await page.page.getByText(/You declined the request in Halyard/).waitFor()
    expect(await page.page.getByRole('alert').filter({ hasText: /\S/ }).count()).toBe(0)
  })
})
