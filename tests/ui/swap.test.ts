import { describe, expect, test } from 'vitest'
import type { Page } from 'playwright-core'

import {
  answer,
  auditThemes,
  leaveAndAnswer,
  overflowing,
  setFaults,
  untilHanging,
  useScenes,
} from './scene.ts'

const open = useScenes()
const button = (page: Page, name: string | RegExp) =>
  page.locator('.gf-view:not([data-ending-style])').getByRole('button', { name, exact: true })
const amount = (page: Page, label: 'You pay' | 'You get') => page.getByLabel(label, { exact: true })
/** The transactions that the wallet has received. */
const sent = (page: Page) =>
  page.evaluate(() =>
    window.gallery.control.sent.map(({ to, data, value }) => ({ to, data, value: String(value) })),
  )

describe('the amounts', () => {
  test('§9.3.1 show what they yield, their value, the rate and the cost', async () => {
    const page = await open('Swap')
    await button(page, 'Review swap').waitFor()
    expect(await amount(page, 'You get').inputValue()).toBe('717.192')
    await page.getByText('$720.00').waitFor()
    await page.getByText('$717.19').waitFor()
    await button(page, /^1 ETH = 3,585.96 FLD\s*Cost \$4.30$/).click()
    const facts = page.locator('.gf-facts')
    expect((await facts.locator('dd').allInnerTexts()).map((text) => text.trim())).toEqual([
      '0.04%',
      expect.stringContaining('1%'),
      '710.02 FLD',
      expect.stringContaining('min'),
      expect.stringContaining('$2.52'),
      '$1.78',
      'ETH\nQLL\nFLD',
    ])
    await facts.getByRole('radio', { name: '3%' }).check()
    await facts.getByText('695.6762 FLD').waitFor()
  })

  test('§9.3.1 have the slippage and deadline that the visitor chose, which are kept for the next swap', async () => {
    const page = await open('Swap')
    await page.locator('.gf-unfold').click()
    const slippage = page.getByLabel('Other slippage, in percent')
    await slippage.fill('60')
    await page.getByRole('alert').filter({ hasText: 'From 0.01% to 50%' }).waitFor()
    expect(await slippage.getAttribute('aria-invalid')).toBe('true')
    await slippage.blur()
    expect(await slippage.inputValue()).toBe('')
    await page.locator('.gf-facts').getByText('710.02 FLD').waitFor()
    await slippage.fill('0.05')
    await page.getByRole('status').filter({ hasText: 'Low slippage' }).waitFor()
    await slippage.fill('7,5')
    await page.getByRole('status').filter({ hasText: 'up to 7.5% less than shown' }).waitFor()
    await page.locator('.gf-facts').getByText('663.4026 FLD').waitFor()
    const deadline = page.getByLabel('Deadline, in minutes')
    expect(await deadline.inputValue()).toBe('20')
    await deadline.fill('181')
    await page.getByRole('alert').filter({ hasText: 'From 1 to 180 minutes' }).waitFor()
    await deadline.fill('45')
    expect(await auditThemes(page)).toEqual([])

    await button(page, 'Review swap').click()
    const facts = page.locator('.gf-view:not([data-ending-style]) .gf-facts')
    await facts.getByText('45 min').waitFor()
    await facts.getByText('7.5%').waitFor()
    await button(page, 'Swap').click()
    await page.getByText('Swap complete').waitFor()
    const [transaction] = await sent(page)
    const call = JSON.parse(Buffer.from(transaction!.data!.slice(2), 'hex').toString()) as {
      deadline: string
      minimum: string
    }
    expect(Math.abs(Number(call.deadline) - Date.now() / 1000 - 45 * 60)).toBeLessThan(120)
    expect(call.minimum).toBe('663402600')

    await button(page, 'Done').click()
    await page.getByRole('button', { name: 'Swap', exact: true }).click()
    await button(page, 'Select token').last().click()
    await page.getByRole('button', { name: /^Fold Dollar/ }).click()
    await amount(page, 'You pay').fill('0.1')
    await page.locator('.gf-unfold').click()
    expect(await page.getByLabel('Other slippage, in percent').inputValue()).toBe('7.5')
    expect(await page.getByLabel('Deadline, in minutes').inputValue()).toBe('45')
  })

  test('the maximum of the native currency leaves gas, and more is refused with what is left', async () => {
    const page = await open('Swap.notEnough')
    await button(page, 'Not enough ETH').waitFor()
    expect(await button(page, 'Not enough ETH').isDisabled()).toBe(true)
    await page.getByText('You can pay up to 2.4801 ETH; 0.00081 ETH is kept for gas.').waitFor()
    await button(page, 'Max').click()
    expect(await amount(page, 'You pay').inputValue()).toBe('2.48019')
    await button(page, 'Review swap').waitFor()
  })

  test('are quoted once while they are typed, and again every 10 s', async () => {
    let quotes = 0
    const page = await open('Swap.empty', {
      before: async (fresh) => {
        await fresh.clock.install()
        fresh.on('request', (request) => {
          if (request.url().includes('/v1/convert/quotes')) quotes++
        })
      },
    })
    await button(page, 'Select token').last().click()
    await page.getByRole('button', { name: /^Fold Dollar/ }).click()
    const field = amount(page, 'You pay')
    // Otherwise the clock also advances by the time that the test itself takes.
    await page.clock.pauseAt(await page.evaluate(() => Date.now() + 1_000))
    await field.pressSequentially('125', { delay: 0 })
    expect(quotes).toBe(0)
    // In steps, because React may start the timer of the request later than the test runs the clock.
    const countAfter = async (ms: number) => {
      await page.clock.runFor(ms)
      return quotes
    }
    await expect.poll(() => countAfter(50)).toBe(1)
    await button(page, /Not enough|Review swap/).waitFor()
    expect(quotes).toBe(1)
    await page.clock.fastForward(10_000)
    await expect.poll(() => quotes).toBe(2)
  })

  test('of a source without a deadline show none', async () => {
    const page = await open('Swap', {
      before: (fresh) =>
        fresh.route(/\/v1\/convert\/quotes/, async (route) => {
          const response = await route.fetch()
          const { quotes } = (await response.json()) as { quotes: object[] }
          const json = { quotes: quotes.map((one) => ({ ...one, hasDeadline: false })) }
          await route.fulfill({ response, json })
        }),
    })
    await page.locator('.gf-unfold').click()
    await page.getByLabel('Other slippage, in percent').waitFor()
    expect(await page.getByText('Deadline').count()).toBe(0)
    await button(page, 'Review swap').click()
    await page.getByRole('dialog', { name: 'Review Swap' }).waitFor()
    expect(await page.getByText('Deadline').count()).toBe(0)
  })

  test('change places with the tokens', async () => {
    const page = await open('Swap')
    await button(page, 'Review swap').waitFor()
    await button(page, 'Swap the tokens').click()
    await button(page, 'Not enough FLD').waitFor()
    expect(await amount(page, 'You pay').inputValue()).toBe('717.192')
    await button(page, 'Select token: ETH').waitFor()
  })

  test.each([
    ['Swap.noRoute', 'No route', 'There’s no market between ETH and FLD on Ethereum.'],
    ['Swap.lowLiquidity', 'Amount too large', 'There isn’t enough FLD in the market'],
    ['Swap.decimals', 'Check the amount', 'At most 18 decimals'],
    ['Swap.impact', 'Review swap', 'you get 7.2% less'],
  ])('§8.4 a problem has its own text (%s)', async (scene, name, hint) => {
    const page = await open(scene)
    await button(page, name).waitFor()
    await page.getByText(hint).waitFor()
  })

  test('error: while the gateway fails, the visitor can request the tokens again', async () => {
    const page = await open('Swap.failed')
    await page.getByRole('alert').filter({ hasText: 'The tokens couldn’t be loaded' }).waitFor()
    const requested = page.waitForRequest(/convert\/tokens/)
    expect(await button(page, 'Try again').getAttribute('data-kind')).toBe('primary')
    await button(page, 'Try again').click()
    await requested
  })
})

