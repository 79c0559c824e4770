import { describe, expect, test } from 'vitest'
import type { Page } from 'playwright-core'

import { answer, leaveAndAnswer, overflowing, setFaults, untilHanging, useScenes } from './scene.ts'

const open = useScenes()
const rows = (page: Page) => page.locator('.gf-day li')

test('transactions are in groups by day', async () => {
  const page = await open('Transactions')
  await page.getByRole('list', { name: 'Today' }).waitFor()
  const first = rows(page).first()
  expect(await first.innerText()).toMatch(
    /^Swapped\nETH to FLD\n\+716\.42 FLD\n\$716\.42 · \d\d:00/,
  )
  const time = await first.locator('time').evaluate((it: HTMLTimeElement) => {
    const at = new Date(it.dateTime)
    return { text: it.innerText, read: at.toLocaleTimeString('en', { timeStyle: 'short' }) }
  })
  expect(time.read).toBe(time.text)
  await page.getByText('Swap failed').waitFor()
  // A call that moved nothing has no amount.
  expect(await rows(page).nth(5).innerText()).not.toContain('ETH')
})

test('an NFT in the activity has its picture', async () => {
  const page = await open('Transactions')
  const picture = rows(page).filter({ hasText: 'Minted' }).first().locator('img[data-loaded]')
  await picture.waitFor()
  expect(await picture.getAttribute('src')).toContain('/v1/images/nft/Plate%2012')
})

test('§9.3.2 transactions that moved only spam are shown on request', async () => {
  const page = await open('Transactions')
  await page.getByText('1 hidden: they look like spam').waitFor()
  expect(await page.getByText('claim-gift').count()).toBe(0)
  await page.getByRole('button', { name: 'Show' }).click()
  await page.getByText('claim-gift').first().waitFor()
})

test('older transactions are loaded while the visitor scrolls', async () => {
  const page = await open('Transactions.long')
  await rows(page).first().waitFor()
  const before = await rows(page).count()
  await page.locator('.gf-scroll').evaluate((box) => box.scrollTo(0, box.scrollHeight))
  await expect.poll(() => rows(page).count()).toBeGreaterThan(before)
})

test('§8.1.1 error: a failure is reported, and the request can be repeated', async () => {
  const page = await open('Transactions.failed', { before: (fresh) => fresh.clock.install() })
  // The query retries once after a second.
  await page.clock.fastForward(2_000)
  await page.getByRole('alert').getByText('Failed to fetch transactions').waitFor()
  await page.route(/\/history/, (route) => route.fulfill({ json: { data: [], next: null } }))
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByText('No activity yet').waitFor()
})

test('without activity, a button opens the view with the address', async () => {
  const page = await open('Transactions.empty')
  await page.getByText('No activity yet').waitFor()
  await page.getByRole('button', { name: 'Receive' }).click()
  await page.getByRole('dialog', { name: 'Receive' }).waitFor()
})

test('error: if older transactions fail to load, they are requested again only on request', async () => {
  let failures = 0
  const page = await open('Transactions.noOlder', {
    before: async (fresh) => {
      await fresh.clock.install()
      fresh.on('response', (response) => {
        if (response.status() === 503) failures += 1
      })
    },
  })
  await rows(page).first().waitFor()
  const failed = page.getByText('Older transactions couldn’t be loaded.')
  await expect
    .poll(async () => {
      await page.locator('.gf-scroll').evaluate((box) => box.scrollTo(0, box.scrollHeight))
      await page.clock.fastForward(1_000)
      return failed.count()
    })
    .toBe(1)
  const before = failures
  await page.clock.fastForward(10_000)
  expect(failures).toBe(before)
  await page.route(/cursor=/, (route) => route.fulfill({ json: { data: [], next: null } }))
  await failed.getByRole('button', { name: 'Try again' }).click()
  await page.getByText('No earlier activity.').waitFor()
})

test('error: without the history, the transactions of this site stay in view, with a way to try again', async () => {
  const page = await open('Transactions.pendingOffline', {
    before: (fresh) => fresh.clock.install(),
  })
  await page.clock.fastForward(2_000)
  const note = page.getByRole('alert').filter({ hasText: 'Failed to fetch transactions' })
  await note.getByText('Only transactions sent on this site are listed.').waitFor()
  expect(await rows(page).count()).toBe(6)
  // Above the list, not below its visible part.
  const [box, list] = await Promise.all([note.boundingBox(), rows(page).first().boundingBox()])
  expect(box!.y).toBeLessThan(list!.y)
  await page.route(/\/history/, (route) => route.fulfill({ json: { data: [], next: null } }))
  await note.getByRole('button', { name: 'Try again' }).click()
  await page.getByText('No earlier activity.').waitFor()
  expect(await note.count()).toBe(0)
})

