import { describe, expect, test } from 'vitest'
import type { Page } from 'playwright-core'

import { auditThemes, useScenes } from './scene.ts'

const open = useScenes()
const rows = (page: Page) => page.locator('.gf-day li:not([aria-hidden])')
const box = (page: Page) => page.locator('.gf-scroll')

/** Scrolls to the end until the whole history is loaded: 2,000 transactions, of which 181 look like spam. */
async function loadAll(page: Page): Promise<void> {
  await rows(page).first().waitFor()
  await expect
    .poll(
      async () => {
        await box(page).evaluate((element) => element.scrollTo(0, element.scrollHeight))
        return page.getByText('No earlier activity.').count()
      },
      { timeout: 100_000, interval: 30 },
    )
    .toBe(1)
}

/** Scrolls to the last row and focuses it. The months from last year on have hundreds of rows. */
async function focusLast(page: Page): Promise<void> {
  await box(page).evaluate((element) => element.scrollTo(0, element.scrollHeight))
  // A spacer takes the place of rows that were loaded below the visible area.
  await page.locator('.gf-day').last().locator('li:last-child:not([aria-hidden]) button').focus()
}

/** The positions of the rows in the document, in their order, by list. */
const positions = (page: Page) =>
  page
    .locator('.gf-day ul')
    .evaluateAll((lists) =>
      lists.map((list) =>
        [...list.querySelectorAll('[aria-posinset]')].map((row) => Number(row.ariaPosInSet)),
      ),
    )

/**
 * Presses Arrow up 80 times without a frame in between, and returns the positions of the row with the focus before and
 * after.
 *
 * @param away - if not 0, the list is first scrolled this many px up and back to its end, and the first key is pressed
 *   in the moment in which React removes the rows above
 */
async function holdArrowUp(away: number): Promise<{ first: number; last: number }> {
  const place = () => Number(document.activeElement?.closest('li')?.ariaPosInSet)
  const scroll = document.querySelector('.gf-scroll')!
  const spacers = () => document.querySelectorAll('.gf-day li[aria-hidden]').length
  if (away) {
    const before = spacers()
    await new Promise<void>((resolve) => {
      let isAway = false
      new MutationObserver((_, observer) => {
        if (!isAway && spacers() < before) {
          isAway = true
          scroll.scrollTo(0, scroll.scrollHeight)
        } else if (isAway && spacers() >= before) {
          observer.disconnect()
          resolve()
        }
      }).observe(scroll, { childList: true, subtree: true })
      scroll.scrollBy(0, -away)
    })
  }
  const first = place()
  for (let step = 0; step < 80; step++) {
    const key = new KeyboardEvent('keydown', { key: 'ArrowUp', bubbles: true })
    document.activeElement?.dispatchEvent(key)
    await Promise.resolve()
  }
  return { first, last: place() }
}

