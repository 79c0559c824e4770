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

type Faults = Window['gallery']['control']['faults']

/** Sets what the wallet of the gallery does with the next requests. */
export function setFaults(page: Page, faults: Partial<Faults>): Promise<void> {
  return page.evaluate((next) => void Object.assign(window.gallery.control.faults, next), faults)
}

/** Waits until the wallet of the gallery holds a request. */
export async function untilHanging(page: Page): Promise<void> {
  await page.waitForFunction(() => window.gallery.control.isHanging)
}

/** Waits until the wallet of the gallery holds a request, and lets it answer. */
export async function answer(page: Page): Promise<void> {
  await untilHanging(page)
  await page.evaluate(() => window.gallery.control.release())
}

/** Leaves the view while the wallet shows a request, which then ends with the faults. */
export async function leaveAndAnswer(page: Page, faults: Partial<Faults>): Promise<void> {
  await untilHanging(page)
  const view = page.locator('[role=dialog]')
  const before = (await view.getAttribute('data-view'))!
  await page.getByRole('button', { name: 'Back' }).click()
  await page.locator(`[role=dialog]:not([data-view="${before}"])`).waitFor()
  await page.locator('.gf-view[data-ending-style]').waitFor({ state: 'detached' })
  await setFaults(page, { hang: false, ...faults })
  await page.evaluate(() => window.gallery.control.release())
}

/** The elements that overflow the card horizontally, except the parts of a text that ends with an ellipsis. */
export function overflowing(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const card = document.querySelector('.gf-card')
    if (!card) return ['no card']
    const { left, right } = card.getBoundingClientRect()
    const isCut = ({ parentElement }: Element): boolean =>
      parentElement !== null &&
      parentElement !== card &&
      (getComputedStyle(parentElement).textOverflow === 'ellipsis' || isCut(parentElement))
    return [...card.querySelectorAll('*')]
      .filter((element) => {
        const box = element.getBoundingClientRect()
        const isOutside = box.width > 1 && (box.right > right + 1 || box.left < left - 1)
        return isOutside && !isCut(element)
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

/**
 * Audits the card with axe: all rules in the light theme, and only the color
 * rules in the dark theme.
 */
export async function auditThemes(page: Page, selector = '[role=dialog]'): Promise<Violation[]> {
  const setMode = async (mode: 'light' | 'dark') => {
    await page.evaluate((wanted) => {
      const { kit } = window.gallery
      const { theme } = kit.getState()
      document.body.dataset.theme = wanted
      kit.dispatch({ type: 'theme.changed', theme: { ...theme, mode: wanted } })
    }, mode)
    await page.locator(`[data-gatefold][data-theme=${mode}]`).first().waitFor({ state: 'attached' })
    // Colors have transitions; contrast is measured after they end.
    await page.evaluate(async () => {
      const all = document.getAnimations().filter((one) => one instanceof CSSTransition)
      await Promise.allSettled(all.map(({ finished }) => finished))
    })
  }
  await setMode('light')
  const found = await axe(page, selector)
  await setMode('dark')
  return [...found, ...(await axe(page, selector, ['color-contrast']))]
}
