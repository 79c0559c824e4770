import { startGallery, type RunningGallery } from '@gatefold/frame/gallery'
import { limits } from '@gatefold/protocol'
import { listen, type RunningSite } from '@gatefold/site'
import type { Frame, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launchBrowser, type TestBrowser } from '../browser.ts'
import { storageModes } from './openHost.ts'

declare const window: Window & { showStatement?: () => void }

let gallery: RunningGallery
let site: RunningSite

/** The gallery is on the site 127.0.0.1, the page that embeds it on localhost. */
const galleryUrl = () => gallery.url.replace('localhost', '127.0.0.1')

beforeAll(async () => {
  gallery = await startGallery()
  // On a different site than the gallery, so that the frame knows about the
  // page only what the browser reports.
  site = await listen(
    () =>
      new Response(
        `<!doctype html><body style="margin:0">
          <div id="cover"></div>
          <div id="box" style="width:360px;height:600px">
            <iframe name="approval" src="${galleryUrl()}/?scene=send" style="width:100%;height:100%;border:0"></iframe>
          </div>
          <div style="position:absolute;left:600px;top:0;width:360px;height:600px">
            <iframe name="control" style="width:100%;height:100%;border:0"></iframe>
          </div>
        </body>`,
        { headers: { 'content-type': 'text/html' } },
      ),
    { port: 0 },
  )
})
afterAll(async () => {
  await Promise.all([gallery?.stop(), site?.stop()])
})

const canApprove = (frame: Frame) => async () =>
  (await frame.getByRole('button', { name: 'Approve' }).getAttribute('aria-disabled')) === 'false'

const setStyle = (page: Page, selector: string, style: string) =>
  page.evaluate(
    ([target, text]) => {
      document.querySelector<HTMLElement>(target)!.style.cssText += text
    },
    [selector, style] as const,
  )

const answer = (frame: Frame) => () => frame.locator('html').getAttribute('data-answer')

const covers: [string, string, string][] = [
  [
    'a cover',
    '#cover',
    ';position:fixed;left:0;top:200px;width:360px;height:40px;background:#fff;z-index:9',
  ],
  ['a transparent cover', '#cover', ';position:fixed;inset:0;z-index:9;background:#ffffff01'],
  ['opacity', '#box', ';opacity:0.9'],
  ['a filter', '#box', ';filter:blur(1px)'],
  ['a blend mode', '#box', ';mix-blend-mode:difference'],
  ['a rotation', '#box', ';transform:rotate(2deg)'],
  ['a scale', '#box', ';transform:scale(0.4)'],
  ['half of it outside the window', '#box', ';position:absolute;left:-180px'],
  ['a width of 200 pixels', '#box', ';width:200px'],
  ['a height of 1 pixel', '#box', ';height:1px'],
]

/**
 * Hides the approval, and waits until a second one, which is loaded afterwards and not hidden, can be approved. By then
 * the first one must have noticed.
 */
async function cover(page: Page, selector: string, style: string) {
  await setStyle(page, selector, style)
  if (selector === '#cover') await setStyle(page, '#cover', ';right:auto;width:500px')
  await untilNoticed(page)
}

const load = (page: Page, name: 'approval' | 'control', query: string) =>
  page.evaluate(
    ([selector, url]) => {
      document.querySelector<HTMLIFrameElement>(selector)!.src = url
    },
    [`[name=${name}]`, `${galleryUrl()}/?${query}`] as const,
  )

/** Loads a second approval, and waits until it can be approved. */
async function untilNoticed(page: Page) {
  await load(page, 'control', 'scene=send')
  await expect
    .poll(async () => {
      const control = page.frame('control')!
      return (
        (await control.getByRole('button', { name: 'Approve' }).count()) > 0 &&
        canApprove(control)()
      )
    })
    .toBe(true)
}

describe.each(storageModes)('an approval, with storage $storage', ({ args, init }) => {
  let browser: TestBrowser
  beforeAll(async () => {
    browser = await launchBrowser({ args })
  })
  afterAll(() => browser?.close())

  async function open() {
    const { page, context } = await browser.newPage({ width: 1280, height: 800 })
    if (init) await context.addInitScript(init)
    await page.goto(site.url)
    return { page, approval: page.frame('approval')! }
  }

  it('can be approved once it has been fully visible for a while', async () => {
    const { approval } = await open()
    const shown = approval.getByText('You can approve once all of this is visible.')
    await shown.waitFor()
    await expect.poll(canApprove(approval)).toBe(true)
    expect(await shown.count()).toBe(0)
    await approval.getByRole('button', { name: 'Approve' }).click()
    await expect.poll(answer(approval)).toBe('approved')
  })

  it.each(covers)('attack: cannot be approved from the start of %s', async (_, selector, style) => {
    const { page, approval } = await open()
    await cover(page, selector, style)
    expect(await canApprove(approval)()).toBe(false)
    await approval.getByRole('button', { name: 'Approve' }).dispatchEvent('click')
    expect(await answer(approval)()).toBeNull()
  })

  it.each(covers)(
    'attack: cannot be approved after %s, until it has ended',
    async (_, selector, style) => {
      const { page, approval } = await open()
      await expect.poll(canApprove(approval)).toBe(true)
      const before = await page.locator(selector).getAttribute('style')
      await cover(page, selector, style)
      expect(await canApprove(approval)()).toBe(false)
      await page.evaluate(
        ([target, text]) => document.querySelector(target)!.setAttribute('style', text),
        [selector, before ?? ''] as const,
      )
      await expect.poll(canApprove(approval)).toBe(true)
    },
  )

  it('attack: cannot be approved until half a second after a change', async () => {
    const { page, approval } = await open()
    const [, selector, style] = covers[0]!
    await expect.poll(canApprove(approval)).toBe(true)
    await setStyle(page, selector, style)
    await expect.poll(canApprove(approval)).toBe(false)
    // Both documents read the clock of this machine.
    const approvable = approval.evaluate(
      () =>
        new Promise<number>((resolve) => {
          const observer = new MutationObserver(() => {
            if (document.querySelector('button[aria-disabled=false]')) resolve(Date.now())
          })
          observer.observe(document, { attributes: true, childList: true, subtree: true })
        }),
    )
    const uncovered = await page.evaluate((target) => {
      document.querySelector(target)!.removeAttribute('style')
      return Date.now()
    }, selector)
    expect((await approvable) - uncovered).toBeGreaterThanOrEqual(limits.approvalRestMs)
  })

  it('attack: cannot be approved when it appears in a card that is already visible', async () => {
    const { page, approval } = await open()
    await load(page, 'approval', 'scene=send&reading')
    await approval.getByText('Reading').first().waitFor()
    await untilNoticed(page)
    // Before the browser can paint the statement.
    const disabled = await approval.evaluate(() => {
      window.showStatement!()
      const buttons = [...document.querySelectorAll('button')]
      return buttons.find((one) => one.textContent === 'Approve')!.ariaDisabled
    })
    expect(disabled).toBe('true')
    await expect.poll(canApprove(approval)).toBe(true)
  })

  it('attack: a click of a script does not approve', async () => {
    const { approval } = await open()
    await expect.poll(canApprove(approval)).toBe(true)
    await approval.evaluate(() => {
      const buttons = [...document.querySelectorAll('button')]
      buttons.find((one) => one.textContent === 'Approve')!.click()
    })
    expect(await answer(approval)()).toBeNull()
  })
})
