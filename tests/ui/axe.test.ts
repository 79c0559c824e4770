import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { axe } from '../browser.ts'
import { goTo, openGallery } from './gallery.ts'
import type { Gallery } from './gallery.ts'

let gallery: Gallery
let scenes: readonly string[]
beforeAll(async () => {
  gallery = await openGallery()
  const { page } = await gallery.visit('')
  scenes = await page.evaluate(() => window.gallery.scenes())
  await page.context().close()
})
afterAll(() => gallery.stop())

describe.each(['light', 'dark'])('%s', (theme) => {
  // Every view in every state, a handful at a time so that a failure names its neighbourhood.
  test.each([0, 1, 2, 3, 4, 5, 6, 7])(
    'axe finds nothing on any view (part %i of 8)',
    async (part) => {
      const mine = scenes.filter((_, index) => index % 8 === part)
      expect(mine.length).toBeGreaterThan(0)
      const { page } = await gallery.visit('', { reducedMotion: 'reduce' })
      const found: Record<string, unknown> = {}
      for (const scene of mine) {
        await goTo(page, gallery.server.url, scene, `theme=${theme}`)
        // The page behind is the gallery's own.
        const violations = await axe(page, '[data-gatefold]')
        if (violations.length > 0) found[scene] = violations
      }
      expect(found).toEqual({})
      await page.context().close()
    },
  )
})
