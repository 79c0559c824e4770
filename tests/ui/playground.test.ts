import type { FrameLocator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { viewNames } from '../../packages/kit/src/core/view/viewNames.ts'
import { axe } from '../browser.ts'
import type { PageOptions } from '../browser.ts'
import { openGallery } from './gallery.ts'
import type { Gallery } from './gallery.ts'

let gallery: Gallery
beforeAll(async () => {
  gallery = await openGallery()
})
afterAll(() => gallery.stop())

/** Opens the playground; `modal` is the page with the modal. */
async function open(query = '', options: PageOptions = {}) {
  const opened = await gallery.visit('', options)
  await opened.page.goto(`${gallery.server.url}/playground${query}`)
  return { ...opened, modal: opened.page.frameLocator('iframe') }
}

const cardOf = (modal: FrameLocator) => modal.locator('.gf-card')
const codeOf = (page: Page) => page.getByLabel('TypeScript').textContent()
const radiusOf = (modal: FrameLocator) =>
  cardOf(modal).evaluate((card) => getComputedStyle(card).borderTopLeftRadius)

test('every view has at least one scene, and a scene is shown when it is selected', async () => {
  const { page, modal, consoleErrors } = await open()
  await modal.getByRole('dialog', { name: 'Connect Wallet' }).waitFor()
  const headings = await page.getByRole('navigation').getByRole('heading').allTextContents()
  expect(headings.toSorted()).toEqual([...viewNames].toSorted())

  await page.getByLabel('Search views').fill('networks')
  await page
    .getByRole('region', { name: 'Networks', exact: true })
    .getByRole('button', { name: 'Default' })
    .click()
  await modal.getByRole('dialog', { name: 'Choose Network' }).waitFor()
  expect(await codeOf(page)).toContain("kit.open({ view: 'Networks' })")
  await page.getByLabel('Search views').fill('Dogecoin')
  await page.getByText('No view matches “Dogecoin”.').waitFor()
  expect(consoleErrors).toEqual([])
})

test('a theme change applies without reloading the modal, and is in the code and the link', async () => {
  const { page, modal } = await open()
  await cardOf(modal).waitFor()
  await cardOf(modal).evaluate((card) => card.setAttribute('data-marked', ''))
  await page.getByRole('button', { name: 'Dark' }).click()
  await page.getByRole('button', { name: 'Accent #E11D48' }).click()
  const before = await radiusOf(modal)
  await page.getByLabel('Corner radius').fill('10')
  await expect.poll(() => radiusOf(modal)).not.toBe(before)
  await modal.locator('.gf-card[data-marked]').waitFor()
  const code = await codeOf(page)
  for (const line of ["themeMode: 'dark'", "'--gf-accent': '#E11D48'", "master': '10px'"])
    expect(code).toContain(line)

  await page.reload()
  await cardOf(modal).waitFor()
  expect(await codeOf(page)).toBe(code)
  expect(await radiusOf(modal)).not.toBe(before)
  await page.getByRole('button', { name: 'Reset all' }).click()
  await expect.poll(() => radiusOf(modal)).toBe(before)
})

test('the layout, the language, the direction and the size can be chosen', async () => {
  const { page, modal } = await open('', { width: 1600 })
  await cardOf(modal).waitFor()
  const compact = (await cardOf(modal).boundingBox())!.width
  await page.getByRole('group', { name: 'Layout' }).getByRole('button', { name: 'Wide' }).click()
  await expect
    .poll(async () => (await cardOf(modal).boundingBox())?.width)
    .toBeGreaterThan(compact * 1.5)
  await page.getByRole('button', { name: 'Small phone' }).click()
  await expect.poll(() => modal.locator('body').evaluate(() => innerWidth)).toBe(320)
  await page.getByLabel('Right to left').check()
  await expect
    .poll(() =>
      modal.locator('.gf-card:visible').evaluate((card) => getComputedStyle(card).direction),
    )
    .toBe('rtl')
  await page.getByLabel('Language').selectOption('de')
  await modal.getByRole('dialog', { name: 'Wallet verbinden' }).waitFor()
  expect(await codeOf(page)).toContain("de: () => import('@gatefold/kit/locales/de')")
})

test('error: an unknown view is named, and Connect can be shown instead', async () => {
  const { page, modal } = await open('?scene=Nope')
  await page.getByRole('alert').getByText('There is no view “Nope”.').waitFor()
  await page.getByRole('button', { name: 'Show Connect' }).click()
  await modal.getByRole('dialog', { name: 'Connect Wallet' }).waitFor()
})

describe.each(['light', 'dark'] as const)('%s', (colorScheme) => {
  test.each([1440, 390])('axe finds no violations at a width of %i px', async (width) => {
    const { page, modal } = await open('', { colorScheme, width, height: 900 })
    await cardOf(modal).waitFor()
    expect(await axe(page, 'body')).toEqual([])
  })
})
