import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { axe, untilIdle } from '../browser.ts'
import { idle, openGallery } from './gallery.ts'
import type { Gallery } from './gallery.ts'

let gallery: Gallery
beforeAll(async () => {
  gallery = await openGallery()
})
afterAll(() => gallery.stop())

const cover = (page: Page) => page.locator('.gf-cover')
const card = (page: Page) => page.locator('.gf-card')
const opener = (page: Page) => page.getByRole('button', { name: 'Connect Wallet' })

/** Resolves once the closed card is fully rendered. */
const drawn = (page: Page) =>
  page.locator('.gf-cover[data-closed]:not([data-stage])').waitFor({ state: 'attached' })

/** Once the cover is in the document, which is the first stage, idle callbacks run only with `nextIdlePeriod`. */
const holdIdle = (page: Page) =>
  page.addInitScript(() => {
    const held: (() => void)[] = []
    const whenIdle = window.requestIdleCallback.bind(window)
    window.requestIdleCallback = (callback) =>
      document.querySelector('.gf-cover') ? held.push(() => whenIdle(callback)) : whenIdle(callback)
    Object.assign(window, { held })
  })

/** Runs the callbacks that `holdIdle` holds, once there is one. */
const nextIdlePeriod = (page: Page) =>
  page.evaluate(async () => {
    const { held } = window as unknown as { held: (() => void)[] }
    while (held.length === 0) await new Promise(requestAnimationFrame)
    for (const release of held.splice(0)) release()
  })

const modalRequests = (requests: readonly string[]) =>
  requests.filter((url) => /\/modal-[^/]*\.js$/.test(url))