describe('selecting a token', () => {
  test('finds it by name or symbol, and keeps the amount', async () => {
    const page = await open('Swap')
    await button(page, 'Select token: FLD').click()
    await page.getByRole('dialog', { name: 'Select token' }).waitFor()
    const groups = page.getByRole('list')
    expect(await groups.nth(0).getByRole('listitem').first().innerText()).toContain('Ether')
    await page.getByLabel('Search tokens').fill('brim')
    await page.getByRole('button', { name: /^Brimstone/ }).click()
    await button(page, 'Review swap').waitFor()
    await button(page, 'Select token: BRIM').waitFor()
    expect(await amount(page, 'You pay').inputValue()).toBe('0.2')
  })

  test('the other side’s token flips the sides', async () => {
    const page = await open('SwapSelectToken')
    await page.getByRole('button', { name: /^Ether/ }).click()
    await button(page, 'Select token: FLD').first().waitFor()
    expect(await page.getByRole('button', { name: /^Select token: / }).allInnerTexts()).toEqual([
      'FLD',
      'ETH',
    ])
  })

  test('only tokens of the account can be paid with', async () => {
    const page = await open('SwapSelectToken.pay')
    await page.getByRole('button', { name: /^Ether/ }).waitFor()
    expect(await page.getByRole('list').count()).toBe(1)
    expect(await page.getByRole('button', { name: /^Fold Dollar/ }).count()).toBe(0)
  })

  test('a search without a result can be cleared', async () => {
    const page = await open('SwapSelectToken')
    await page.getByLabel('Search tokens').fill('zzz')
    await page.getByText('No tokens match “zzz”').waitFor()
    await button(page, 'Show all tokens').click()
    await page.getByRole('button', { name: /^Ether/ }).waitFor()
  })
})

