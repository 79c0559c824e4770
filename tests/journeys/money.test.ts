import { accounts, addresses, gatefoldLocal, usdcAbi } from '@gatefold/chain'
import { createClient, http, parseEther } from 'viem'
import { getBalance, readContract } from 'viem/actions'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { launchBrowser } from '../browser.ts'
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
const dollarsOf = (account: `0x${string}`) =>
  readContract(chain(), {
    address: addresses.usdc,
    abi: usdcAbi,
    functionName: 'balanceOf',
    args: [account],
  })
const tokens = () => book.card.getByRole('list', { name: 'Tokens' })
const field = (name: string) => book.card.getByRole('textbox', { name })

beforeAll(async () => {
  ;[stack, browser] = await Promise.all([startStack(), launchBrowser()])
  book = await openBook(browser, stack.book!.url)
})
afterAll(async () => {
  await browser?.close()
  await stack?.stop()
})

/** One visit. The tests build on each other. */
describe('money on the local stack', () => {
  test('the account shows its tokens on both networks, with prices from the pools', async () => {
    await book.connectWith('Halyard')
    await book.account.click()
    await tokens()
      .getByRole('button', { name: /^Ether on Gatefold Local/ })
      .waitFor()
    await tokens()
      .getByRole('button', { name: /^Ether on Gatefold Second/ })
      .waitFor()
    const dollars = tokens().getByRole('button', { name: /^USD Coin on Gatefold Local/ })
    expect(await dollars.innerText()).toMatch(/\$[\d,]+\.\d\d$/)
    expect(await book.card.getByRole('group', { name: /^Total balance/ }).innerText()).toMatch(
      /^\$/,
    )
  })

  test('§2.10 the account shows its NFTs on both networks, with their pictures', async () => {
    await book.card.getByRole('tab', { name: 'NFTs' }).click()
    const nfts = book.card.getByRole('list', { name: 'NFTs' })
    const plate = nfts.getByRole('button', {
      name: 'Plate 1 Plates of the Book on Gatefold Local',
    })
    await plate.locator('img[data-loaded]').first().waitFor()
    await nfts
      .getByRole('button', { name: /^Bookmark 1 .* on Gatefold Second, You own \d+$/ })
      .waitFor()
    await plate.click()
    await book.card.getByRole('heading', { name: 'Plate 1' }).waitFor()
    await book.card.getByText('A picture plate from the Book of Ethereum.').waitFor()
    const picture = book.card.locator('.gf-nft-picture[data-large] img[data-loaded]')
    await picture.waitFor()
    expect(await picture.getAttribute('src')).toMatch(
      new RegExp(`^${stack.server!.url}/v1/images/nft/eip155:31337/erc721:0x[0-9a-f]{40}/1\\?`),
    )
    expect(await picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(512)
    await book.row('Back').click()
    await book.card.getByRole('tab', { name: 'Tokens' }).click()
  })

  test('§5.2 sends ether to an ENS name', async () => {
    const before = await getBalance(chain(), { address: tomas })
    await book.row('Send').click()
    await field('Amount').fill('0.25')
    await field('Receiver').fill('tomas.eth')
    await book.row('Preview send').click()
    await book.card.getByText('To tomas.eth').waitFor()
    await book.card.getByText(tomas, { exact: true }).waitFor()
    await book.card.getByRole('button', { name: 'Send', exact: true }).last().click()
    await book.approve()
    await book.card.getByText('0.25 ETH sent').waitFor()
    expect((await getBalance(chain(), { address: tomas })) - before).toBe(parseEther('0.25'))
  })

  test('§5.2 sends a token; the list has the new balance without a reload', async () => {
    const [ours, theirs] = [await dollarsOf(mira), await dollarsOf(tomas)]
    await book.row('Done').click()
    await book.row('Send').click()
    await book.row('Token: ETH').click()
    await book
      .row(/^USD Coin/)
      .last()
      .click()
    await field('Amount').fill('12.5')
    await field('Receiver').fill(tomas)
    await book.row('Preview send').click()
    await book.card.getByRole('button', { name: 'Send', exact: true }).last().click()
    await book.approve()
    await book.card.getByText('12.5 USDC sent').waitFor()
    expect(await dollarsOf(tomas)).toBe(theirs + 12_500_000n)
    expect(await dollarsOf(mira)).toBe(ours - 12_500_000n)
    await book.row('Done').click()
    const left = Number(ours - 12_500_000n) / 1e6
    await tokens()
      .getByText(`${left.toLocaleString('en-US')} USDC`)
      .waitFor()
  })

  test('error: a transfer that is rejected in the wallet changes nothing', async () => {
    const before = await getBalance(chain(), { address: tomas })
    await book.row('Send').click()
    await field('Amount').fill('1')
    await field('Receiver').fill(tomas)
    await book.row('Preview send').click()
    await book.card.getByRole('button', { name: 'Send', exact: true }).last().click()
    await book.reject()
    await book.card.getByText('You declined the request in Halyard').waitFor()
    expect(await getBalance(chain(), { address: tomas })).toBe(before)
  })
})
