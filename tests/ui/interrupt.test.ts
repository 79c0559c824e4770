import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Page } from 'playwright-core'

import { openGallery, titleOf } from './gallery.ts'
import type { Gallery } from './gallery.ts'

let gallery: Gallery
beforeAll(async () => {
  gallery = await openGallery()
})
afterAll(() => gallery.stop())

/** Opens a card whose view transitions take ten minutes; `atRest` finishes them. */
async function visit(query = '') {
  const opened = await gallery.visit('Connect', { query })
  await opened.page.addStyleTag({
    content: '[data-gatefold][data-gatefold][data-gatefold] { --gf-t-view: 600s }',
  })
  return opened
}

/** Resolves while the entrance animation of a view is running. */
function whileEntering(page: Page): Promise<unknown> {
  return page.waitForFunction(() => {
    const view = document.querySelector('.gf-view:not([data-ending-style])')
    return view?.getAnimations().some(({ playState }) => playState === 'running')
  })
}

/** Finishes all animations and returns the styles of the view. */
async function atRest(page: Page) {
  const card = page.locator('.gf-card')
  await card.evaluate(async (element) => {
    const moving = () =>
      element
        .getAnimations({ subtree: true })
        .filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity)
    // The card's height follows its view within the next frame.
    for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame)
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
      // The viewport has the height of its view.
      gap: element.querySelector<HTMLElement>('.gf-port')!.offsetHeight - view.offsetHeight,
    }
  })
}
const still = { opacity: '1', transform: 'none', inert: false, gap: 0 }

describe('an interrupted transition', () => {
  test.each(['', 'dir=rtl'])(
    'going back during an entrance shows the previous view (%s)',
    async (query) => {
      const { page, pageErrors } = await visit(query)
      const before = await atRest(page)
      expect(before).toEqual(still)
      for (let round = 0; round < 3; round++) {
        await page.getByRole('button', { name: 'What is a wallet?' }).click({ noWaitAfter: true })
        await whileEntering(page)
        await page.evaluate(() => window.gallery.kit.dispatch({ type: 'view.back' }))
      }
      expect(await atRest(page)).toEqual(still)
      expect(await titleOf(page)).toBe('Connect Wallet')
      await page.getByRole('button', { name: 'Halyard' }).click()
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      expect(pageErrors).toEqual([])
    },
  )

  test('going forward while the previous view is animating in shows the next view', async () => {
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
  })

  test('closing and reopening during an entrance shows the first view', async () => {
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
  })
})