describe('in idle time', () => {
  test('the card is rendered, invisible and inert, without a request to the gateway or another host', async () => {
    const { page, hosts } = await gallery.visit('')
    const log = gallery.server.log.length
    await drawn(page)
    await card(page).getByText('Halyard').waitFor({ state: 'attached' })
    expect(await page.getByRole('dialog').count()).toBe(0)
    expect(await page.locator('[role=dialog], [aria-modal]').count()).toBe(0)
    expect(await axe(page, '.gf-cover')).toEqual([])
    expect(
      await card(page)
        .locator('.gf-row b')
        .first()
        .evaluate((element) => element.checkVisibility()),
    ).toBe(false)
    // At the card's position, pointer events reach the page.
    expect(
      await page.evaluate(() => {
        const at = document.elementFromPoint(innerWidth / 2, innerHeight / 2)
        return at?.closest('[data-gatefold]') ?? null
      }),
    ).toBe(null)
    expect(await page.evaluate(() => document.activeElement === document.body)).toBe(true)
    expect(await page.evaluate(() => document.documentElement.style.overflow)).toBe('')
    expect(await page.evaluate(() => document.documentElement.scrollHeight > innerHeight)).toBe(
      await page.evaluate(() => {
        document.querySelector<HTMLElement>('[data-gatefold]')!.style.display = 'none'
        return document.documentElement.scrollHeight > innerHeight
      }),
    )
    expect(gallery.server.log.slice(log)).toEqual([])
    expect([...hosts]).toEqual([new URL(gallery.server.url).host])
    await page.context().close()
  })

  test('Tab does not focus the closed card', async () => {
    const { page } = await gallery.visit('')
    await drawn(page)
    for (let step = 0; step < 12; step++) {
      await page.keyboard.press('Tab')
      expect(
        await page.evaluate(() => document.activeElement?.closest('[data-gatefold]') ?? null),
      ).toBe(null)
    }
    await page.context().close()
  })

  test('in no stage of its rendering, the closed card can be focused or read by a screen reader', async () => {
    const { page } = await gallery.visit('', { before: holdIdle })
    const session = await page.context().newCDPSession(page)
    for (let stage = 1; stage <= 4; stage++) {
      if (stage > 1) await nextIdlePeriod(page)
      await page.locator(`.gf-cover[data-stage="${stage}"]`).waitFor({ state: 'attached' })
      const focused = await card(page).evaluate((element) =>
        [element, ...element.querySelectorAll('a, button, input')].flatMap((one) => {
          ;(one as HTMLElement).focus()
          return document.activeElement === one ? one.className : []
        }),
      )
      expect(focused).toEqual([])
      const { nodes } = await session.send('Accessibility.getFullAXTree')
      const names = nodes.filter(({ ignored }) => !ignored).map(({ name }) => name?.value)
      expect(names).toContain('A button of the page')
      expect(names).not.toContain('Halyard')
      expect(names).not.toContain('Close')
    }
    await page.context().close()
  })

  test('a click while the card is rendered opens and focuses it', async () => {
    const { page } = await gallery.visit('', { before: holdIdle })
    for (let stage = 2; stage <= 4; stage++) {
      await nextIdlePeriod(page)
      await page.locator(`.gf-cover[data-stage="${stage}"]`).waitFor({ state: 'attached' })
    }
    await opener(page).click()
    await page.getByRole('dialog', { name: 'Connect Wallet' }).waitFor()
    expect(await card(page).evaluate((element) => document.activeElement === element)).toBe(true)
    await page.getByRole('button', { name: 'Close' }).waitFor()
    await page.context().close()
  })

  test('the card is laid out in steps, one per idle period', async () => {
    const { page } = await gallery.visit('', {
      before: (page) =>
        page.addInitScript(() => {
          const stages: string[] = []
          Object.assign(window, { stages })
          new MutationObserver(() => {
            const stage = document.querySelector('.gf-cover')?.getAttribute('data-stage') ?? 'all'
            if (document.querySelector('.gf-cover') && stages.at(-1) !== stage) stages.push(stage)
          }).observe(document, { subtree: true, childList: true, attributes: true })
        }),
    })
    await drawn(page)
    const stages = await page.evaluate(() => (window as unknown as { stages: string[] }).stages)
    expect(stages).toEqual(['1', '2', '3', '4', 'all'])
    await page.context().close()
  })

  test('rendering the card starts no animation, so that an idle page renders no frames', async () => {
    const started: string[] = []
    const { page } = await gallery.visit('', {
      before: async (page) => {
        const session = await page.context().newCDPSession(page)
        session.on('Animation.animationStarted', ({ animation }) => started.push(animation.name))
        await session.send('Animation.enable')
      },
    })
    await drawn(page)
    // An animation that starts in the last step is reported before this one.
    await page.evaluate(() => document.body.animate({ opacity: [1, 1] }, { id: 'last' }).ready)
    await expect.poll(() => started.at(-1)).toBe('last')
    expect(started).toEqual(['last'])
    await page.context().close()
  })

  test('the modal’s file is requested once the page has loaded; it is mounted only in an idle period', async () => {
    const { page, requests } = await gallery.visit('', {
      before: (page) =>
        page.addInitScript(() => {
          window.requestIdleCallback = () => 0
        }),
    })
    await expect.poll(() => modalRequests(requests)).toHaveLength(1)
    await untilIdle(page)
    expect(await page.locator('[data-gatefold]').count()).toBe(0)
    await opener(page).click()
    await page.getByRole('dialog', { name: 'Connect Wallet' }).waitFor()
    expect(modalRequests(requests)).toHaveLength(1)
    await page.context().close()
  })

  test.each([['intent'], ['none']])('`prefetch: %s` loads nothing', async (prefetch) => {
    const { page, requests } = await gallery.visit('', { query: `prefetch=${prefetch}` })
    await idle(page)
    expect(modalRequests(requests)).toEqual([])
    expect(await cover(page).count()).toBe(0)
    await page.context().close()
  })

  test.each([
    ['Save-Data', { saveData: true, effectiveType: '4g' }],
    ['a 3G connection', { saveData: false, effectiveType: '3g' }],
    ['a slow 2G connection', { saveData: false, effectiveType: 'slow-2g' }],
  ])('%s: nothing is loaded before the pointer is on the button', async (_, connection) => {
    const { page, requests } = await gallery.visit('', {
      before: (page) =>
        page.addInitScript((value) => {
          Object.defineProperty(navigator, 'connection', { value })
        }, connection),
    })
    await idle(page)
    expect(modalRequests(requests)).toEqual([])
    await opener(page).hover()
    await drawn(page)
    await page.context().close()
  })

  test('nothing is loaded while no connect button is on screen', async () => {
    const { page, requests } = await gallery.visit('', { query: 'below' })
    await idle(page)
    expect(modalRequests(requests)).toEqual([])
    await opener(page).scrollIntoViewIfNeeded()
    await drawn(page)
    await page.context().close()
  })

  test('nothing is rendered while a wallet is connected', async () => {
    const { page } = await gallery.visit('Account')
    await page.keyboard.press('Escape')
    await card(page).waitFor({ state: 'detached' })
    await idle(page)
    expect(await cover(page).count()).toBe(0)
    await page.context().close()
  })
})

describe('on intent', () => {
  test('`prefetch: none` loads nothing before the click', async () => {
    const { page, requests } = await gallery.visit('', { query: 'prefetch=none' })
    await opener(page).hover()
    await idle(page)
    expect(modalRequests(requests)).toEqual([])
    await opener(page).click()
    await page.getByRole('dialog', { name: 'Connect Wallet' }).waitFor()
    await page.context().close()
  })

  test('`prefetch: intent` renders the card when the pointer is over the button', async () => {
    const { page } = await gallery.visit('', { query: 'prefetch=intent' })
    await opener(page).hover()
    await drawn(page)
    await page.context().close()
  })
})

/** The number of frames from the click until the first frame that shows the list. */
const framesUntilList = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        let frames = 0
        const look = () => {
          frames++
          const row = [...document.querySelectorAll('.gf-row b')].find(
            ({ textContent }) => textContent === 'Halyard',
          )
          const seen = row?.checkVisibility({ opacityProperty: true, visibilityProperty: true })
          if (!seen) return requestAnimationFrame(look)
          const { port1, port2 } = new MessageChannel()
          port1.addEventListener('message', () => resolve(frames))
          port1.start()
          return port2.postMessage(0)
        }
        ;[...document.querySelectorAll('button')]
          .find(({ textContent }) => textContent === 'Connect Wallet')!
          .click()
        requestAnimationFrame(look)
      }),
  )

