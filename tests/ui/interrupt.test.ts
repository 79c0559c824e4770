import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Page } from 'playwright-core'

import { openGallery, titleOf } from './gallery.ts'
import type { Gallery } from './gallery.ts'

let gallery: Gallery
beforeAll(async () => {
  gallery = await openGallery()
})
afterAll(() => gallery.stop())

/** A card whose views are caught on their way however busy the machine is; `atRest` brings them in. */
async function visit(query = '') {
  const opened = await gallery.visit('Connect', { query })
  await opened.page.addStyleTag({
    content: '[data-gatefold][data-gatefold][data-gatefold] { --gf-t-view: 600s }',
  })
  return opened
}

/** Resolves while the view that comes in is still on its way. */
function whileEntering(page: Page): Promise<unknown> {
  return page.waitForFunction(() => {
    const view = document.querySelector('.gf-view:not([data-ending-style])')
    return view?.getAnimations().some(({ playState }) => playState === 'running')
  })
}

/** How the card stands once nothing moves. */
async function atRest(page: Page) {
  const card = page.locator('.gf-card')
  await card.evaluate(async (element) => {
    const moving = () =>
      element
        .getAnimations({ subtree: true })
        .filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity)
    while (moving().length > 0) {
      for (const animation of moving()) animation.finish()
      await Promise.allSettled(moving().map(({ finished }) => finished))
    }
  })
  await expect.poll(() => page.locator('.gf-view').count()).toBe(1)
  await expect.poll(() => page.locator('.gf-heading > *').count()).toBe(1)
  return card.evaluate((element) => {
    const view = element.querySelector<HTMLElement>('.gf-view')!
    const { opacity, transform } = getComputedStyle(view)
    return {
      opacity,
      transform,
      inert: view.inert,
      // The window has the height of the view in it.
      gap: element.querySelector<HTMLElement>('.gf-port')!.offsetHeight - view.offsetHeight,
    }
  })
}
const still = { opacity: '1', transform: 'none', inert: false, gap: 0 }

describe('a change that is interrupted', () => {
  test.each(['', 'dir=rtl'])(
    'back, while the next view comes in, ends where it began (%s)',
    async (query) => {
      const { page, pageErrors } = await visit(query)
      const before = await atRest(page)
      expect(before).toEqual(still)
      for (let round = 0; round < 3; round++) {
        await page.getByRole('button', { name: 'What is a wallet?' }).click({ noWaitAfter: true })
        await whileEntering(page)
        await page.evaluate(() =>
          window.gallery.kit.dispatch({ type: 'view.back', connected: false }),
        )
      }
      expect(await atRest(page)).toEqual(still)
      expect(await titleOf(page)).toBe('Connect Wallet')
      // What is on screen works.
      await page.getByRole('button', { name: 'Halyard' }).click()
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      expect(pageErrors).toEqual([])
      await page.context().close()
    },
  )

  test('forth again, while the old view comes back, is where it was going', async () => {
    const { page } = await visit()
    const help = () =>
      page.evaluate(() =>
        window.gallery.kit.dispatch({ type: 'view.pushed', entry: { name: 'WhatIsAWallet' } }),
      )
    await page.getByRole('button', { name: 'What is a wallet?' }).click()
    await atRest(page)
    await page.getByRole('button', { name: 'Back' }).click({ noWaitAfter: true })
    await whileEntering(page)
    await help()
    expect(await atRest(page)).toEqual(still)
    expect(await titleOf(page)).toBe('What is a wallet?')
    await page.context().close()
  })

  test('closing and opening while a view comes in shows the first view, whole', async () => {
    const { page } = await visit()
    await page.getByRole('button', { name: 'What is a wallet?' }).click({ noWaitAfter: true })
    await whileEntering(page)
    await page.evaluate(() => {
      const { kit } = window.gallery
      kit.close()
      void kit.open({ view: 'Connect' })
    })
    expect(await atRest(page)).toEqual(still)
    expect(await titleOf(page)).toBe('Connect Wallet')
    expect(await page.getByRole('dialog').count()).toBe(1)
    await page.context().close()
  })
})
