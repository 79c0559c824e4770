import { expect, test } from 'vitest'
import type { Page } from 'playwright-core'

import { cutAtTheStart, overflowing, useScenes } from './scene.ts'

const open = useScenes()
const cells = (page: Page) => page.getByRole('list', { name: 'NFTs' }).getByRole('listitem')
const tab = (page: Page, name: string) => page.getByRole('tab', { name, exact: true })
/** Requests for the NFTs on a network. */
const onNetwork = (id: number) => new RegExp(`/nfts\\?.*chainId=eip155(:|%3A)${id}(&|$)`)
const contract = `0x${'5c1d'.padEnd(40, '3')}`

test('§2.10 the account has the tabs Tokens, NFTs and Activity; NFTs are requested when their tab is opened', async () => {
  const requested: string[] = []
  const page = await open('Account.tokens', {
    before: async (fresh) =>
      fresh.on('request', (request) => requested.push(new URL(request.url()).pathname)),
  })
  const ofNfts = () => requested.filter((path) => /\/nfts$|\/images\/nft\//.test(path))
  await page.getByRole('list', { name: 'Tokens' }).waitFor()
  expect(await page.getByRole('tab').allInnerTexts()).toEqual(['Tokens', 'NFTs', 'Activity'])
  expect(ofNfts()).toEqual([])
  await tab(page, 'NFTs').click()
  await cells(page).first().waitFor()
  expect(ofNfts()).not.toEqual([])
})

test('NFTs are shown with picture, name, collection, network and amount', async () => {
  const page = await open('Account.nfts')
  await cells(page).first().waitFor()
  const names = await cells(page).getByRole('button').allInnerTexts()
  expect(names.map((text) => text.split('\n').slice(0, 2))).toEqual([
    ['Plate 12', 'Codex Plates'],
    ['Rosette 404', 'Rosettes'],
    ['×3', 'Lamp'],
    ['Rosette 11', 'Rosettes'],
    ['Unwritten', expect.anything()],
    ['Cold Harbour', 'Tide Tables'],
    ['Understory', 'Tide Tables'],
  ])
  await page.getByRole('button', { name: 'Lamp Codex Plates on Ethereum, You own 3' }).waitFor()
  await page.getByRole('button', { name: 'Cold Harbour Tide Tables on OP Mainnet' }).waitFor()
  await cells(page).first().locator('img[data-loaded]').first().waitFor()
})

test('a picture that fails to load, or is missing, is replaced by a drawn frame', async () => {
  const page = await open('Account.nfts')
  for (const name of ['Rosette 11', 'Unwritten']) {
    const cell = cells(page).filter({ hasText: name })
    await cell.scrollIntoViewIfNeeded()
    await cell.locator('.gf-frame svg').waitFor()
    expect(await cell.locator('.gf-nft-picture img').count()).toBe(0)
  }
})

test('attack: pictures are requested only from the gateway', async () => {
  const hosts = new Set<string>()
  const page = await open('Account.nfts', {
    before: async (fresh) => {
      await fresh.route(/\/nfts\?/, async (route) => {
        const response = await route.fetch()
        const body = JSON.parse(
          (await response.text()).replaceAll('"/v1/images/', '"https://tracker.example/'),
        )
        await route.fulfill({ response, json: body })
      })
      fresh.on('request', (request) => hosts.add(new URL(request.url()).host))
    },
  })
  await cells(page).first().locator('.gf-frame').waitFor()
  expect([...hosts]).not.toContain('tracker.example')
})

test('NFTs that look like spam are shown on request', async () => {
  const page = await open('Account.nfts')
  await page.getByText('1 hidden: they look like spam').waitFor()
  expect(await page.getByText('Claim at').count()).toBe(0)
  await page.getByRole('button', { name: 'Show' }).click()
  await page.getByText('Claim at plate-gift.example').waitFor()
  await page.getByText('Never open a link in an NFT.').waitFor()
})

test('while the NFTs load, placeholders have the height of the grid', async () => {
  const height = (page: Page) => page.locator('.gf-scroll').evaluate((box) => box.clientHeight)
  const loading = await open('Account.nftsLoading')
  await loading.getByRole('status', { name: 'Loading NFTs' }).waitFor()
  const page = await open('Account.nfts')
  await cells(page).first().waitFor()
  expect(await height(loading)).toBe(await height(page))
})

test('without NFTs, the tab says so and has a button to Receive', async () => {
  const page = await open('Account.nftsEmpty')
  await page.getByText('No NFTs yet').waitFor()
  await page.getByRole('tabpanel').getByRole('button', { name: 'Receive' }).click()
  await page.locator('[role=dialog][data-view=WalletReceive]').waitFor()
})

test('a network that does not respond is named, and the request can be repeated', async () => {
  const page = await open('Account.nftsPartial', { before: (fresh) => fresh.clock.install() })
  const note = page.getByRole('status').filter({ hasText: 'No response from: OP Mainnet.' })
  await note.waitFor()
  expect(await cells(page).count()).toBe(5)
  await page.route(onNetwork(10), (route) => route.fulfill({ json: { nfts: [] } }))
  await page.getByRole('button', { name: 'Try again' }).click()
  await note.waitFor({ state: 'detached' })
})

test('error: a failure is reported, and the request can be repeated', async () => {
  const page = await open('Account.tokens', {
    before: async (fresh) => {
      await fresh.clock.install()
      await fresh.route(/\/nfts\?/, (route) => route.fulfill({ status: 503, body: '{}' }))
    },
  })
  await tab(page, 'NFTs').click()
  // The query retries once after a second.
  await expect
    .poll(async () => {
      await page.clock.fastForward(1_000)
      return page.getByRole('alert').filter({ hasText: 'Your NFTs couldn’t be loaded' }).count()
    })
    .toBe(1)
  await page.route(/\/nfts\?/, (route) => route.fulfill({ json: { nfts: [] } }))
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByText('No NFTs yet').waitFor()
})

test('a gateway that does not list NFTs results in an explanation', async () => {
  const page = await open('Account.tokens', {
    before: async (fresh) => {
      await fresh.clock.install()
      await fresh.route(/\/nfts\?/, (route) => route.fulfill({ status: 404, body: '{}' }))
    },
  })
  await tab(page, 'NFTs').click()
  await expect
    .poll(async () => {
      await page.clock.fastForward(1_000)
      return page.getByText('NFTs aren’t available here').count()
    })
    .toBe(1)
})

test('more NFTs are loaded while the visitor scrolls, up to the last one', async () => {
  const page = await open('Account.nftsLong')
  await cells(page).first().waitFor()
  expect(await cells(page).count()).toBeLessThan(60)
  await expect
    .poll(async () => {
      await page.locator('.gf-scroll').evaluate((box) => box.scrollTo(0, box.scrollHeight))
      return cells(page).count()
    })
    .toBe(60)
})

test('error: if the next page fails, it is requested again only on request', async () => {
  let failures = 0
  const page = await open('Account.nftsLong', {
    before: async (fresh) => {
      await fresh.clock.install()
      await fresh.route(/\/nfts\?.*cursor=/, (route) => {
        failures += 1
        return route.fulfill({ status: 503, body: '{}' })
      })
    },
  })
  await cells(page).first().waitFor()
  const failed = page.getByRole('alert').filter({ hasText: 'More NFTs couldn’t be loaded.' })
  await expect
    .poll(async () => {
      await page.locator('.gf-scroll').evaluate((box) => box.scrollTo(0, box.scrollHeight))
      await page.clock.fastForward(1_000)
      return failed.count()
    })
    .toBe(1)
  expect(await cells(page).count()).toBe(24)
  const before = failures
  await page.clock.fastForward(10_000)
  expect(failures).toBe(before)
  await page.unroute(/\/nfts\?.*cursor=/)
  await failed.getByRole('button', { name: 'Try again' }).click()
  await expect.poll(() => cells(page).count()).toBeGreaterThan(24)
})

test('with reduced motion, pictures appear without a transition, and placeholders are still', async () => {
  const page = await open('Account.nfts', { reducedMotion: 'reduce' })
  const picture = cells(page).first().locator('.gf-nft-picture')
  await picture.locator('img[data-loaded]').waitFor()
  expect(
    await picture.evaluate((box) => [
      getComputedStyle(box.querySelector('img')!).transitionDuration,
      getComputedStyle(box, '::after').transitionDuration,
      getComputedStyle(box.querySelector('.gf-skeleton')!, '::after').animationName,
    ]),
  ).toEqual(['0s', '0s', 'none'])
})

test('arrow keys move between the pictures, which are one Tab stop', async () => {
  const page = await open('Account.nfts')
  await cells(page).first().waitFor()
  const focused = () => page.evaluate(() => document.activeElement?.querySelector('b')?.textContent)
  await tab(page, 'NFTs').focus()
  await page.keyboard.press('Tab')
  expect(await focused()).toBe('Plate 12')
  await page.keyboard.press('ArrowDown')
  expect(await focused()).toBe('Lamp')
  await page.keyboard.press('ArrowRight')
  expect(await focused()).toBe('Rosette 11')
  await page.keyboard.press('Tab')
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Show')
})

test('an NFT opens its details, and the account keeps the tab and its place', async () => {
  const page = await open('Account.nftsLong', {
    before: (fresh) => fresh.context().grantPermissions(['clipboard-read', 'clipboard-write']),
  })
  await cells(page).nth(6).scrollIntoViewIfNeeded()
  const place = () => page.locator('.gf-scroll').evaluate((box) => box.scrollTop)
  const before = await place()
  expect(before).toBeGreaterThan(0)
  await cells(page).nth(6).getByRole('button').click()
  await page.getByRole('heading', { name: /part 7$/ }).waitFor()
  await page.getByRole('button', { name: 'Back' }).click()
  await cells(page).first().waitFor()
  expect(await tab(page, 'NFTs').getAttribute('aria-selected')).toBe('true')
  expect(Math.abs((await place()) - before)).toBeLessThan(2)
})

test('the details have the description as text, collection, token id, contract and properties', async () => {
  const page = await open('Nft', {
    before: (fresh) => fresh.context().grantPermissions(['clipboard-read', 'clipboard-write']),
  })
  await page.getByRole('heading', { name: 'Plate 12' }).waitFor()
  await page.getByText('Number 12 of 64. Folded paper, drawn from one week of readings.').waitFor()
  expect(await page.locator('.gf-facts').innerText()).toMatch(
    /^Collection\nCodex Plates\nNetwork\nEthereum\nToken ID\n100000…0000\n+Contract\n0x5c1d…3333/,
  )
  await page.getByText('Northern Archipelago').waitFor()
  const copied = async (button: RegExp, message: string) => {
    await page.getByRole('button', { name: button }).click()
    await page.getByRole('status').filter({ hasText: message }).waitFor()
    return page.evaluate(() => navigator.clipboard.readText())
  }
  expect(await copied(/^Copy token ID/, 'Token ID copied')).toBe('1'.padEnd(30, '0'))
  expect(await copied(/^Copy contract address/, 'Contract address copied')).toBe(contract)
  const link = page.getByRole('link', { name: 'View contract on explorer' })
  expect(await link.getAttribute('href')).toBe(`https://explorer.example/address/${contract}`)
})

test('attack: markup in the texts of an NFT is shown as text', async () => {
  const markup = '<img src=x onerror="window.hacked=1">'
  const page = await open('Nft', {
    before: (fresh) =>
      fresh.route(onNetwork(1), async (route) => {
        const response = await route.fetch()
        const body = (await response.json()) as { nfts: object[] }
        const nft = { ...body.nfts[0], name: markup, description: markup }
        await route.fulfill({ response, json: { nfts: [nft] } })
      }),
  })
  await page.getByRole('heading', { name: markup }).waitFor()
  expect(await page.getByText(markup).count()).toBe(2)
  expect(await page.evaluate(() => 'hacked' in window)).toBe(false)
})

test('a picture that fails in the details can be loaded again', async () => {
  const page = await open('Nft.broken')
  await page.getByText('The picture couldn’t be loaded').waitFor()
  await page.route(/\/images\/nft\//, (route) =>
    route.fulfill({
      contentType: 'image/svg+xml',
      body: '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"/>',
    }),
  )
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.locator('.gf-nft-picture img[data-loaded]').waitFor()
})

test('details that the site opens are found on a later page', async () => {
  const page = await open('Nft.long')
  await page.getByRole('heading', { name: /^The lighthouse/ }).waitFor()
})

test('an NFT that the account no longer holds says so', async () => {
  const page = await open('Nft.gone')
  await page.getByText('This NFT isn’t in your account').waitFor()
})

test.each([
  ['Account.nftsLong', 320, ''],
  ['Account.nftsLong', 320, 'locale=ar'],
  ['Account.nfts', 390, 'locale=de'],
  ['Nft.long', 320, 'locale=de'],
  ['Nft.amount', 320, 'locale=ar'],
  ['Nft', 1440, ''],
])('%s fits at %i px (%s)', async (scene, width, query) => {
  const page = await open(scene, { width, query, reducedMotion: 'reduce' })
  await page.locator('.gf-nft-picture:not([role])').first().waitFor()
  expect(await overflowing(page)).toEqual([])
  expect(await cutAtTheStart(page)).toEqual([])
})