describe('opening', () => {
  test('the first frame after the click shows the list, for the first and the second click', async () => {
    const { page } = await gallery.visit('')
    await drawn(page)
    const element = await card(page).elementHandle()
    const same = () => card(page).evaluate((now, before) => now === before, element)
    expect(await framesUntilList(page)).toBe(1)
    await page.getByRole('dialog', { name: 'Connect Wallet' }).waitFor()
    expect(await same()).toBe(true)
    await expect
      .poll(() => card(page).evaluate((now) => now.contains(document.activeElement)))
      .toBe(true)
    await page.keyboard.press('Escape')
    await drawn(page)
    expect(await same()).toBe(true)
    expect(await framesUntilList(page)).toBe(1)
    await page.context().close()
  })

  test('a scrolled list starts at the top when it is opened again', async () => {
    const { page } = await gallery.visit('', { height: 400 })
    await drawn(page)
    await opener(page).click()
    await page.getByRole('dialog').waitFor()
    const scroll = page.locator('.gf-scroll')
    await scroll.evaluate((element) => {
      element.style.maxHeight = '60px'
      element.scrollTop = 40
    })
    await page.keyboard.press('Escape')
    await drawn(page)
    expect(await scroll.evaluate(({ scrollTop }) => scrollTop)).toBe(0)
    await page.context().close()
  })

  test('after another view was shown, the list is rendered again for the next click', async () => {
    const { page } = await gallery.visit('')
    await drawn(page)
    await opener(page).click()
    await page.getByRole('button', { name: 'What is a wallet?' }).click()
    await page.getByText('One key for every site').waitFor()
    await page.keyboard.press('Escape')
    await drawn(page)
    await card(page).getByText('Halyard').waitFor({ state: 'attached' })
    expect(await page.getByText('One key for every site').count()).toBe(0)
    expect(await framesUntilList(page)).toBe(1)
    await page.context().close()
  })

  test('opening another view skips the exit animation of the prerendered view', async () => {
    const { page } = await gallery.visit('')
    await drawn(page)
    const exiting = await page.evaluate(async () => {
      const seen: Element[] = []
      new MutationObserver(() =>
        seen.push(...document.querySelectorAll('.gf-view[data-ending-style]')),
      ).observe(document, { subtree: true, childList: true, attributes: true })
      void window.gallery.kit.open({ view: 'AllWallets' })
      while (!document.querySelector('.gf-card[data-view=AllWallets]:not([aria-busy])'))
        await new Promise(requestAnimationFrame)
      return seen.length
    })
    expect(exiting).toBe(0)
    await page.context().close()
  })

  test('consent is requested each time the modal opens', async () => {
    const { page } = await gallery.visit('Connect.consent')
    const box = page.getByRole('checkbox')
    // The input is 1 px wide, so the scale animation of the card makes it too small to click.
    await box.press('Space')
    expect(await box.isChecked()).toBe(true)
    await page.keyboard.press('Escape')
    await drawn(page)
    await opener(page).click()
    await page.getByRole('dialog').waitFor()
    expect(await box.isChecked()).toBe(false)
    await page.context().close()
  })

  test('a click before the card is rendered opens it immediately', async () => {
    const { page } = await gallery.visit('', { query: 'prefetch=intent' })
    await opener(page).click()
    await page.getByRole('dialog', { name: 'Connect Wallet' }).waitFor()
    await card(page).getByText('Halyard').waitFor()
    await page.context().close()
  })

  test('a click before React has run passive effects requests the chunk before them', async () => {
    const { page } = await gallery.visit('', {
      query: 'prefetch=none',
      before: (page) =>
        page.addInitScript(() => {
          // The query client of the kit listens from a passive effect.
          window.addEventListener = new Proxy(window.addEventListener, {
            apply(target, self, parameters: Parameters<typeof window.addEventListener>) {
              if (parameters[0] === 'visibilitychange') performance.mark('passive effects')
              return Reflect.apply(target, self, parameters)
            },
          })
          // The observer runs in the task of React's commit, so before passive effects.
          new MutationObserver((_, observer) => {
            const button = [...document.querySelectorAll('button')].find(
              ({ textContent }) => textContent === 'Connect Wallet',
            )
            if (!button) return
            observer.disconnect()
            button.click()
          }).observe(document, { childList: true, subtree: true })
        }),
    })
    await page.getByRole('dialog').waitFor()
    const { effects, requests } = await page.evaluate(() => ({
      effects: performance.getEntriesByName('passive effects')[0]!.startTime,
      requests: performance
        .getEntriesByType('resource')
        .map(({ name, startTime }) => ({ name, startTime })),
    }))
    const early = requests.filter(({ startTime }) => startTime < effects)
    expect(modalRequests(early.map(({ name }) => name))).toHaveLength(1)
  })
})