describe('2,000 transactions', { timeout: 180_000 }, () => {
  test('have a bounded number of elements wherever the list is scrolled, at a stable height', async () => {
    const page = await open('Transactions.long')
    await loadAll(page)
    const height = () => box(page).evaluate((element) => element.scrollHeight)
    const full = await height()
    expect(full).toBeGreaterThan(1_800 * 48)
    for (const share of [0, 0.25, 0.5, 0.75, 1]) {
      await box(page).evaluate(
        (element, at) => element.scrollTo(0, at * element.scrollHeight),
        share,
      )
      // Rows, and no spacer, are on screen at every position.
      await expect
        .poll(() =>
          box(page).evaluate((element) => {
            const area = element.getBoundingClientRect()
            const shown = [...element.querySelectorAll('.gf-day li')].filter((row) => {
              const { top, bottom } = row.getBoundingClientRect()
              return bottom > area.top && top < area.bottom
            })
            return shown.length > 5 && shown.every((row) => row.ariaHidden !== 'true')
          }),
        )
        .toBe(true)
      await expect.poll(() => rows(page).count()).toBeLessThan(150)
      expect(await page.locator('.gf-card *').count()).toBeLessThan(3_500)
    }
    expect(Math.abs((await height()) - full)).toBeLessThan(full * 0.02)
  })

  test('are not requested again: a refresh is one request', async () => {
    const requested: (string | null)[] = []
    const page = await open('Transactions.long', {
      before: async (fresh) => {
        fresh.on('request', (request) => {
          const { pathname, searchParams } = new URL(request.url())
          if (pathname.endsWith('/history')) requested.push(searchParams.get('cursor'))
        })
        await fresh.clock.install()
      },
    })
    await loadAll(page)
    const pages = requested.length
    // A slow load takes longer than the interval between refreshes, which request the first page.
    const cursors = requested.filter((cursor) => cursor !== null)
    expect(new Set(cursors).size).toBe(cursors.length)
    expect(cursors.length).toBeGreaterThan(10)
    // A refresh is skipped while the response to the one before has not been read.
    for (const refreshes of [1, 2])
      await expect
        .poll(async () => {
          await page.clock.fastForward(31_000)
          return requested.length - pages
        })
        .toBeGreaterThanOrEqual(refreshes)
    expect(new Set(requested.slice(pages))).toEqual(new Set([null]))
    expect(await rows(page).count()).toBeGreaterThan(10)
  })

  test('keep their order and their places for assistive technology', async () => {
    const page = await open('Transactions.long')
    await loadAll(page)
    await box(page).evaluate((element) => element.scrollTo(0, element.scrollHeight / 2))
    await expect.poll(() => rows(page).count()).toBeLessThan(150)
    const found = await positions(page)
    expect(found.flat().length).toBeGreaterThan(10)
    for (const list of found) expect(list).toEqual(list.toSorted((a, b) => a - b))
    const row = rows(page).first()
    const count = Number(await row.getAttribute('aria-setsize'))
    expect(count).toBeGreaterThanOrEqual(Number(await row.getAttribute('aria-posinset')))
    expect(await auditThemes(page)).toEqual([])
  })

  test('are reached with the arrow keys, one after the other', async () => {
    const page = await open('Transactions.long')
    await loadAll(page)
    const place = () =>
      page.evaluate(() => Number(document.activeElement?.closest('li')?.ariaPosInSet))
    await focusLast(page)
    const last = await place()
    for (let step = 1; step <= Math.min(60, last - 1); step++) {
      await page.keyboard.press('ArrowUp')
      await expect.poll(place).toBe(last - step)
    }
  })

  test('are reached with an arrow key that is held down, even if no frame is painted in between', async () => {
    const page = await open('Transactions.long')
    await loadAll(page)
    await focusLast(page)
    const places = await page.evaluate(holdArrowUp, 0)
    expect(places.first - places.last).toBe(80)
    await expect.poll(() => rows(page).count()).toBeLessThan(150)
  })

  test('are reached with a held arrow key when their rows were removed just before', async () => {
    const page = await open('Transactions.long')
    await loadAll(page)
    await focusLast(page)
    const places = await page.evaluate(holdArrowUp, 4_000)
    expect(places.first - places.last).toBe(80)
  })

  test('a row with the focus stays in the document while the list is scrolled away', async () => {
    const page = await open('Transactions.long')
    await loadAll(page)
    await box(page).evaluate((element) => element.scrollTo(0, 0))
    const first = rows(page).first().getByRole('button')
    // The rows at the former position are replaced in the frame after the scrolling.
    const isAtTop = () =>
      first.evaluate((button) => {
        const { top } = button.getBoundingClientRect()
        return top < button.closest('.gf-scroll')!.getBoundingClientRect().bottom
      })
    await expect.poll(isAtTop).toBe(true)
    const text = await first.evaluate((button) => {
      button.focus()
      return (button as HTMLElement).innerText
    })
    await box(page).evaluate((element) => element.scrollTo(0, element.scrollHeight / 2))
    await expect.poll(() => rows(page).count()).toBeLessThan(150)
    expect(
      await page.evaluate(() => (document.activeElement as HTMLElement | null)?.innerText),
    ).toBe(text)
  })
})
