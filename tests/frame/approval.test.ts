import { startGallery, type RunningGallery } from '@gatefold/frame/gallery'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { axe, launchBrowser, type TestBrowser } from '../browser.ts'

const scenes = [
  'loading',
  'message',
  'longMessage',
  'bytes',
  'signIn',
  'otherSignIn',
  'send',
  'sendToken',
  'swap',
  'allowance',
  'unlimited',
  'collection',
  'unknown',
  'stillUnknown',
  'short',
  'failing',
  'notTried',
  'sponsored',
  'selfPaid',
  'batch',
  'batchDanger',
  'permit',
  'solana',
  'solanaToken',
  'solanaSeveral',
  'solanaUnknown',
  'solanaFee',
  'solanaReassigned',
  'solanaAll',
  'solanaHidden',
]

const cards = ['offer', 'alone', 'window', 'protect', 'restore', 'passkey']

let browser: TestBrowser
let gallery: RunningGallery

beforeAll(async () => {
  ;[browser, gallery] = await Promise.all([launchBrowser(), startGallery()])
})
afterAll(async () => {
  await Promise.all([browser.close(), gallery.stop()])
})

async function open(scene: string, theme = 'light') {
  const opened = await browser.newPage({ width: 360, height: 600 })
  const kind = cards.includes(scene) ? 'card' : 'scene'
  await opened.page.goto(`${gallery.url}/?${kind}=${scene}&theme=${theme}`)
  await opened.page.getByRole('dialog').waitFor()
  return opened
}

describe('approvals', () => {
  it.each(['light', 'dark'])('axe finds no violations (%s)', async (theme) => {
    for (const scene of [...scenes, ...cards]) {
      const { page, context } = await open(scene, theme)
      expect(await axe(page, 'body'), scene).toEqual([])
      await context.close()
    }
  })

  it('no scene overflows, and its buttons stay in the window', async () => {
    for (const scene of [...scenes, ...cards]) {
      const { page, context } = await open(scene)
      const size = await page.evaluate(() => ({
        width: document.documentElement.scrollWidth,
        bottom: Math.max(
          ...[...document.querySelectorAll('button')].map(
            (one) => one.getBoundingClientRect().bottom,
          ),
        ),
      }))
      expect(size.width, scene).toBeLessThanOrEqual(360)
      expect(size.bottom, scene).toBeLessThanOrEqual(600)
      await context.close()
    }
  })

  it('a dangerous one needs a tick, and Reject is the button that stands out', async () => {
    const { page } = await open('unlimited')
    const approve = page.getByRole('button', { name: 'Approve' })
    await page.getByText('Approve comes back').waitFor({ state: 'detached' })
    await approve.dispatchEvent('click')
    expect(await approve.getAttribute('aria-disabled')).toBe('true')
    await page.getByLabel('I know this contract and want to allow it.').check()
    await expect.poll(() => approve.getAttribute('aria-disabled')).toBe('false')
    await approve.click()
    await expect.poll(() => page.locator('html').getAttribute('data-answer')).toBe('approved')
  })

  it('a sign-in for another site can only be closed', async () => {
    const { page } = await open('otherSignIn')
    expect(await page.getByRole('button').allTextContents()).toEqual(['Close'])
    await page.getByRole('button', { name: 'Close' }).click()
    await expect.poll(() => page.locator('html').getAttribute('data-answer')).toBe('rejected')
  })

  it.each(cards)('Escape closes the card %s, which takes the focus', async (name) => {
    const { page } = await open(name)
    const isFocused = () =>
      page.evaluate(() => document.activeElement?.matches('[role=dialog]') ?? false)
    await expect.poll(isFocused).toBe(true)
    await page.keyboard.press('Escape')
    await expect.poll(() => page.locator('html').getAttribute('data-answer')).toBe('closed')
  })

  it('keyboard: the focus goes from the card to what is asked, Reject and Approve', async () => {
    const { page } = await open('send')
    const focused = () =>
      page.evaluate(() => document.activeElement?.textContent?.trim().slice(0, 7))
    await expect.poll(focused).toBe('Secure ')
    await page.getByText('Approve comes back').waitFor({ state: 'detached' })
    await page.keyboard.press('Tab')
    expect(await focused()).toBe('Send 2.')
    await page.keyboard.press('Tab')
    expect(await focused()).toBe('Reject')
    await page.keyboard.press('Tab')
    expect(await focused()).toBe('Approve')
    await page.keyboard.press('Enter')
    await expect.poll(() => page.locator('html').getAttribute('data-answer')).toBe('approved')
  })
})
