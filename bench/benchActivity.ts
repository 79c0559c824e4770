import { launchBrowser } from '@gatefold/tests/browser'
import type { TestBrowser } from '@gatefold/tests/browser'

import { startGallery } from '../packages/kit/gallery/server.ts'

type Opened = Awaited<ReturnType<TestBrowser['newPage']>>
type Page = Opened['page']
type Session = Awaited<ReturnType<Opened['context']['newCDPSession']>>

/** What the page measures while the list is scrolled. */
type Scrolled = {
  /** The longest task of the main thread in ms; 0 if none took 50 ms. */
  task: number
  /** The longest time from an input to its handler in ms. */
  delay: number
  /** Inputs that had no effect. */
  dropped: number
  /** Frames in which the middle of the list had a spacer. */
  blank: number
}

/** The factor by which the processor is slowed down, to about the speed of a lower mid-range phone. */
export const slowdown = 4

/** Time between two inputs in ms: a wheel that is turned quickly, and a key that is held down. */
const pauseMs = { wheel: 16, key: 33 }
/** How far a turn of the wheel scrolls, in px. */
const notchPx = 120

/**
 * Scrolls the activity of an account with 2,000 transactions on a slow processor, with a wheel and with the arrow keys.
 *
 * @param parameters.wheels - number of turns of the wheel, in each direction
 * @param parameters.keys - number of keys, in each direction
 */
export async function benchActivity(parameters: {
  wheels: number
  keys: number
}): Promise<{ wheel: Scrolled; keyboard: Scrolled }> {
  const [gallery, browser] = await Promise.all([startGallery(), launchBrowser()])
  try {
    const { page, context } = await browser.newPage()
    await page.goto(`${gallery.url}/?view=Transactions&state=long`)
    await page.locator('[role=dialog][data-view=Transactions]:not([aria-busy])').waitFor()
    await loadAll(page)
    await settle(page)
    const session = await context.newCDPSession(page)
    await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
    await page.evaluate(measureInPage)
    const wheel = await measure(page, () => turnWheel(page, session, parameters.wheels))
    const keyboard = await measure(page, () => holdKeys(page, session, parameters.keys))
    return { wheel, keyboard }
  } finally {
    await browser.close()
    await gallery.stop()
  }
}

declare const scrolling: {
  start(): void
  stop(): Promise<Omit<Scrolled, 'dropped'>>
}

const list = '.gf-scroll'

async function measure(page: Page, input: () => Promise<number>): Promise<Scrolled> {
  await page.evaluate(() => scrolling.start())
  const dropped = await input()
  return { ...(await page.evaluate(() => scrolling.stop())), dropped }
}

/** Loads the whole history by scrolling, and scrolls back. */
async function loadAll(page: Page): Promise<void> {
  await page.locator('.gf-day li').first().waitFor()
  await page.waitForFunction(
    (selector) => {
      const box = document.querySelector(selector)!
      box.scrollTo(0, box.scrollHeight)
      return box.textContent?.includes('No earlier activity.')
    },
    list,
    { timeout: 120_000, polling: 30 },
  )
  await page.locator(list).evaluate((box) => box.scrollTo(0, 0))
}

/** Turns the wheel down and up again. @returns the number of turns that did not scroll */
async function turnWheel(page: Page, session: Session, count: number): Promise<number> {
  const box = page.locator(list)
  const { x, y, width, height } = (await box.boundingBox())!
  const at = { x: x + width / 2, y: y + height / 2 }
  const top = () => box.evaluate((element) => element.scrollTop)
  let dropped = 0
  for (const deltaY of [notchPx, -notchPx]) {
    const before = await top()
    await steadily(count, pauseMs.wheel, () =>
      session.send('Input.dispatchMouseEvent', { type: 'mouseWheel', ...at, deltaX: 0, deltaY }),
    )
    await settle(page)
    dropped += count - Math.round(Math.abs((await top()) - before) / notchPx)
  }
  return dropped
}

/**
 * Holds the arrow keys in the longest list, which is the last one: first Up, then Down.
 *
 * @returns the number of keys that moved no focus
 */
async function holdKeys(page: Page, session: Session, count: number): Promise<number> {
  await page.locator(list).evaluate((box) => box.scrollTo(0, box.scrollHeight))
  await settle(page)
  await page.locator('.gf-day').last().locator('li button').last().focus()
  const place = () =>
    page.evaluate(() => Number(document.activeElement?.closest('li')?.ariaPosInSet))
  let dropped = 0
  for (const [key, windowsVirtualKeyCode] of [
    ['ArrowUp', 38] as const,
    ['ArrowDown', 40] as const,
  ]) {
    const before = await place()
    await steadily(count, pauseMs.key, () =>
      session.send('Input.dispatchKeyEvent', {
        type: 'rawKeyDown',
        key,
        code: key,
        windowsVirtualKeyCode,
      }),
    )
    await settle(page)
    dropped += count - Math.abs((await place()) - before)
  }
  return dropped
}

/** Sends inputs at a steady rate, whether or not the page has handled the previous ones. */
async function steadily(count: number, pause: number, send: () => Promise<unknown>): Promise<void> {
  const sent: Promise<unknown>[] = []
  const start = performance.now()
  for (let index = 0; index < count; index++) {
    const wait = start + index * pause - performance.now()
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait))
    sent.push(send())
  }
  await Promise.all(sent)
}

/** Resolves once the list has stood still, with the same focus, for ten frames. */
async function settle(page: Page): Promise<void> {
  await page.evaluate(async (selector) => {
    const box = document.querySelector(selector)!
    const read = () => [box.scrollTop, document.activeElement] as const
    let last = read()
    for (let still = 0; still < 10;) {
      await new Promise(requestAnimationFrame)
      const now = read()
      still = now[0] === last[0] && now[1] === last[1] ? still + 1 : 0
      last = now
    }
  }, list)
}

/** Runs in the page; self-contained, because its source text is passed to the page. */
function measureInPage(): void {
  const box = document.querySelector('.gf-scroll')!
  let found = { task: 0, delay: 0, blank: 0 }
  let isRunning = false
  const observer = new PerformanceObserver((entries) => {
    for (const { duration } of entries.getEntries()) found.task = Math.max(found.task, duration)
  })
  const onInput = ({ timeStamp }: Event) => {
    found.delay = Math.max(found.delay, performance.now() - timeStamp)
  }
  const check = () => {
    if (!isRunning) return
    const { left, top, height } = box.getBoundingClientRect()
    const shown = document.elementsFromPoint(left + 80, top + height / 2)
    if (shown.some((one) => one.matches('.gf-day li[aria-hidden]'))) found.blank++
    requestAnimationFrame(check)
  }
  Object.assign(globalThis, {
    scrolling: {
      start() {
        found = { task: 0, delay: 0, blank: 0 }
        isRunning = true
        observer.observe({ type: 'longtask' })
        for (const type of ['wheel', 'keydown'])
          addEventListener(type, onInput, { capture: true, passive: true })
        requestAnimationFrame(check)
      },
      async stop() {
        // The entries of the last frame are reported after it.
        await new Promise((resolve) => setTimeout(resolve, 200))
        isRunning = false
        observer.disconnect()
        for (const type of ['wheel', 'keydown']) removeEventListener(type, onInput, true)
        return found
      },
    },
  })
}
