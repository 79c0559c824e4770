import { expect, test } from 'vitest'
import type { Page } from 'playwright-core'

import { useScenes } from './scene.ts'

const open = useScenes()

/** Turns the wheel over the middle of the card, and resolves once scrolling has ended. */
async function turnWheel(page: Page, deltaY: number) {
  const box = (await page.locator('.gf-card').boundingBox())!
  const { height } = page.viewportSize()!
  await page.mouse.move(box.x + box.width / 2, Math.min(box.y + box.height / 2, height - 40))
  await page.mouse.wheel(0, deltaY)
}

const bottomOf = async (page: Page, selector: string) => {
  const box = (await page.locator(selector).last().boundingBox())!
  return box.y + box.height
}

test.each(['ConnectingWalletConnect', 'Connect.many'])(
  'in a window of 420 px height, the card is at the top, and the wheel over it scrolls to its end (%s)',
  async (scene) => {
    const page = await open(scene, { width: 900, height: 420, reducedMotion: 'reduce' })
    expect((await page.locator('.gf-card').boundingBox())!.y).toBe(16)
    expect(await bottomOf(page, '.gf-card')).toBeGreaterThan(420)
    const scrolled = async (deltaY: number) => {
      await turnWheel(page, deltaY)
      return (await page.locator('.gf-card').boundingBox())!.y
    }
    await expect.poll(() => scrolled(2_000)).toBeLessThan(0)
    expect(await bottomOf(page, '.gf-card')).toBeLessThanOrEqual(420)
    await expect.poll(() => scrolled(-2_000)).toBe(16)
  },
)

test('in a low window on a phone, the wheel over the list scrolls the sheet, and the header stays', async () => {
  const page = await open('Connect.many', { width: 390, height: 480, reducedMotion: 'reduce' })
  expect(await bottomOf(page, '.gf-card')).toBe(480)
  await expect
    .poll(async () => {
      await turnWheel(page, 2_000)
      return bottomOf(page, '.gf-row')
    })
    .toBeLessThanOrEqual(480)
  const close = (await page.getByRole('button', { name: 'Close' }).boundingBox())!
  expect(close.y).toBeGreaterThanOrEqual(0)
})

test('only the grid of All Wallets scrolls: the card has no empty space below it', async () => {
  const page = await open('AllWallets', { width: 900, height: 420 })
  await page.locator('.gf-cell').nth(12).waitFor()
  const { inner, outer } = await page
    .locator('.gf-view')
    .evaluate((view) => ({ inner: view.scrollHeight, outer: view.clientHeight }))
  expect(inner).toBeLessThanOrEqual(outer)
})
