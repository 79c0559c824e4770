import { afterAll, beforeAll, expect, test } from 'vitest'

import { openGallery, showScene } from './gallery.ts'
import type { Gallery } from './gallery.ts'
import { auditThemes } from './scene.ts'

let gallery: Gallery
beforeAll(async () => {
  gallery = await openGallery()
})
afterAll(() => gallery.stop())

// Split into parts, so that a failure is reported early.
const parts = 12

test.each(Array.from({ length: parts }, (_, index) => index))(
  `axe finds no violations in any scene, in both themes (part %i of ${parts})`,
  async (part) => {
    const { page } = await gallery.visit('', { reducedMotion: 'reduce' })
    const all = await page.evaluate(() => window.gallery.scenes())
    const scenes = all.filter((_, index) => index % parts === part)
    expect(scenes.length).toBeGreaterThan(0)
    const found: Record<string, unknown> = {}
    for (const scene of scenes) {
      // Loading a page for each of the scenes would take three times as long.
      await showScene(page, scene)
      const violations = await auditThemes(page, '[data-gatefold]')
      if (violations.length > 0) found[scene] = violations
    }
    expect(found).toEqual({})
  },
)
