import { describe, expect, test } from 'vitest'
import type { Page } from 'playwright-core'

import { useScenes } from './scene.ts'

const open = useScenes()

describe('the price over time', () => {
  const chart = (page: Page) => page.getByRole('region', { name: 'Price over time' })
  const panel = (page: Page) => chart(page).getByRole('tabpanel')
  /** The height of the layout, in CSS pixels: the card is scaled while it opens. */
  const heightOf = (page: Page) =>
    panel(page).evaluate((element) => Number.parseFloat(getComputedStyle(element).height))

  test('is drawn, with its change in words, the lowest and the highest price', async () => {
    const page = await open('Token.native')
    await panel(page).getByText('in the last day').waitFor()
    expect(await panel(page).innerText()).toMatch(
      /^\+\d\.\d+%\s+Up \d\.\d+%\s+in the last day\s+Low \$3,4\d\d\.\d\d\s+High \$3,6\d\d\.\d\d$/,
    )
    expect(await panel(page).locator('svg').getAttribute('aria-hidden')).toBe('true')
  })

  test('has three periods, chosen with the keyboard, each requested once', async () => {
    const requested: (string | null)[] = []
    const page = await open('Token.native', {
      before: async (fresh) =>
        fresh.on('request', (request) => {
          const { pathname, searchParams } = new URL(request.url())
          if (pathname === '/v1/fungible/history') requested.push(searchParams.get('period'))
        }),
    })
    await panel(page).getByText('in the last day').waitFor()
    const day = chart(page).getByRole('tab', { name: 'Day' })
    await day.press('ArrowRight')
    await panel(page)
      .getByText(/^Down \d/)
      .waitFor()
    await panel(page).getByText('in the last week').waitFor()
    await chart(page).getByRole('tab', { name: 'Month' }).click()
    await panel(page).getByText('in the last month').waitFor()
    await day.click()
    await panel(page).getByText('in the last day').waitFor()
    expect(requested).toEqual(['day', 'week', 'month'])
  })

  test('is in the currency of the visitor', async () => {
    const page = await open('Token.native')
    await panel(page).getByText('in the last day').waitFor()
    await page.evaluate(() =>
      window.gallery.kit.dispatch({
        type: 'preferences.changed',
        preferences: { currency: 'EUR' },
      }),
    )
    await panel(page)
      .getByText(/High €3,2/)
      .waitFor()
    expect(await panel(page).innerText()).toMatch(/in the last day\s+Low/)
  })

  test('says that it has today’s exchange rate, if the gateway has no others', async () => {
    const page = await open('Token.flat')
    await panel(page).getByText('in the last day', { exact: true }).waitFor()
    const height = await heightOf(page)
    await page.evaluate(() =>
      window.gallery.kit.dispatch({
        type: 'preferences.changed',
        preferences: { currency: 'EUR' },
      }),
    )
    await panel(page).getByText('in the last day, at today’s exchange rate').waitFor()
    expect(await heightOf(page)).toBeCloseTo(height, 0)
  })

  test('runs from left to right in Arabic too', async () => {
    const page = await open('Token.native', { query: 'locale=ar' })
    // The price rises, so the last point, at the right, is the highest.
    const ends = await page
      .locator('.gf-sparkline path')
      .last()
      .evaluate((path: SVGPathElement) => {
        const matrix = path.getScreenCTM()!
        const at = (length: number) => {
          const { x, y } = path.getPointAtLength(length).matrixTransform(matrix)
          return { x, y }
        }
        return { first: at(0), last: at(path.getTotalLength()) }
      })
    expect(ends.last.x).toBeGreaterThan(ends.first.x)
    expect(ends.last.y).toBeLessThan(ends.first.y)
  })

  test('keeps its height while it loads, if it is empty, and if it fails', async () => {
    const full = await open('Token.native')
    await panel(full).getByText('in the last day').waitFor()
    const height = await heightOf(full)
    const empty = await open('Token.noPoints')
    await panel(empty).getByText('No prices for this period yet.').waitFor()
    // The height differs by a tenth of a pixel, depending on the position.
    expect(await heightOf(empty)).toBeCloseTo(height, 0)

    let status = 503
    const failing = await open('Token.native', {
      before: async (page) => {
        await page.clock.install()
        await page.route(/fungible\/history/, (route) =>
          status ? route.fulfill({ status, json: {} }) : route.continue(),
        )
      },
    })
    await panel(failing).getByRole('status', { name: 'Loading prices' }).waitFor()
    expect(await heightOf(failing)).toBeCloseTo(height, 0)
    await failing.clock.fastForward(2_000)
    await panel(failing).getByRole('alert').waitFor()
    expect(await heightOf(failing)).toBeCloseTo(height, 0)
    status = 0
    await panel(failing).getByRole('button', { name: 'Try again' }).click()
    await panel(failing).getByText('in the last day').waitFor()
  })

  test('is missing if the gateway does not serve it', async () => {
    const page = await open('Token.noHistory')
    await page.locator('.gf-facts').waitFor()
    await chart(page).waitFor({ state: 'detached' })
  })
})
