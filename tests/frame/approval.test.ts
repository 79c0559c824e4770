import { frameLanguages } from '@gatefold/protocol/frame'
import { startGallery, type RunningGallery } from '@gatefold/frame/gallery'
import type { Page } from 'playwright-core'
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
  'uniswap',
  'uniswapBare',
  'uniswapElsewhere',
  'zeroEx',
  'oneInch',
  'unlimited',
  'limited',
  'batchLimited',
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
  'permit2',
  'permit2Unlimited',
  'permitSingle',
  'permitBatch',
  'solana',
  'solanaToken',
  'solanaSeveral',
  'solanaUnknown',
  'solanaFee',
  'solanaReassigned',
  'solanaAll',
  'solanaHidden',
]

const cards = [
  'offer',
  'alone',
  'window',
  'confirm',
  'confirmSocial',
  'protect',
  'protectNone',
  'restore',
  'restoreNone',
  'passkey',
]

const pages = ['login', 'settings', 'settingsWithoutEmail', 'handover', 'lost']

let browser: TestBrowser
let gallery: RunningGallery

beforeAll(async () => {
  ;[browser, gallery] = await Promise.all([launchBrowser(), startGallery()])
})
afterAll(async () => {
  await Promise.all([browser.close(), gallery.stop()])
})

type SceneOptions = { theme?: string; locale?: string }

async function open(scene: string, options: SceneOptions = {}) {
  const opened = await browser.newPage({ width: 360, height: 600 })
  await show(opened.page, scene, options)
  return opened
}

async function show(page: Page, scene: string, { theme = 'light', locale = 'en' }: SceneOptions) {
  const kind = cards.includes(scene) ? 'card' : pages.includes(scene) ? 'page' : 'scene'
  await page.goto(`${gallery.url}/?${kind}=${scene}&theme=${theme}&locale=${locale}`)
  await page.locator('.card, .sheet').first().waitFor()
}

/** Shows all scenes in one page, one after another. */
async function visitAll(
  options: SceneOptions,
  check: (page: Page, scene: string) => Promise<void>,
) {
  const { page, context } = await browser.newPage({ width: 360, height: 600 })
  for (const scene of [...scenes, ...cards, ...pages]) {
    await show(page, scene, options)
    await check(page, scene)
  }
  await context.close()
}

describe('approvals', () => {
  it.each(['light', 'dark'])('axe finds no violations (%s)', (theme) =>
    visitAll({ theme }, async (page, scene) => {
      expect(await axe(page, 'body'), scene).toEqual([])
    }),
  )

  it.each(frameLanguages)('%s: no scene overflows, and its buttons stay in the window', (locale) =>
    visitAll({ locale }, async (page, scene) => {
      const size = await page.evaluate(() => ({
        width: document.documentElement.scrollWidth,
        bottom: Math.max(
          ...[...document.querySelectorAll('button')].map(
            (one) => one.getBoundingClientRect().bottom,
          ),
        ),
      }))
      expect(size.width, scene).toBeLessThanOrEqual(360)
      // A page can scroll, so its height is not limited.
      const lowest = pages.includes(scene) ? 0 : size.bottom
      expect(lowest, scene).toBeLessThanOrEqual(600)
    }),
  )

  it('the card explains why a wallet cannot be protected on this page', async () => {
    const { page } = await open('protectNone')
    await page.getByText('This page doesn’t let the wallet use passkeys').waitFor()
    expect(await page.getByRole('button').allTextContents()).toEqual(['Cancel'])
  })

  it('a dangerous request requires a checkbox, and Reject is its primary button', async () => {
    const { page } = await open('unlimited')
    const approve = page.getByRole('button', { name: 'Approve' })
    await page.getByText('You can approve once').waitFor({ state: 'detached' })
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

  it('keyboard: the focus moves from the card to the request, Reject and Approve', async () => {
    const { page } = await open('send')
    const focused = () =>
      page.evaluate(() => document.activeElement?.textContent?.trim().slice(0, 7))
    await expect.poll(focused).toBe('Secure ')
    await page.getByText('You can approve once').waitFor({ state: 'detached' })
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
