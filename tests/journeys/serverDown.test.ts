import { afterAll, beforeAll, expect, test } from 'vitest'

import { launchBrowser } from '../browser.ts'
import type { TestBrowser } from '../browser.ts'
import { startStack } from '../stack.ts'
import type { Stack } from '../stack.ts'
import { openBook } from './bookPage.ts'
import type { BookPage } from './bookPage.ts'

let stack: Stack
let browser: TestBrowser
let book: BookPage

beforeAll(async () => {
  ;[stack, browser] = await Promise.all([startStack(), launchBrowser()])
  book = await openBook(browser, stack.book!.url)
})
afterAll(async () => {
  await browser?.close()
  await stack?.stop()
})

test('the wallet list shows that the server is down, and can be reloaded when the server is up', async () => {
  await book.connect.click()
  await book.card.getByText('Halyard').waitFor()
  await stack.kill('server')
  await book.row(/^All Wallets/).click()
  await book.card.getByText('Couldn’t load the full wallet list').waitFor()
  expect(await book.card.getByRole('button', { name: 'MetaMask' }).first().isVisible()).toBe(true)
  await stack.restart('server')
  await book.row('Try again').click()
  await book.card.getByText('Couldn’t load the full wallet list').waitFor({ state: 'detached' })
  await book.page.keyboard.press('Escape')
})

test('connecting and signing work without the server', async () => {
  await stack.kill('server')
  await book.connectWith('Halyard')
  await book.page.getByRole('button', { name: 'Sign a message' }).click()
  await book.panel.getByRole('button', { name: 'Sign', exact: true }).click()
  await book.approve()
  await book.page.locator('.hex bdi').waitFor()
  expect(book.pageErrors).toEqual([])
})
