import { onTestFinished } from 'vitest'
import type { PageOptions, TestBrowser, TestPage } from '../browser.ts'

/** Opens a page. Its browser context is closed after the test, even if the test fails. */
export async function openPage(browser: TestBrowser, options?: PageOptions): Promise<TestPage> {
  const opened = await browser.newPage(options)
  onTestFinished(() => opened.context.close())
  return opened
}