describe('the preview', () => {
  test('§7.8.10 swaps what it shows, links to the transaction, and loads the new balances', async () => {
    const page = await open('SwapPreview')
    await page.locator('.gf-facts').getByText('710.02 FLD').waitFor()
    const refreshed = page.waitForRequest(/\/v1\/account\/.*forceUpdate=/)
    await button(page, 'Swap').click()
    await page.getByRole('status').filter({ hasText: 'Swap complete' }).waitFor()
    await page.getByText('You paid 0.2 ETH and got at least 710.02 FLD.').waitFor()
    await refreshed
    const [transaction, ...rest] = await sent(page)
    expect(rest).toEqual([])
    expect(transaction?.value).toBe('200000000000000000')
    const link = page.getByRole('link', { name: 'View on explorer' })
    // As in every view, the main action comes first.
    const [done, explorer] = [await button(page, 'Done').boundingBox(), await link.boundingBox()]
    expect(done!.y).toBeLessThan(explorer!.y)
    expect(await link.getAttribute('href')).toMatch(/^https:\/\/explorer.example\/tx\/0x8c1f/)
    await button(page, 'Done').click()
    await page.getByRole('group', { name: /^Total balance/ }).waitFor()
  })

  test('§7.8.11 a token is approved first, with exactly its amount', async () => {
    const page = await open('SwapPreview.approval')
    await page.getByText('You confirm twice in Halyard: an approval of exactly 100 QLL').waitFor()
    await button(page, 'Approve and swap').click()
    await page.getByRole('status').filter({ hasText: 'Swap complete' }).waitFor()
    const transactions = await sent(page)
    expect(transactions).toHaveLength(2)
    expect(BigInt(`0x${transactions[0]?.data?.slice(-64)}`)).toBe(100n * 10n ** 18n)
  })

  test('§7.8.11 a permit replaces the approval, if the token and the account support it', async () => {
    const page = await open('SwapPreview.permit')
    await page
      .getByText('You sign once in Halyard: a permit for exactly 100 QLL, without gas.')
      .waitFor()
    expect(await auditThemes(page)).toEqual([])
    await button(page, 'Sign and swap').click()
    await page.getByRole('status').filter({ hasText: 'Swap complete' }).waitFor()
    expect(await sent(page)).toHaveLength(1)
    const values = await page.evaluate(() =>
      window.gallery.control.typedData.map(({ message }) => String(message.value)),
    )
    expect(values).toEqual([String(100n * 10n ** 18n)])
  })

  test('§7.8.11 a wallet that executes batches approves and swaps at once', async () => {
    const page = await open('SwapPreview.batch')
    await page
      .getByText('You confirm once in Halyard: an approval of exactly 100 QLL and the swap')
      .waitFor()
    expect(await auditThemes(page)).toEqual([])
    await setFaults(page, { hang: true })
    await button(page, 'Approve and swap').click()
    const title = 'Confirm approval and swap in Halyard'
    await page.getByRole('status').filter({ hasText: title }).waitFor()
    await page.getByText('Both happen together, or neither. You pay 100 QLL').waitFor()
    await answer(page)
    await page.getByRole('status').filter({ hasText: 'Swap complete' }).waitFor()
    await page.getByRole('link', { name: 'View on explorer' }).waitFor()
    expect(await sent(page)).toEqual([])
    const sizes = await page.evaluate(() =>
      window.gallery.control.batches.map(({ calls }) => calls.length),
    )
    expect(sizes).toEqual([2])
  })

  test('§7.8.11 a token that refuses to change an allowance is confirmed in three steps', async () => {
    const page = await open('SwapPreview.reset')
    await page.getByText('You confirm three times in Halyard: QLL needs the old').waitFor()
    expect(await auditThemes(page)).toEqual([])
    const reject = (isRejecting: boolean) =>
      page.evaluate((value) => {
        window.gallery.control.faults.reject = value
      }, isRejecting)
    await reject(true)
    await button(page, 'Approve and swap').click()
    await page.getByRole('alert').filter({ hasText: 'Nothing was swapped.' }).waitFor()
    expect(await sent(page)).toEqual([])
    await reject(false)
    await button(page, 'Try again').click()
    await setFaults(page, { hang: true })
    await button(page, 'Approve and swap').click()
    const title = 'Remove the old approval in Halyard'
    await page.getByRole('status').filter({ hasText: title }).waitFor()
    await page.getByText('QLL doesn’t accept a new approval before that.').waitFor()
    await untilHanging(page)
    await setFaults(page, { hang: false })
    await answer(page)
    await page.getByRole('status').filter({ hasText: 'Swap complete' }).waitFor()
    expect(await sent(page)).toHaveLength(3)
  })

  test.each([
    ['an unlimited approval', 'SwapPreview.unlimited', 'Approve and swap', 'Swap stopped'],
    ['a moved price', 'SwapPreview.moved', 'Swap', 'The price moved'],
    ['a refusal', 'SwapPreview.revert', 'Swap', 'the swap would fail: Paused'],
  ])('error: after %s, the wallet is not asked', async (_, scene, name, title) => {
    const page = await open(scene)
    await button(page, name).click()
    await page.getByRole('alert').filter({ hasText: title }).waitFor()
    expect(await sent(page)).toEqual([])
  })

  test('§8.4 error: a reverted swap shows its reason and the transaction', async () => {
    const page = await open('SwapPreview')
    await page.evaluate(() => {
      window.gallery.control.revertReason = 'Paused'
    })
    await button(page, 'Swap').click()
    await page.getByRole('alert').filter({ hasText: 'Reason: Paused' }).waitFor()
    await page.getByRole('link', { name: 'View on explorer' }).waitFor()
  })

  test.each([
    ['Transaction too old', 'The swap came too late'],
    ['Too little received', 'The price moved'],
  ])(
    '§8.4 error: “%s” has its own text, which says that the gas was spent',
    async (reason, title) => {
      const page = await open('SwapPreview')
      await page.evaluate((text) => {
        window.gallery.control.revertReason = text
      }, reason)
      await button(page, 'Swap').click()
      const alert = page.getByRole('alert').filter({ hasText: title })
      await alert.getByText('the gas was spent').waitFor()
    },
  )

  test('§8.11.4 after a rejection, the swap can be tried again', async () => {
    const page = await open('SwapPreview')
    await page.evaluate(() => {
      window.gallery.control.faults.reject = true
    })
    await button(page, 'Swap').click()
    await page
      .getByRole('alert')
      .filter({ hasText: 'You declined the request in Halyard' })
      .waitFor()
    await page.evaluate(() => {
      window.gallery.control.faults.reject = false
    })
    await button(page, 'Try again').click()
    await button(page, 'Swap').click()
    await page.getByText('Swap complete').waitFor()
  })

  test.each([
    [
      'SwapPreview.permit',
      'Sign and swap',
      { reject: true },
      'You declined',
      'Nothing was swapped.',
    ],
    [
      'SwapPreview.permit',
      'Sign and swap',
      { otherKey: true },
      'Another account signed',
      'Select that account in Halyard',
    ],
    ['SwapPreview.approval', 'Approve and swap', { reject: true }, 'You declined', 'Nothing was'],
    ['SwapPreview', 'Swap', { fail: true }, 'The swap wasn’t sent', 'Reason:'],
    [
      'SwapPreview.approval',
      'Approve and swap',
      { noHash: true },
      'A transaction may have been sent',
      'Halyard didn’t return it.',
    ],
  ])('error: %s, “%s” with the fault %o', async (scene, name, faults, title, hint) => {
    const page = await open(scene)
    await setFaults(page, faults)
    await button(page, name).click()
    await page.getByRole('alert').filter({ hasText: title }).filter({ hasText: hint }).waitFor()
  })

  test('error: a swap that is declined after its approval says that the approval stays', async () => {
    const page = await open('SwapPreview.approval')
    await page.route(/\/v1\/convert\/build-transaction/, async (route) => {
      await setFaults(page, { reject: true })
      await route.continue()
    })
    await button(page, 'Approve and swap').click()
    const alert = page.getByRole('alert').filter({ hasText: 'You declined the request in Halyard' })
    await alert.getByText('The approval of 100 QLL stays.').waitFor()
    expect(await sent(page)).toHaveLength(1)
  })

  test('error: after the visitor has left, a toast reports a wallet that fails', async () => {
    const page = await open('SwapPreview.approval')
    await setFaults(page, { hang: true })
    await button(page, 'Approve and swap').click()
    await leaveAndAnswer(page, { fail: true })
    await page.locator('.gf-toast').getByText('The swap wasn’t sent').waitFor()
  })

  test.each([
    ['SwapPreview.approval', 'Approve and swap', 'Approve QLL in Halyard'],
    ['SwapPreview.permit', 'Sign and swap', 'Sign the permit'],
  ])(
    'a wallet that does not respond is named at each step of %s; its late answers count',
    async (scene, name, first) => {
      const page = await open(scene, { before: (fresh) => fresh.clock.install() })
      await setFaults(page, { hang: true })
      await button(page, name).click()
      for (const title of [first, 'Confirm the swap in Halyard']) {
        await page.getByRole('status').filter({ hasText: title }).waitFor()
        await untilHanging(page)
        await page.clock.fastForward(60_000)
        await page.getByRole('alert').filter({ hasText: 'Halyard isn’t responding' }).waitFor()
        await answer(page)
      }
      await page.getByText('Swap complete').waitFor()
    },
  )

  test('a wallet that does not respond for a minute is reported; its late response counts', async () => {
    const page = await open('SwapPreview', { before: (fresh) => fresh.clock.install() })
    await page.evaluate(() => {
      window.gallery.control.faults.hang = true
    })
    await button(page, 'Swap').click()
    await page.getByRole('status').filter({ hasText: 'Confirm the swap in Halyard' }).waitFor()
    // The gateway's response, which has a time limit, comes before the request to the wallet.
    await untilHanging(page)
    await page.clock.fastForward(60_000)
    await page.getByRole('alert').filter({ hasText: 'Halyard isn’t responding' }).waitFor()
    expect(await auditThemes(page)).toEqual([])
    await answer(page)
    await page.getByText('Swap complete').waitFor()
  })

  test('a price impact of 15 % or more requires a checkbox', async () => {
    const page = await open('SwapPreview.highImpact')
    await page.getByText('I accept getting 18.4% less than the market price.').waitFor()
    expect(await button(page, 'Swap').isDisabled()).toBe(true)
    await page.getByRole('checkbox').press('Space')
    expect(await button(page, 'Swap').isDisabled()).toBe(false)
    const warned = await open('SwapPreview.impact')
    await warned.getByText('High price impact').waitFor()
    expect(await button(warned, 'Swap').isDisabled()).toBe(false)
  })

  test('after a change of the account, goes back', async () => {
    const page = await open('SwapPreview')
    await button(page, 'Swap').waitFor()
    await page.evaluate(() => {
      const { control } = window.gallery
      control.emit({
        type: 'accountsChanged',
        connectorId: control.ids[0],
        accounts: [
          {
            namespace: 'eip155',
            address: '0xa7E250C9d13B4f0A6627eB81c5f9D04aE3b711b0',
            type: 'eoa',
          },
        ],
      })
    })
    await page.getByRole('alert').filter({ hasText: 'Your account or network changed' }).waitFor()
    await button(page, 'Back to swap').click()
    await page.getByRole('dialog', { name: 'Swap', exact: true }).waitFor()
  })
})

