import { afterAll, beforeAll, expect, test } from 'vitest'

import { openGallery } from './gallery.ts'
import type { Gallery } from './gallery.ts'

let gallery: Gallery
beforeAll(async () => {
  gallery = await openGallery()
})
afterAll(() => gallery.stop())

test('two instances on one page are independent', async () => {
  const { page, pageErrors, consoleErrors } = await gallery.visit('', { query: 'two' })
  const roots = page.locator('body > [data-gatefold]')
  const dialog = page.getByRole('dialog')
  const first = page.locator('main')
  const second = page.getByRole('region', { name: 'Second' })

  // Connecting one instance does not affect the other.
  await first.getByRole('button', { name: 'Connect Wallet' }).click()
  await dialog.getByRole('button', { name: /^Halyard/ }).click()
  await dialog.waitFor({ state: 'detached' })
  await first.getByRole('button', { name: /0xf39F/i }).waitFor()
  expect(await second.getByRole('button').allInnerTexts()).toEqual(['Connect Wallet'])

  // Each instance opens its own card.
  await second.getByRole('button', { name: 'Connect Wallet' }).click()
  await dialog.getByRole('button', { name: /^Nacre/ }).click()
  await dialog.waitFor({ state: 'detached' })
  await second.getByRole('button', { name: /0x7099/i }).waitFor()
  await first.getByRole('button', { name: /0xf39F/i }).waitFor()
  expect(await roots.count()).toBe(2)

  // Destroying one instance does not affect the other.
  await page.evaluate(() => window.gallery.kit.destroy())
  await expect.poll(() => roots.count()).toBe(1)
  await second.getByRole('button', { name: /0x7099/i }).click()
  await dialog.waitFor()
  expect(pageErrors).toEqual([])
  expect(consoleErrors).toEqual([])
})
