import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { buildOnce } from '@gatefold/site'
import type { Page } from 'playwright-core'
import { onTestFinished } from 'vitest'

import { buildGallery, startGallery } from '../../packages/kit/gallery/server.ts'
import { launchBrowser } from '../browser.ts'
import type { PageOptions, TestPage } from '../browser.ts'

export type Gallery = Awaited<ReturnType<typeof openGallery>>

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Serves the gallery, after building it if its sources have changed since the last build. */
export async function serveGallery({ development = false }: { development?: boolean } = {}) {
  const name = development ? 'gallery-development' : 'gallery'
  const folder = join(root, '.gatefold/galleries', name)
  await buildOnce({
    name: `${name}-build`,
    inputs: [
      'packages/kit/src',
      'packages/kit/gallery',
      'packages/kit/package.json',
      'packages/protocol/src',
      'packages/sign/src',
      'package-lock.json',
    ],
    output: join(folder, 'index.html'),
    build: () => buildGallery(folder, { development }),
  })
  return startGallery({ folder })
}

export type VisitOptions = PageOptions & {
  /** Additional URL parameters, such as `theme=dark&accent=%23E11D48`. */
  query?: string
  /** Runs before the page loads. */
  before?: (page: Page) => Promise<unknown>
}

/** Starts the gallery and a browser for a test file; call `stop` in `afterAll`. */
export async function openGallery(options: { development?: boolean } = {}) {
  const [server, browser] = await Promise.all([serveGallery(options), launchBrowser()])
  /** Opens a scene, such as `Connect.legal`, in a new browser context, which the caller closes. */
  const open = async (scene: string, options: VisitOptions = {}): Promise<TestPage> => {
    const opened = await browser.newPage(options)
    try {
      await options.before?.(opened.page)
      await goTo(opened.page, server.url, scene, options.query)
      return opened
    } catch (error) {
      await opened.context.close()
      throw error
    }
  }
  return {
    server,
    open,
    /** Does the same as `open`. The context is closed when the current test ends, even if it fails. */
    async visit(scene: string, options?: VisitOptions): Promise<TestPage> {
      const opened = await open(scene, options)
      onTestFinished(() => opened.context.close())
      return opened
    },
    async stop(): Promise<void> {
      await browser.close()
      await server.stop()
    },
  }
}

/** Navigates a page to a scene and waits until it is shown. */
export async function goTo(page: Page, url: string, scene: string, query = ''): Promise<void> {
  const scenePage = `${url}/?${parametersOf(scene, query)}`
  // Ends requests of the previous scene that get no response: they can occupy all connections to the server.
  if (page.url() !== 'about:blank') await page.goto('about:blank')
  await page.goto(scenePage, { timeout: 15_000 }).catch(async (error: Error) => {
    // The previous scene opened a wallet's app by URL scheme; that navigation aborts or, rarely, stalls this one.
    if (!/ERR_ABORTED|Timeout/.test(error.message)) throw error
    await page.goto(scenePage)
  })
  await page.waitForFunction(() => 'gallery' in window)
  await page.evaluate(() => window.gallery.ready)
  if (scene) await page.locator(shownCard).waitFor()
}

/** Shows another scene in a page without loading it, which takes a tenth of the time, and waits until it is shown. */
export async function showScene(page: Page, scene: string, query = ''): Promise<void> {
  await page.evaluate((next) => window.gallery.show(next), parametersOf(scene, query))
  await page.locator(shownCard).waitFor()
}

/** The card has no role while it is rendered ahead of the first open. `aria-busy` marks a view that is loading. */
const shownCard = '.gf-card[role]:not([aria-busy])'

function parametersOf(scene: string, query: string): string {
  const [view = '', state] = scene.split('.')
  return `${new URLSearchParams({ ...(view && { view }), ...(state && { state }) })}&${query}`
}

/** The card's title, which is also the dialog's accessible name. */
export function titleOf(page: Page): Promise<string | null> {
  return page.locator('.gf-card').evaluate((card) => {
    const id = card.getAttribute('aria-labelledby')
    return id && (document.getElementById(id)?.textContent ?? null)
  })
}

/** Resolves after the browser has run its idle callbacks. */
export const idle = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    for (let turn = 0; turn < 10; turn++) {
      await new Promise(requestAnimationFrame)
      await new Promise((resolve) => requestIdleCallback(resolve))
    }
  })
