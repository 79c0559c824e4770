import { expect, test } from 'vitest'
import type { Page } from 'playwright-core'

import { idle } from './gallery.ts'
import { useScenes } from './scene.ts'

const open = useScenes()

/** What each tab shows once its data is cached. */
const contents = {
  Tokens: '.gf-holdings .gf-row:not([aria-hidden])',
  NFTs: '[role=tabpanel] .gf-nft',
  Activity: '.gf-day .gf-row:not([aria-hidden])',
} as const

/**
 * Clicks a tab, and counts the frames until its content is on screen: 1, if it is painted in the first frame after the
 * click. A callback of `requestAnimationFrame` runs before its frame is painted, so it sees what that frame shows.
 */
async function framesUntilPainted(page: Page, tab: keyof typeof contents): Promise<number> {
  return page.evaluate(
    ([name, selector]) =>
      new Promise<number>((resolve) => {
        const button = [...document.querySelectorAll<HTMLElement>('[role=tab]')].find(
          ({ innerText }) => innerText === name,
        )!
        let frames = 0
        const check = () => {
          frames++
          const shown = [...document.querySelectorAll(selector)].some((element) =>
            element.checkVisibility(),
          )
          if (shown || frames === 60) resolve(frames)
          else requestAnimationFrame(check)
        }
        requestAnimationFrame(() => {
          // At the end of a frame, as an input event is.
          setTimeout(() => {
            button.click()
            requestAnimationFrame(check)
          })
        })
      }),
    [tab, contents[tab]] as const,
  )
}

test('each tab paints what is cached in the frame after the click', async () => {
  const page = await open('Account.tokens')
  await page.locator(contents.Tokens).first().waitFor()
  await idle(page)
  const tabs = ['NFTs', 'Activity', 'Tokens'] as const
  for (const tab of tabs) {
    await page.getByRole('tab', { name: tab }).click()
    await page.locator(contents[tab]).first().waitFor()
  }
  for (const tab of [...tabs, ...tabs]) expect(await framesUntilPainted(page, tab), tab).toBe(1)
})

test('a tab is painted in the first frame after its details are left', async () => {
  const page = await open('Account.tokens')
  await page.getByRole('tab', { name: 'Activity' }).click()
  await page.locator(contents.Activity).first().getByText(/./).first().waitFor()
  await page.locator(contents.Activity).first().click()
  await page.getByRole('dialog', { name: 'Transaction' }).waitFor()
  // Once the view is in the document, its tab is too: no frame shows an empty tab.
  const wasEmpty = page.evaluate(
    (selector) =>
      new Promise<boolean>((resolve) => {
        const check = () => {
          const panel = document.querySelector('[role=tabpanel]')
          if (panel) resolve(!panel.querySelector(selector))
          else requestAnimationFrame(check)
        }
        requestAnimationFrame(check)
      }),
    '.gf-day .gf-row:not([aria-hidden])',
  )
  await page.getByRole('button', { name: 'Back' }).click()
  expect(await wasEmpty).toBe(false)
})

test('the code of the tabs is loaded while Account is open, before a tab is chosen', async () => {
  const page = await open('Account.tokens')
  await page.locator(contents.Tokens).first().waitFor()
  await idle(page)
  const requested: string[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('.js')) requested.push(request.url())
  })
  await page.getByRole('tab', { name: 'Activity' }).click()
  await page.locator(contents.Activity).first().waitFor()
  await page.getByRole('tab', { name: 'NFTs' }).click()
  await page.locator(contents.NFTs).first().waitFor()
  expect(requested.filter((url) => /NftGrid|Transactions/.test(url))).toEqual([])
})
