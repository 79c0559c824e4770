import { accounts, gatefoldLocal, gatefoldSecond } from '@gatefold/chain'
import { createClient, http, verifyMessage } from 'viem'
import type { Hex } from 'viem'
import { getBalance, getTransactionReceipt } from 'viem/actions'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'

import { launchBrowser } from '../browser.ts'
import type { TestBrowser } from '../browser.ts'
import { startStack } from '../stack.ts'
import type { Stack } from '../stack.ts'
import { scanCode } from '../ui/scanCode.ts'
import { openBook } from './bookPage.ts'
import type { BookPage } from './bookPage.ts'
import { openPhone } from './phonePage.ts'
import type { PhonePage } from './phonePage.ts'

let browser: TestBrowser
beforeAll(async () => {
  browser = await launchBrowser()
})
afterAll(() => browser?.close())

/** Accounts of the phone wallet, the selected one first. */
const [first, second] = [accounts[3].address, accounts[4].address]
const tomas = accounts[1].address

/** One visit with a phone wallet. The tests build on each other. */
describe.each([
  { when: 'while the relay runs', kills: false },
  { when: 'with the relay killed and restarted after each step', kills: true },
])('a visitor and a phone wallet, $when', ({ kills }) => {
  let stack: Stack
  let book: BookPage
  let phone: PhonePage

  beforeAll(async () => {
    stack = await startStack({ phone: true })
    ;[book, phone] = await Promise.all([
      openBook(browser, stack.book!.url),
      openPhone(browser, stack.phone!.url),
    ])
  })
  afterAll(async () => {
    await Promise.all([book?.context.close(), phone?.context.close()])
    await stack?.stop()
  })

  afterEach(async () => {
    if (!kills) return
    await stack.kill('server')
    await stack.restart('server')
  })

  const connectedAs = (address: string) =>
    book.page.locator(`[data-testid="account"][data-address="${address}"]`).waitFor()
  const onNetwork = (name: string) =>
    book.page.getByRole('button', { name: `Network: ${name}` }).waitFor()

  test('§4.7 the page shows a QR code', async () => {
    const attested = book.page.waitForResponse((response) =>
      response.url().includes('/attestation'),
    )
    await book.connect.click()
    await book.row(/^WalletConnect/).click()
    await book.card.getByRole('img', { name: /QR code to connect/ }).waitFor()
    // The next test needs the page's attestation.
    await attested
    await book.page.locator('iframe[aria-hidden]').waitFor({ state: 'detached' })
  })

  test('§4.7 §7.12.5 the phone scans the code and verifies the page', async () => {
    const uri = await scanCode(book.page)
    expect(uri).toMatch(/^wc:[0-9a-f]{64}@2\?/)
    await phone.paste(uri)
    await phone.sheet.getByText('Connect to Book of Ethereum').waitFor()
    await phone.sheet.getByTestId('trust').getByText('Verified', { exact: true }).waitFor()
    for (const network of ['Gatefold Local', 'Gatefold Second']) {
      await phone.sheet.getByText(network).waitFor()
    }
  })

  test('§4.1.5 the phone approves, and both are connected', async () => {
    await phone.approve()
    await connectedAs(first)
    await book.card.waitFor({ state: 'detached' })
    await phone.page.getByRole('link', { name: /Book of Ethereum/ }).waitFor()
  })

  const message = 'A page of the saga'
  test('§7.13.1 the page requests a signature, and the phone shows the message', async () => {
    await book.page.getByRole('button', { name: 'Sign a message' }).click()
    await book.panel.getByRole('textbox').fill(message)
    await book.panel.getByRole('button', { name: 'Sign', exact: true }).click()
    await phone.sheet.getByText(message).waitFor()
  })

  test('§3.10.2 §7.13.1 the phone signs the message with its real key', async () => {
    await phone.approve()
    const shown = book.page.locator('.hex bdi')
    await shown.waitFor()
    const signature = (await shown.getAttribute('title')) as Hex
    expect(await verifyMessage({ address: first, message, signature })).toBe(true)
  })

  test('§4.1.3 the page is still connected after a reload', async () => {
    await book.page.reload()
    await connectedAs(first)
  })

  test('§3.10.1 the phone sends a transaction, and the page shows the receipt', async () => {
    const chain = createClient({ chain: gatefoldLocal(stack.chains[0]!.url), transport: http() })
    const before = await getBalance(chain, { address: tomas })
    const hash = await send(book, phone, '0.25')
    const receipt = await getTransactionReceipt(chain, { hash })
    expect(receipt).toMatchObject({ status: 'success', from: first.toLowerCase() })
    expect((await getBalance(chain, { address: tomas })) - before).toBe(250_000_000_000_000_000n)
  })

  test('§4.6.2 the page switches to the second network, and the phone sends a transaction there', async () => {
    await book.page.getByRole('button', { name: /^Network:/ }).click()
    await book.row(/^Gatefold Second/).click()
    await onNetwork('Gatefold Second')
    await book.page.keyboard.press('Escape')
    await book.card.waitFor({ state: 'detached' })
    const chain = createClient({ chain: gatefoldSecond(stack.chains[1]!.url), transport: http() })
    const hash = await send(book, phone, '0.5', tomas)
    expect(await getTransactionReceipt(chain, { hash })).toMatchObject({ status: 'success' })
  })

  test('§4.1.3 the phone restores its session after a reload', async () => {
    await phone.page.reload()
    await phone.openApp()
    await phone.page.getByRole('heading', { name: 'Book of Ethereum' }).waitFor()
  })

  test('the phone changes the account, and the page shows it', async () => {
    await phone.choose('Account', short(second))
    await connectedAs(second)
  })

  test('the phone changes the network, and the page shows it', async () => {
    // The switch in the page was not sent to the phone, which is still on the first network.
    await phone.choose('Network', 'Gatefold Second')
    await onNetwork('Gatefold Second')
    await phone.choose('Network', 'Gatefold Local')
    await onNetwork('Gatefold Local')
  })

  test('§4.1.7 the phone disconnects, and the page shows this without a reload', async () => {
    await phone.page.getByRole('button', { name: 'Disconnect' }).click()
    await book.connect.waitFor()
    await phone.page.getByText('No connected apps').waitFor()
  })

  test('§4.1.3 both stay disconnected after a reload', async () => {
    await Promise.all([book.page.reload(), phone.page.reload()])
    await book.connect.waitFor()
    await phone.page.getByText('No connected apps').waitFor()
    expect(book.pageErrors).toEqual([])
    expect(phone.pageErrors).toEqual([])
    if (kills) return
    expect(book.consoleErrors).toEqual([])
    expect(book.failedRequests).toEqual([])
  })
})

/** Shortens an address as the phone does. */
function short(address: string) {
  return `${address.slice(0, 6)}…${address.slice(-4)}`
}

/**
 * Sends a transaction from the page and approves it on the phone. @returns the hash that the page
 * shows
 */
async function send(
  book: BookPage,
  phone: PhonePage,
  amount: string,
  to = 'tomas.eth',
): Promise<Hex> {
  await book.page.getByRole('button', { name: 'Send a transaction' }).click()
  await book.panel.getByLabel('To', { exact: true }).fill(to)
  await book.panel.getByLabel('Amount').fill(amount)
  await book.panel.getByRole('button', { name: 'Send', exact: true }).click()
  await phone.sheet.getByText(`Send ${amount} ETH`).waitFor()
  await phone.sheet.getByText('Maximum fee').waitFor()
  await phone.approve()
  await book.page.getByText(`${amount} ETH sent to`).waitFor()
  const hash = (await book.page.locator('.hex bdi').getAttribute('title')) as Hex
  await book.page.getByRole('button', { name: 'Back to the cover' }).click()
  return hash
}
