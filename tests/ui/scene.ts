import { afterAll, beforeAll } from 'vitest'
import type { Page } from 'playwright-core'

import { axe } from '../browser.ts'
import type { PageOptions, Violation } from '../browser.ts'
import { openGallery } from './gallery.ts'
import type { Gallery } from './gallery.ts'

export type SceneOptions = PageOptions & {
  theme?: 'light' | 'dark'
  /** Additional URL parameters, such as `size=12px`. */
  query?: string
  /** Runs before the page loads, for example to install a clock. */
  before?: (page: Page) => Promise<unknown>
}

/**
 * Starts the gallery for a test file.
 *
 * @returns a function that opens a scene in a new page and resolves once its view is loaded
 */
export function useScenes(): (scene: string, options?: SceneOptions) => Promise<Page> {
  let gallery: Gallery | undefined
  beforeAll(async () => {
    gallery = await openGallery()
  })
  afterAll(() => gallery?.stop())
  return async (scene, { theme = 'light', query = '', ...options } = {}) => {
    if (!gallery) throw new Error('The gallery has not started. Open scenes inside a test.')
    const { page } = await gallery.visit(scene, {
      colorScheme: theme,
      ...options,
      query: `theme=${theme}&${query}`,
    })
    const view = scene.split('.')[0]
    // `aria-busy` marks the placeholder of a view that is loading.
    await page.locator(`[role=dialog][data-view="${view}"]:not([aria-busy])`).waitFor()
    return page
  }
}

/** The elements that overflow the card horizontally. */
export function overflowing(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const card = document.querySelector('.gf-card')
    if (!card) return ['no card']
    const { left, right } = card.getBoundingClientRect()
    return [...card.querySelectorAll('*')]
      .filter((element) => {
        const box = element.getBoundingClientRect()
        return box.width > 1 && (box.right > right + 1 || box.left < left - 1)
      })
      .map((element) => element.classList.value || element.tagName)
  })
}

/** The truncated texts whose start is cut off. */
export function cutAtTheStart(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const cut: string[] = []
    for (const line of document.querySelectorAll('[data-gatefold] :not(.gf-hidden)')) {
      const { textOverflow } = getComputedStyle(line)
      const text = document.createTreeWalker(line, NodeFilter.SHOW_TEXT).nextNode()
      if (textOverflow !== 'ellipsis' || !text?.textContent) continue
      const range = document.createRange()
      range.setStart(text, 0)
      range.setEnd(text, 1)
      const first = range.getBoundingClientRect()
      const box = line.getBoundingClientRect()
      if (first.left < box.left - 1 || first.right > box.right + 1) cut.push(line.textContent)
    }
    return cut
  })
}

/** Audits the card with axe in both themes. */
export async function auditThemes(page: Page): Promise<Violation[]> {
  const found: Violation[] = []
  for (const mode of ['light', 'dark'] as const) {
    await page.evaluate((wanted) => {
      const { kit } = window.gallery
      const { theme } = kit.getState()
      kit.dispatch({ type: 'theme.changed', theme: { ...theme, mode: wanted } })
    }, mode)
    await page.locator(`[data-gatefold][data-theme=${mode}] [role=dialog]`).waitFor()
    found.push(...(await axe(page, '[role=dialog]')))
  }
  return found
}
