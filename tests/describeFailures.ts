/**
 * Runs in each test file: adds to the error of a failed test what its pages show and what its relays received and sent,
 * because a failure may be rare.
 */
import { setTimeout as wait } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { afterEach } from 'vitest'
import { openPages } from './openPages.ts'
import { takeFrames } from './recordFrames.ts'

/** Time limit for each page, in ms: a page that hangs may be the reason for the failure. */
const limitMs = 5_000
/** Maximum characters of a text. */
const mostText = 1_000

afterEach(async ({ task }) => {
  const [error] = task.result?.errors ?? []
  const frames = takeFrames()
  if (!error) return
  for (const page of openPages) {
    const shown = await Promise.race([readPage(page), wait(limitMs, 'does not respond')])
    error.message += `\n${page.url()}: ${shown}`
  }
  error.message += ['', ...frames].join('\n')
})

/** The text of the modal, or of the page if no modal is open, and the texts of its frames, as JSON. */
async function readPage(page: Page): Promise<string> {
  const texts = page.frames().map((frame) =>
    frame
      .evaluate((most) => {
        const card = document.querySelector<HTMLElement>('[data-gatefold] [role=dialog]')
        return (card ?? document.body).innerText.slice(0, most)
      }, mostText)
      .catch((error: unknown) => String(error).slice(0, mostText)),
  )
  return JSON.stringify(await Promise.all(texts))
}
