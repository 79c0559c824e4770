import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { axe } from '../browser.ts'
import { goTo, openGallery } from './gallery.ts'
import type { Gallery } from './gallery.ts'

let gallery: Gallery
beforeAll(async () => {
  gallery = await openGallery()
})
afterAll(() => gallery.stop())

describe.each(['light', 'dark'])('%s', (theme) => {
  // Split into parts to stay within the timeout.
  test.each([0, 1, 2, 3, 4, 5, 6, 7])(
    'axe finds no violations in any scene (part %i of 8)',
    async (part) => {
      const { page } = await gallery.visit('', { reducedMotion: 'reduce' })
      const all = await page.evaluate(() => window.gallery.scenes())
      const scenes = all.filter((_, index) => index % 8 === part)
      expect(scenes.length).toBeGreaterThan(0)
      const found: Record<string, unknown> = {}
      for (const scene of scenes) {
        await goTo(page, gallery.server.url, scene, `theme=${theme}`)
        const violations = await axe(page, '[data-gatefold]')
        if (violations.length > 0) found[scene] = violations
      }
      expect(found).toEqual({})
    },
  )
})
