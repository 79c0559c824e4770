import type { Page } from 'playwright-core'

import { startGallery } from '../../packages/kit/gallery/server.ts'
import { launchBrowser } from '../browser.ts'
import type { PageOptions, TestPage } from '../browser.ts'

export type Gallery = Awaited<ReturnType<typeof openGallery>>

/** The gallery and a browser for one test file; `stop` in `afterAll`. */
export async function openGallery(options: { development?: boolean } = {}) {
  const [server, browser] = await Promise.all([startGallery(options), launchBrowser()])
  return {
    server,
    /**
     * A page on a scene, such as `Connect.legal` or `AllWallets`, with nothing waited for but the scene.
     *
     * @param options.query - further wishes, such as `theme=dark&accent=%23E11D48`
     */
    async visit(
      scene: string,
      options: PageOptions & { query?: string; before?: (page: Page) => Promise<unknown> } = {},
    ): Promise<TestPage> {
      const opened = await browser.newPage(options)
      await options.before?.(opened.page)
      await goTo(opened.page, server.url, scene, options.query)
      return opened
    },
    async stop(): Promise<void> {
      await browser.close()
      await server.stop()
    },
  }
}

/** Takes a page to a scene. */
export async function goTo(page: Page, url: string, scene: string, query = ''): Promise<void> {
  const [view = '', state] = scene.split('.')
  const address = new URLSearchParams({ ...(view && { view }), ...(state && { state }) })
  await page.goto(`${url}/?${address}&${query}`)
  await page.waitForFunction(() => 'gallery' in window)
  await page.evaluate(() => window.gallery.ready)
  if (view) await page.locator('.gf-card').waitFor()
}

/** The card's title, which is also the dialog's name. */
export function titleOf(page: Page): Promise<string | null> {
  return page.locator('.gf-card').evaluate((card) => {
    const id = card.getAttribute('aria-labelledby')
    return id && (document.getElementById(id)?.textContent ?? null)
  })
}
