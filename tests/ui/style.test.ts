import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openGallery } from './gallery.ts'
import type { Gallery } from './gallery.ts'

let gallery: Gallery

beforeAll(async () => {
  gallery = await openGallery()
})

afterAll(() => gallery.stop())

const dialog = '.gf-card[role=dialog]'

describe('position and style', () => {
  test('§2.13.1 one overlay is appended to the body, and removed when the instance is destroyed', async () => {
    const { page } = await gallery.visit('Connect')
    expect(await page.locator('[data-gatefold]').count()).toBe(1)
    expect(
      await page.evaluate(() => document.body.lastElementChild?.matches('[data-gatefold]')),
    ).toBe(true)
    await page.evaluate(() => window.gallery.kit.destroy())
    await page.locator('[data-gatefold]').waitFor({ state: 'detached' })
    expect(await page.evaluate(() => document.documentElement.style.overflow)).toBe('')
    await page.context().close()
  })

  test('§2.15.2 §9.11.1/1 §9.11.1/2 §9.11.1/3 §9.11.1/4 §9.11.1/5 by default, the width is 360 px, the master font size 10 px, the master radius 4 px, the z-index 999 and the mix strength 0 %', async () => {
    const { page } = await gallery.visit('Connect', { query: 'plain', reducedMotion: 'reduce' })
    const look = await page.locator(dialog).evaluate((card) => ({
      width: card.getBoundingClientRect().width,
      radius: getComputedStyle(card).borderTopLeftRadius,
      font: getComputedStyle(card).fontSize,
      zIndex: getComputedStyle(card.parentElement!).zIndex,
      strength: getComputedStyle(card).getPropertyValue('--gf-color-mix-strength'),
    }))
    // The radius is 3 times the master radius (4 px), the text size 1.5 times the master font size
    // (10 px).
    expect(look).toEqual({
      width: 360,
      radius: '12px',
      font: '15px',
      zIndex: '999',
      strength: '0%',
    })
    await page.context().close()
  })

  test('§2.15.1 variables and mode apply immediately; without a mode, the system’s mode applies', async () => {
    const { page } = await gallery.visit('Connect', {
      query: 'theme=system',
      reducedMotion: 'reduce',
    })
    const root = page.locator('[data-gatefold]')
    expect(await root.getAttribute('data-theme')).toBe('light')
    await page.emulateMedia({ colorScheme: 'dark' })
    await expect.poll(() => root.getAttribute('data-theme')).toBe('dark')
    await page.evaluate(() => {
      const { kit } = window.gallery
      kit.dispatch({
        type: 'theme.changed',
        theme: {
          mode: 'light',
          variables: { '--gf-font-size-master': '12px', '--gf-z-index': '7' },
        },
      })
    })
    await expect.poll(() => root.getAttribute('data-theme')).toBe('light')
    const card = page.locator(dialog)
    expect(await card.evaluate((element) => getComputedStyle(element).fontSize)).toBe('18px')
    expect(
      await page.locator('.gf-cover').evaluate((element) => getComputedStyle(element).zIndex),
    ).toBe('7')
    await page.context().close()
  })

  test('§2.15.1 §9.11.1 the background is mixed with the mix color, by its strength', async () => {
    const { page } = await gallery.visit('Connect', {
      query: 'theme=light',
      reducedMotion: 'reduce',
    })
    const card = page.locator(dialog)
    async function backgroundWith(mix: string, strength: string) {
      await page.evaluate(
        (variables) =>
          window.gallery.kit.dispatch({
            type: 'theme.changed',
            theme: { mode: 'light', variables },
          }),
        { '--gf-color-mix': mix, '--gf-color-mix-strength': strength },
      )
      const root = page.locator('[data-gatefold]')
      await expect
        .poll(() =>
          root.evaluate((element) => getComputedStyle(element).getPropertyValue('--gf-color-mix')),
        )
        .toBe(mix)
      return card.evaluate((element) => getComputedStyle(element).backgroundColor)
    }
    const [none, alsoNone] = [await backgroundWith('red', '0%'), await backgroundWith('blue', '0%')]
    const [red, blue] = [await backgroundWith('red', '40%'), await backgroundWith('blue', '40%')]
    expect(alsoNone).toBe(none)
    expect(new Set([none, red, blue]).size).toBe(3)
    await page.context().close()
  })

  test('§2.12.2/1 §2.12.2/2 §2.12.2/3 §2.12.2/4 transitions take 120 ms (header), 150 ms (height, view), and 75, 125 and 200 ms (tokens)', async () => {
    const { page } = await gallery.visit('Connect')
    await page.locator(dialog).evaluate(waitForRest)
    await page.getByRole('button', { name: 'What is a wallet?' }).hover()
    await page.locator(dialog).evaluate(waitForRest)
    const found = await page.evaluate(async () => {
      const { kit } = window.gallery
      const seen = new Map<string, number>()
      kit.dispatch({ type: 'view.pushed', entry: { name: 'WhatIsAWallet' } })
      const until = performance.now() + 400
      while (performance.now() < until) {
        await new Promise(requestAnimationFrame)
        for (const animation of document.getAnimations()) {
          const { target, pseudoElement } = animation.effect as KeyframeEffect
          const { duration, delay } = animation.effect!.getComputedTiming()
          if (!(target instanceof HTMLElement) || pseudoElement) continue
          const leaving = target.dataset.endingStyle === '' ? ' leaving' : ''
          const name = `${target.classList[0]}${leaving}`
          seen.set(name, Math.max(seen.get(name) ?? 0, Number(duration) + Number(delay)))
        }
      }
      return Object.fromEntries(seen)
    })
    expect(found).toMatchObject({
      'gf-title': 120,
      'gf-title leaving': 60,
      'gf-port': 150,
      'gf-view': 150,
      'gf-view leaving': 75,
    })
    const tokens = await page.locator('[data-gatefold]').evaluate((root) =>
      ['--gf-t-1', '--gf-t-2', '--gf-t-3'].map((name) => {
        const probe = document.createElement('i')
        probe.style.transitionDuration = `var(${name})`
        root.append(probe)
        const time = getComputedStyle(probe).transitionDuration
        probe.remove()
        return time
      }),
    )
    expect(tokens).toEqual(['0.075s', '0.125s', '0.2s'])
    await page.context().close()
  })

  test('with prefers-reduced-motion, there are no finite animations', async () => {
    const { page } = await gallery.visit('', { reducedMotion: 'reduce' })
    const found = await page.evaluate(async () => {
      const { kit } = window.gallery
      const seen = new Set<string>()
      const watch = async (run: () => void) => {
        run()
        for (let frame = 0; frame < 20; frame++) {
          await new Promise(requestAnimationFrame)
          for (const animation of document.getAnimations())
            if (animation.effect!.getComputedTiming().iterations !== Infinity)
              seen.add(
                `${(animation.effect as KeyframeEffect).target?.className} ${(animation as CSSTransition).transitionProperty}`,
              )
        }
      }
      await watch(() => void kit.open())
      await watch(() => kit.dispatch({ type: 'view.pushed', entry: { name: 'WhatIsAWallet' } }))
      await watch(() => kit.dispatch({ type: 'view.back' }))
      await watch(() => void window.gallery.toast('success', 'Link copied'))
      await watch(() => kit.dispatch({ type: 'view.shake', on: true }))
      await watch(() => kit.close())
      return [...seen]
    })
    expect(found).toEqual([])
    await page.context().close()
  })

  test('the modal looks the same on a page with hostile styles', async () => {
    const { page } = await gallery.visit('Connect.legal', { reducedMotion: 'reduce' })
    const card = page.locator(dialog)
    const look = () =>
      card.evaluate((root) =>
        // Images are not compared; the positions of their neighbors show whether they moved. The plate below an image
        // disappears when the image has loaded, which may be between the two calls.
        [root, ...root.querySelectorAll(':not(img, svg, svg *)')].map((element) => {
          const { x, y, width, height } = element.getBoundingClientRect()
          const style = getComputedStyle(element)
          return [
            element.tagName,
            x,
            y,
            width,
            height,
            style.color,
            style.backgroundColor,
            style.font,
            style.letterSpacing,
            style.textTransform,
            style.boxShadow,
            style.borderRadius,
            element.matches('.gf-artwork > *') ? '' : style.opacity,
            style.textDecorationLine,
            style.listStyleType,
          ].join(' ')
        }),
      )
    await card.getByText('420+').waitFor()
    const before = await look()
    await page.addStyleTag({
      content: `
        * { letter-spacing: 3px; line-height: 3; text-shadow: 1px 1px red; }
        body :is(h2, p, a, b, ul, li, span, div, button, svg, img) { margin: 9px; padding: 7px; float: left; max-width: 90%; }
        button, .page button, body button { background: lime; color: red; font: italic 30px serif; border: 5px solid; text-transform: uppercase; border-radius: 50%; box-shadow: 0 0 9px red; }
        a, body a { color: lime; text-decoration: line-through; } body ul { list-style: square; }
        h2, body h2 { font: 60px serif; text-transform: uppercase; } svg, body svg { width: 90px; fill: red; }
      `,
    })
    expect(await look()).toEqual(before)
    await page.context().close()
  })

  test('a strict content security policy with a nonce allows the modal’s styles', async () => {
    gallery.server.faults.csp =
      "default-src 'none'; script-src 'self'; connect-src 'self'; font-src 'self'; img-src 'self' data:; style-src 'self' 'nonce-book'"
    const { page, consoleErrors } = await gallery.visit('Connect', { query: 'nonce=book' })
    gallery.server.faults.csp = undefined
    expect(
      await page.locator('.gf-cover').evaluate((cover) => getComputedStyle(cover).position),
    ).toBe('fixed')
    expect(
      await page
        .locator('[data-gf-buttons] button')
        .first()
        .evaluate((button) => getComputedStyle(button).minHeight),
    ).toBe('48px')
    expect(consoleErrors).toEqual([])
    await page.context().close()
  })

  test.each([
    [320, 568],
    [390, 844],
    [430, 932],
    [768, 1024],
    [1440, 900],
  ])('the modal fits a viewport of %i by %i px', async (width, height) => {
    const { page } = await gallery.visit('AllWallets', { width, height, reducedMotion: 'reduce' })
    await page.getByText('Orrery').first().waitFor()
    const card = await page.locator(dialog).evaluate((element) => {
      const { left, right, top, bottom } = element.getBoundingClientRect()
      const wide = [...element.querySelectorAll('*')].filter(
        (child) => child.getBoundingClientRect().right > right + 0.5,
      )
      return { left, right, top, bottom, wide: wide.length }
    })
    expect(card.wide).toBe(0)
    expect(card.top).toBeGreaterThanOrEqual(0)
    expect(card.bottom).toBeLessThanOrEqual(height)
    // On a phone, the card is a sheet: full width, at the bottom edge.
    const sheet = width <= 430
    expect(card.right - card.left).toBe(sheet ? width : 360)
    expect(card.bottom === height).toBe(sheet)
    await page.context().close()
  })

  test('§4.3.4 a toast is announced politely, an error assertively', async () => {
    const { page } = await gallery.visit('Connect')
    for (const variant of ['info', 'success', 'loading', 'error'] as const) {
      await page.evaluate((name) => window.gallery.toast(name, `It is ${name}`), variant)
      const role = variant === 'error' ? 'alert' : 'status'
      await page
        .getByRole(role)
        .filter({ hasText: `It is ${variant}` })
        .waitFor({ state: 'attached' })
      expect(await page.locator('.gf-toast').last().textContent()).toBe(`It is ${variant}`)
    }
    await page.context().close()
  })
})

/** Resolves once all finite animations of an element have ended. */
function waitForRest(element: Element): Promise<unknown> {
  const finite = element
    .getAnimations({ subtree: true })
    .filter((animation) => animation.effect?.getComputedTiming().iterations !== Infinity)
  return Promise.allSettled(finite.map(({ finished }) => finished))
}