test('§4.6.1 §8.4 a network without swaps opens UnsupportedChain, and switching returns to the swap', async () => {
  const page = await open('UnsupportedChain.noSwaps')
  // Swap has the same text; it stays in the document until its exit animation ends.
  const text = page.getByText('Swaps aren’t available on Ethereum')
  await expect.poll(() => text.count()).toBe(1)
  await page.route(/\/v1\/convert\/tokens/, async (route) =>
    route.fulfill({
      json: {
        tokens: [
          {
            symbol: 'ETH',
            name: 'Ether',
            decimals: 18,
            address: 'eip155:10:0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee',
          },
        ],
      },
    }),
  )
  await page.getByRole('button', { name: /^OP Mainnet/ }).click()
  await page.getByRole('dialog', { name: 'Swap', exact: true }).waitFor()
  await button(page, 'Select token: ETH').waitFor()
})

test('the account opens the swap', async () => {
  const page = await open('Account.tokens')
  await page.getByRole('button', { name: 'Swap', exact: true }).click()
  await page.getByRole('dialog', { name: 'Swap', exact: true }).waitFor()
  await button(page, 'Select token: ETH').waitFor()
})

test.each([
  'Swap',
  'Swap.notEnough',
  'SwapSelectToken',
  'SwapPreview.approval',
  'SwapPreview.permit',
])('%s fits a window of 320 px in German and Arabic', async (scene) => {
  for (const locale of ['de', 'ar']) {
    const page = await open(scene, { width: 320, query: `locale=${locale}` })
    await page.locator('.gf-body .gf-artwork').first().waitFor()
    expect(await overflowing(page)).toEqual([])
  }
})

test('the settings of a swap fit a window of 320 px in German and Arabic, even with an error', async () => {
  for (const locale of ['de', 'ar']) {
    const page = await open('Swap', { width: 320, query: `locale=${locale}` })
    await page.locator('.gf-unfold').click()
    for (const field of await page.locator('.gf-number input').all()) {
      await field.fill('999')
      await page.locator('.gf-choice > small').waitFor()
      expect(await overflowing(page)).toEqual([])
    }
  }
})
