import { afterAll, beforeAll, onTestFinished } from 'vitest'
import type { Page } from 'playwright-core'

import { axe, desktop, isIdle } from '../browser.ts'
import type { Violation } from '../browser.ts'
import { openGallery, showScene } from './gallery.ts'
import type { Gallery, VisitOptions } from './gallery.ts'

export type SceneOptions = VisitOptions & { theme?: 'light' | 'dark' }

/**
 * Starts the gallery for a test file. Pages are reused, because loading one takes longer than most tests.
 *
 * @returns a function that opens a scene in a page of its own, and resolves once its view is loaded. The page is not new
 * unless there is `before`, which must make all changes to the page's context and to its global objects.
 */
export function useScenes(): (scene: string, options?: SceneOptions) => Promise<Page> {
  let gallery: Gallery | undefined
  /** Pages that no test uses, by the options that cannot be changed later. */
  const unused = new Map<string, Page[]>()
  beforeAll(async () => {
    gallery = await openGallery()
  })
  afterAll(() => gallery?.stop())

  return async (scene, { theme = 'light', query = '', before, ...options } = {}) => {
    if (!gallery) throw new Error('The gallery has not started. Open scenes inside a test.')
    const { width, height, reducedMotion = 'no-preference', ...fixed } = { ...desktop, ...options }
    const parameters = `theme=${theme}&${query}`
    const key = JSON.stringify(fixed)
    const reused = before ? undefined : unused.get(key)?.pop()
    if (reused) {
      await reused.setViewportSize({ width, height })
      await reused.emulateMedia({ colorScheme: theme, reducedMotion })
      await showScene(reused, scene, parameters)
    }
    const opening = { colorScheme: theme, ...options, query: parameters, ...(before && { before }) }
    const page = reused ?? (await gallery.open(scene, opening)).page
    onTestFinished(async ({ task }) => {
      if (before || task.result?.state !== 'pass' || !(await reset(page)))
        return page.context().close()
      unused.set(key, [...(unused.get(key) ?? []), page])
    })
    // Some scenes open one view after another. The previous one has its own buttons until it has left.
    await page
      .locator(`[role=dialog][data-view="${scene.split('.')[0]}"]:not([aria-busy])`)
      .waitFor()
    // `before` may stop the clock of the animations.
    if (!before) await page.locator('.gf-view[data-ending-style]').waitFor({ state: 'detached' })
    return page
  }
}

/** Undoes what a test did with a page. @returns whether another test can use it */
async function reset(page: Page): Promise<boolean> {
  if (page.isClosed()) return false
  const context = page.context()
  for (const other of context.pages()) if (other !== page) await other.close()
  // A request that gets no response occupies one of the six connections to the server.
  if (!isIdle(context)) return false
  page.removeAllListeners('request')
  page.removeAllListeners('response')
  await page.unrouteAll()
  await context.clearPermissions()
  await page.mouse.move(0, 0)
  return true
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
