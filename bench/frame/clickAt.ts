import type { TestBrowser } from '@gatefold/tests/browser'

export type Page = Awaited<ReturnType<TestBrowser['newPage']>>['page']

declare const window: Window & { clicked?: number }

/**
 * Clicks a button in the frame once it is enabled.
 *
 * @returns when the frame received the click, in ms since the epoch.
 */
export async function clickAt(page: Page, name: string): Promise<() => Promise<number>> {
  const inside = page.frameLocator('#w3m-iframe')
  const button = inside.getByRole('button', { name, exact: true, disabled: false })
  // Read before the click, which changes the button.
  await button.evaluate((element) => {
    element.addEventListener(
      'click',
      () => {
        window.clicked = performance.timeOrigin + performance.now()
      },
      { capture: true },
    )
  })
  await button.click()
  return async () => inside.locator('body').evaluate(() => window.clicked!)
}
