import type { BrowserContext } from 'playwright-core'
import { onTestFinished } from 'vitest'

/**
 * Closes a page's browser context once the current test has finished, even if it fails.
 *
 * @example const { page } = closeAfterTest(await browser.newPage())
 */
export function closeAfterTest<opened extends { context: BrowserContext }>(page: opened): opened {
  onTestFinished(() => page.context.close())
  return page
}
