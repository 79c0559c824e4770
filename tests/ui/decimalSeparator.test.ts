import { expect, test } from 'vitest'
import type { Page } from 'playwright-core'

import { useScenes } from './scene.ts'

const open = useScenes()
const german = { query: 'locale=de' }
const field = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true })
const button = (page: Page, name: string | RegExp) =>
  page.locator('.gf-view:not([data-ending-style])').getByRole('button', { name, exact: true })

test.each([
  ['comma', '0,25'],
  ['point', '0.25'],
])('in German, an amount that is typed with a %s has a comma', async (_, text) => {
  const page = await open('WalletSend', german)
  const amount = field(page, 'Betrag')
  await amount.pressSequentially(text)
  expect(await amount.inputValue()).toBe('0,25')
  await page.getByText('900,00 $').waitFor()
  await button(page, /Betrag in \$ eingeben$/).click()
  expect(await amount.inputValue()).toBe('900')
  await amount.fill('90,5')
  await button(page, /Betrag in ETH eingeben$/).click()
  expect(await amount.inputValue()).toMatch(/^0,02513\d+$/)
  await amount.fill('5')
  await page.getByRole('alert').getByText('Nur 2,481 ETH').waitFor()
  await button(page, 'Max').click()
  await expect.poll(() => amount.inputValue()).toBe('2,4801')
})

test.each([
  ['Arabic', '٠٫٢٥'],
  ['Persian', '۰٫۲۵'],
  ['full-width', '０.２５'],
])('an amount can be typed with %s digits', async (_, text) => {
  const page = await open('WalletSend')
  const amount = field(page, 'Amount')
  await amount.pressSequentially(text)
  expect(await amount.inputValue()).toBe('0.25')
  await page.getByText('$900.00').waitFor()
})

test('the slippage can be typed with Arabic digits', async () => {
  const page = await open('Swap')
  await page.locator('.gf-unfold').click()
  const slippage = field(page, 'Other slippage, in percent')
  await slippage.fill('٧٫٥')
  expect(await slippage.inputValue()).toBe('7.5')
  await page.getByText('7.5%').first().waitFor()
})

test('in German, both sides of a swap have a comma, also after they are exchanged', async () => {
  const page = await open('Swap', german)
  await expect.poll(() => field(page, 'Du erhältst').inputValue()).toBe('717,192')
  expect(await field(page, 'Du zahlst').inputValue()).toBe('0,2')
  await button(page, 'Richtung umkehren').click()
  expect(await field(page, 'Du zahlst').inputValue()).toBe('717,192')
  await expect.poll(() => field(page, 'Du erhältst').inputValue()).toMatch(/^0,\d+$/)
  await button(page, 'Richtung umkehren').click()
  await button(page, 'Max').click()
  expect(await field(page, 'Du zahlst').inputValue()).toBe('2,48019')
  await page.locator('.gf-unfold').click()
  const slippage = field(page, 'Andere Abweichung in Prozent')
  await slippage.fill('7.5')
  expect(await slippage.inputValue()).toBe('7,5')
  await slippage.blur()
  expect(await slippage.inputValue()).toBe('7,5')
  await page.getByText('7,5 %').first().waitFor()
})

test('in German, an amount of money has a comma', async () => {
  const page = await open('OnRampProviders.decimals', german)
  await expect.poll(() => field(page, 'Du zahlst').inputValue()).toBe('25,001')
  await field(page, 'Du zahlst').fill('25.5')
  expect(await field(page, 'Du zahlst').inputValue()).toBe('25,5')
})