test('error: details that could not be loaded are not reported as missing', async () => {
  const page = await open('Transaction.offline', { before: (fresh) => fresh.clock.install() })
  await page.clock.fastForward(2_000)
  await page.getByRole('alert').getByText('Failed to fetch transactions').waitFor()
  expect(await page.getByText('Transaction not found').count()).toBe(0)
  await page.route(/\/history/, (route) => route.fulfill({ json: { data: [], next: null } }))
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByText('Transaction not found').waitFor()
})

test('in German, the title of a failed transaction is not cut', async () => {
  const page = await open('Transactions', { query: 'locale=de' })
  const title = page.getByText('Tausch fehlgeschlagen').first()
  await title.waitFor()
  expect(await title.evaluate((it) => it.scrollWidth - it.clientWidth)).toBe(0)
})

test('in Arabic, a swap reads from right to left', async () => {
  const page = await open('Transactions', { query: 'locale=ar' })
  const note = rows(page).first().locator('small').first()
  await note.waitFor()
  const [from, to] = await note.evaluate((element) =>
    ['ETH', 'FLD'].map((symbol) => {
      const text = document.createTreeWalker(element, NodeFilter.SHOW_TEXT).nextNode()!
      const range = document.createRange()
      const start = text.textContent!.indexOf(symbol)
      range.setStart(text, start)
      range.setEnd(text, start + symbol.length)
      return range.getBoundingClientRect().left
    }),
  )
  expect(from).toBeGreaterThan(to!)
})

test('§3.4/1 the account has a tab with the activity, and keeps it while other views are open', async () => {
  const page = await open('Account.tokens')
  await page.getByRole('tab', { name: 'Activity' }).click()
  await page.getByRole('list', { name: 'Today' }).waitFor()
  await page.getByRole('button', { name: /^Network.*Change$/ }).click()
  await page.getByRole('dialog', { name: 'Choose Network' }).waitFor()
  await page.getByRole('button', { name: 'Back' }).click()
  await page.getByRole('list', { name: 'Today' }).waitFor()
  expect(await page.getByRole('tab', { name: 'Activity' }).getAttribute('aria-selected')).toBe(
    'true',
  )
})

test('a row opens the details of its transaction, which link to the explorer', async () => {
  const page = await open('Transactions')
  await rows(page).first().getByRole('button').click()
  const card = page.getByRole('dialog', { name: 'Transaction' })
  await card.locator('.gf-hero').getByText('+716.42 FLD').waitFor()
  await card.getByText('Confirmed').waitFor()
  // The history has no fees; the network does.
  await card.getByText('0.000021 ETH').waitFor()
  expect(await card.getByRole('link', { name: 'View on explorer' }).getAttribute('href')).toBe(
    `https://explorer.example/tx/0x${'0'.repeat(64)}`,
  )
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await card.getByRole('button', { name: 'Copy To: 0x5c81…90Ef' }).click()
  await expect
    .poll(() => page.evaluate(() => navigator.clipboard.readText()))
    .toBe('0x5c81E0a4F7b2D93816a05cE24f8B7dA10e3390Ef')
  await page.getByRole('button', { name: 'Back' }).click()
  await page.getByRole('dialog', { name: 'Activity' }).waitFor()
})

