import type { Locator } from 'playwright-core'
import { expect } from 'vitest'

/** Presses a button in the frame until it is gone. Chromium ignores clicks in a frame of another site that has just moved. */
export async function pressUntilGone(button: Locator): Promise<void> {
  await button.waitFor()
  await expect
    .poll(async () => {
      await button.click({ timeout: 500 }).catch(() => {})
      return button.isHidden()
    })
    .toBe(true)
}
