import { accounts, gatefoldLocal } from '@gatefold/chain'
import { createClient, formatEther, http, verifyMessage } from 'viem'
import type { Hex } from 'viem'
import { getBalance, getTransactionReceipt } from 'viem/actions'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { launchBrowser, untilIdle } from '../browser.ts'
import type { TestBrowser } from '../browser.ts'
import { startStack } from '../stack.ts'
import type { Stack } from '../stack.ts'
import { openBook } from './bookPage.ts'
import type { BookPage } from './bookPage.ts'

let stack: Stack
let browser: TestBrowser
let book: BookPage
const chain = () => createClient({ chain: gatefoldLocal(stack.chains[0]!.url), transport: http() })
const mira = accounts[0].address
const tomas = accounts[1].address

beforeAll(async () => {
  ;[stack, browser] = await Promise.all([startStack(), launchBrowser()])
  book = await openBook(browser, stack.book!.url)
})
afterAll(async () => {
  await browser?.close()
  await stack?.stop()
})

/** One visit from connecting to disconnecting. The tests build on each other. */
describe('a visit with demo wallets', () => {
  test('behavior: before the visitor acts, the page contacts only its own server', async () => {
    await book.connect.waitFor()
    await untilIdle(book.page)
    expect([...book.hosts]).toEqual([new URL(stack.book!.url).host])
  })

  test('§1.2.1 §2.6.4 §4.1.5 connects a wallet and shows its account and its on-chain balance', async () => {
    await book.connect.click()
    await book.card.waitFor()
    expect(await book.card.getAttribute('aria-modal')).toBe('true')
    await book.row(/^Halyard/).click()
    await book.card.getByText('Open Halyard to continue').waitFor()
    await book.approve()
    await book.account.waitFor()
    expect(await book.account.getAttribute('data-address')).toBe(mira)
    await book.card.waitFor({ state: 'detached' })
    const whole = Number(formatEther(await getBalance(chain(), { address: mira })))
    const shown = `${(Math.floor(whole * 1000) / 1000).toLocaleString('en-US')} ETH`
    await book.account.getByText(shown).waitFor()
  })

  test('§2.2.1 the toast covers neither the account nor the tabs of the demo wallets', async () => {
    const toast = (await book.page.locator('.toast').first().boundingBox())!
    const others = await book.page.getByTestId('wallet-tab').or(book.account).all()
    expect(others.length).toBeGreaterThan(2)
    for (const other of others) {
      const box = (await other.boundingBox())!
      const isApart =
        box.x + box.width <= toast.x ||
        toast.x + toast.width <= box.x ||
        box.y + box.height <= toast.y ||
        toast.y + toast.height <= box.y
      expect(isApart).toBe(true)
    }
  })

  test('§5.8.1 shows the on-chain name and avatar', async () => {
    await book.account.getByText('mira.eth').waitFor()
    const picture = book.account.locator('img')
    expect(await picture.getAttribute('src')).toMatch(/^data:image/)
  })

  test('§3.10.2 §7.13.1 signs a message with the real key', async () => {
    await book.page.getByRole('button', { name: 'Sign a message' }).click()
    await book.panel.getByRole('textbox').fill('A page of the saga')
    await book.panel.getByRole('button', { name: 'Sign', exact: true }).click()
    await book.approve()
    const word = book.page.locator('.hex bdi')
    await word.waitFor()
    const signature = (await word.getAttribute('title')) as Hex
    expect(await verifyMessage({ address: mira, message: 'A page of the saga', signature })).toBe(
      true,
    )
    await book.page.getByRole('button', { name: 'Back to the cover' }).click()
  })

  test('§3.10.1 sends a transaction to a name and shows the receipt', async () => {
    const before = await getBalance(chain(), { address: tomas })
    await book.page.getByRole('button', { name: 'Send a transaction' }).click()
    await book.panel.getByLabel('To', { exact: true }).fill('tomas.eth')
    await book.panel.getByLabel('Amount').fill('0.25')
    await book.panel.getByRole('button', { name: 'Send', exact: true }).click()
    await book.approve()
    await book.page.getByText(/0\.25 ETH sent to/).waitFor()
    const hash = (await book.page.locator('.hex bdi').getAttribute('title')) as Hex
    const receipt = await getTransactionReceipt(chain(), { hash })
    expect(receipt).toMatchObject({
      status: 'success',
      from: mira.toLowerCase(),
      to: tomas.toLowerCase(),
    })
    expect((await getBalance(chain(), { address: tomas })) - before).toBe(250_000_000_000_000_000n)
    await book.page.getByRole('button', { name: 'Back to the cover' }).click()
  })

  test('§4.6.2 §4.6.4 §7.13.1 switches to the second network and back', async () => {
    const pill = book.page.getByRole('button', { name: /^Network:/ })
    for (const name of ['Gatefold Second', 'Gatefold Local']) {
      await pill.click()
      await book.row(new RegExp(`^${name}`)).click()
      await book.approve()
      await book.page.getByRole('button', { name: `Network: ${name}` }).waitFor()
      await book.page.keyboard.press('Escape')
      await book.card.waitFor({ state: 'detached' })
    }
  })

  test('§4.1.3 §9.12.3 stays connected after a reload, without a wallet prompt; the account is server-rendered', async () => {
    const html = await (
      await fetch(stack.book!.url, { headers: { cookie: await cookies(book) } })
    ).text()
    expect(html).toContain(`data-address="${mira}"`)
    await book.page.reload()
    await book.account.waitFor()
    expect(await book.account.getAttribute('data-address')).toBe(mira)
    await book.account.getByText('mira.eth').waitFor()
    expect(await book.page.getByTestId('wallet-approve').count()).toBe(0)
  })

  test('§4.1.2 connects a second wallet and switches between them', async () => {
    await book.account.click()
    await book.card
      .getByRole('button', { name: /mira\.eth/ })
      .first()
      .click()
    await book.row(/^Add/).click()
    await book.row(/^Nacre/).click()
    await book.approve()
    await book.page
      .locator(`[data-testid="account"][data-address="${accounts[2].address}"]`)
      .waitFor()
    await book
      .row(/^Switch/)
      .first()
      .click()
    await book.page.locator(`[data-testid="account"][data-address="${mira}"]`).waitFor()
  })

  test('§4.1.6 §4.1.7 disconnects all wallets', async () => {
    await book.row('Disconnect all').click()
    await book.connect.waitFor()
    await book.page.reload()
    await book.connect.waitFor()
  })

  test('behavior: the page logged no errors and contacted only configured hosts', () => {
    expect(book.pageErrors).toEqual([])
    expect(book.consoleErrors).toEqual([])
    expect(book.failedRequests).toEqual([])
    const configured = [stack.book!, stack.server!, ...stack.chains].map(
      ({ url }) => new URL(url).host,
    )
    expect(configured).toEqual(expect.arrayContaining([...book.hosts]))
  })
})

async function cookies({ context }: BookPage): Promise<string> {
  return (await context.cookies()).map(({ name, value }) => `${name}=${value}`).join('; ')
}