describe('a pending transaction', () => {
  test('is sped up', async () => {
    const page = await open('Transaction.pending')
    await page.getByText('Pending', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Speed up' }).click()
    await page.getByRole('status').getByText('Sent again with a higher fee.').waitFor()
    expect(
      await page.getByRole('link', { name: 'View on explorer' }).getAttribute('href'),
    ).toContain('4b0d4b0d')
  })

  test('is canceled', async () => {
    const page = await open('Transaction.pending')
    await page.getByRole('button', { name: 'Try to cancel' }).click()
    await page
      .getByRole('status')
      .getByText(/^Cancellation sent/)
      .waitFor()
  })

  test('error: stays pending if the visitor declines', async () => {
    const page = await open('Transaction.rejected')
    await page.getByRole('button', { name: 'Try to cancel' }).click()
    await page
      .getByRole('alert')
      .getByText(/You declined the request in Halyard/)
      .waitFor()
    await page.getByText('Pending', { exact: true }).waitFor()
  })

  test('error: a wallet that ignores the nonce is reported', async () => {
    const page = await open('Transaction.ignored')
    await page.getByRole('button', { name: 'Speed up' }).click()
    await page.getByRole('alert').getByText('Halyard sent a second transaction').waitFor()
  })

  test('error: stays pending if the wallet fails', async () => {
    const page = await open('Transaction.pending')
    await setFaults(page, { fail: true })
    await page.getByRole('button', { name: 'Speed up' }).click()
    await page.getByRole('alert').getByText('Couldn’t replace the transaction').waitFor()
    await page.getByText('Pending', { exact: true }).waitFor()
  })

  test('a wallet that does not respond for a minute is reported; its late response counts', async () => {
    const page = await open('Transaction.pending', { before: (fresh) => fresh.clock.install() })
    await setFaults(page, { hang: true })
    await page.getByRole('button', { name: 'Speed up' }).click()
    await page.getByRole('status').getByText('Confirm the higher fee in Halyard').waitFor()
    await untilHanging(page)
    await page.clock.fastForward(61_000)
    await page.getByRole('status').getByText('Halyard hasn’t responded').waitFor()
    await answer(page)
    await page.getByRole('status').getByText('Sent again with a higher fee.').waitFor()
  })

  test('error: after the visitor has left, a toast reports a second transaction', async () => {
    const page = await open('Transaction.ignored')
    await setFaults(page, { hang: true })
    await page.getByRole('button', { name: 'Try to cancel' }).click()
    await leaveAndAnswer(page, {})
    await page.locator('.gf-toast').getByText('Halyard sent a second transaction').waitFor()
  })

  test('that is not on the wallet’s network needs a switch', async () => {
    const page = await open('Transaction.otherNetwork')
    await page.getByText('Switch to Ethereum to speed it up or cancel it.').waitFor()
    expect(await page.getByRole('button', { name: 'Speed up' }).count()).toBe(0)
  })
})

test('error: a failed transaction says why', async () => {
  const page = await open('Transaction.failed')
  await page.getByText('Reason: Too late').waitFor()
})

test('§4.17 submitted transactions are in the list, pending ones first', async () => {
  const page = await open('Transactions.pending')
  const today = page.getByRole('list', { name: 'Today' })
  await today.getByText('Transfer canceled').waitFor()
  expect((await rows(page).allInnerTexts()).slice(0, 2)).toEqual([
    'Sending\nto 0xa7E2…11b0\n−0.25 ETH\nPending',
    'Swapping\nETH to FLD\n−0.25 ETH\nPending',
  ])
  const reverted = rows(page).filter({ hasText: 'Transfer failed' }).filter({ hasText: '0xa7E2' })
  expect(await reverted.textContent()).toMatch(/^.*Transfer failed.*0\.25 ETH/)
})

test('§4.17 error: submitted transactions are in the list even if the history failed', async () => {
  const page = await open('Transactions.pendingOffline')
  await page.getByText('Sending').waitFor()
  await page.getByRole('alert').getByText('Failed to fetch transactions').waitFor()
})

test.each([
  'Transactions',
  'Transactions.pending',
  'Transaction',
  'Transaction.pending',
  'Transaction.replaced',
])('%s fits at 320 px, in German and Arabic too', async (scene) => {
  for (const locale of ['en', 'de', 'ar']) {
    const page = await open(scene, { width: 320, query: `locale=${locale}` })
    await page.locator('.gf-day li, .gf-hero').first().waitFor()
    expect(await overflowing(page)).toEqual([])
  }
})

describe('the value of a transaction', () => {
  test('at its time is in its row and in its details, in the visitor’s currency', async () => {
    const page = await open('Transactions')
    const bought = rows(page).filter({ hasText: '+716.42 FLD' }).first()
    await bought.getByText('$716.42').waitFor()
    await bought.click()
    const fact = page.locator('.gf-facts > div').filter({ hasText: 'Value at that time' })
    expect(await fact.locator('dd').innerText()).toBe('$716.42')
  })

  test('is missing where it is unknown, and for approvals', async () => {
    const page = await open('Transactions')
    const approved = rows(page).filter({ hasText: 'Approved' }).first()
    await approved.waitFor()
    expect(await approved.innerText()).not.toContain('$')
    await approved.click()
    await page.getByText('Status', { exact: true }).waitFor()
    expect(await page.getByText('Value at that time').count()).toBe(0)
  })
})
