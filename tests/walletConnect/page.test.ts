import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import { startServer } from '@gatefold/server'
import type { Page } from 'playwright-core'
import { verifyMessage } from 'viem'
import type { Hex } from 'viem'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'

import { launchBrowser } from '../browser.ts'
import type { PageOptions, TestBrowser } from '../browser.ts'
import { freePort } from '../program.ts'
import { scanCode } from '../ui/scanCode.ts'
import { serveSite } from './page/serve.ts'
import { grantOf } from './phone.ts'
import type { Phone } from './phone.ts'
import { useWorld } from './site.ts'

const world = useWorld()
let browser: TestBrowser
let site: Awaited<ReturnType<typeof serveSite>>
beforeAll(async () => {
  ;[browser, site] = await Promise.all([launchBrowser(), serveSite()])
})
afterAll(async () => {
  await browser?.close()
  await site?.stop()
})
const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end()
})

/** The site in a browser of its own. */
async function visit(
  options: PageOptions & {
    relay?: string
    verify?: string
    still?: boolean
    before?: (page: Page) => unknown
  } = {},
) {
  const [rpc, rpc2] = world.networks().map(({ rpcUrls }) => rpcUrls.default!.http[0]!)
  const {
    relay = `http://localhost:${world.server().port}`,
    verify,
    still,
    before,
    ...rest
  } = options
  const opened = await browser.newPage(rest)
  ends.push(() => opened.context.close())
  const query = new URLSearchParams({
    relay,
    ...(verify && { verify }),
    ...(still && { still: '' }),
    rpc: rpc!,
    rpc2: rpc2!,
  })
  await before?.(opened.page)
  await opened.page.goto(`${site.url}/?${query}`)
  const { page } = opened
  const card = page.getByRole('dialog')
  return {
    ...opened,
    card,
    address: `${site.url}/?${query}`,
    says: (name: string) => page.getByTestId(name).innerText(),
    press: (name: string) => page.getByRole('button', { name, exact: true }).click(),
    async showCode() {
      await page.getByRole('button', { name: 'Connect Wallet' }).click()
      await card.getByRole('button', { name: /^WalletConnect/ }).click()
      await card.getByRole('img', { name: /QR code to connect/ }).waitFor()
    },
  }
}

type Site = Awaited<ReturnType<typeof visit>>

async function pairBy(visited: Site, phone: Phone): Promise<string> {
  const topic = await phone.approve(await phone.scan((await scanCode(visited.page))!))
  await expect.poll(() => visited.says('status')).toBe('connected')
  return topic
}

/** Writes down what the page opens, and opens nothing. */
const noteOpened = (page: Page) =>
  page.addInitScript(() => {
    const opened: string[] = []
    Object.assign(window, { opened, open: (url: string) => void opened.push(url) })
  })

const openedBy = (tab: Page) =>
  tab.evaluate(() => (window as unknown as { opened: string[] }).opened)

/** On a phone: by the app that opens. @returns the link it was opened with, and the session */
async function pairByApp(visited: Site, phone: Phone) {
  const { page } = visited
  await page.getByRole('button', { name: 'Connect Wallet' }).click()
  await visited.card.getByRole('button', { name: /^Orrery/ }).click()
  await expect.poll(() => openedBy(page)).toHaveLength(1)
  const link = (await openedBy(page))[0]!
  const uri = decodeURIComponent(link.replace('orrery://wc?uri=', ''))
  const topic = await phone.approve(await phone.scan(uri))
  await expect.poll(() => visited.says('status')).toBe('connected')
  return { link, topic }
}

describe('wagmi’s hooks', () => {
  test('work with a wallet on a phone: read, sign, send, switch, batches, leave', async () => {
    const phone = await world.phone()
    const visited = await visit()
    const { says, press } = visited
    await visited.showCode()
    await pairBy(visited, phone)
    expect(await says('address')).toBe(phone.addresses[0])
    expect(await says('connector')).toBe('walletConnect')
    // Reads go to the node: the phone receives no request.
    await expect.poll(() => says('balance')).toBe('some')
    expect(phone.log).toEqual([])

    await press('Sign')
    await expect.poll(() => says('signature')).toMatch(/^0x/)
    const signature = (await says('signature')) as Hex
    const address = phone.addresses[0]!
    expect(await verifyMessage({ address, message: 'hello', signature })).toBe(true)

    await press('Send')
    await expect.poll(() => says('receipt')).toBe('success')
    await press('Switch')
    await expect.poll(() => says('chain')).toBe('31338')
    await press('Sign')
    await expect.poll(() => phone.log).toHaveLength(3)
    expect(phone.log).toEqual([
      'eip155:31337 personal_sign',
      'eip155:31337 eth_sendTransaction',
      'eip155:31338 personal_sign',
    ])

    phone.answerWith(({ params: { request } }) => {
      if (request.method === 'wallet_getCapabilities')
        return { '0x7a6a': { atomic: { status: 'supported' } } }
      if (request.method === 'wallet_sendCalls') return { id: '0x01' }
      return { id: '0x01', version: '2.0.0', chainId: '0x7a6a', status: 200, atomic: true }
    })
    await press('Ask what it can')
    await expect.poll(() => says('capabilities')).toContain('supported')
    await press('Send calls')
    await expect.poll(() => says('calls')).toBe('success')
    expect(phone.log.slice(3)).toEqual([
      'eip155:31338 wallet_getCapabilities',
      'eip155:31338 wallet_sendCalls',
      'eip155:31338 wallet_getCallsStatus',
    ])

    phone.answerWith(() => {
      throw Object.assign(new Error('User rejected.'), { code: 5000 })
    })
    await press('Sign')
    await expect.poll(() => says('signature')).toBe('UserRejectedRequestError')
    const gone = new Promise((resolve) => phone.client.on('session_delete', resolve))
    await press('Leave')
    await expect.poll(() => says('status')).toBe('disconnected')
    await gone
    expect(visited.pageErrors).toEqual([])
  })

  test('§4.1.3 are connected again after a reload; §4.1.7 not after the phone has left meanwhile', async () => {
    const phone = await world.phone()
    const visited = await visit()
    const { page, says, press } = visited
    await visited.showCode()
    const topic = await pairBy(visited, phone)
    await press('Switch')
    await expect.poll(() => says('chain')).toBe('31338')
    await page.reload()
    await expect.poll(() => says('status')).toBe('connected')
    expect([await says('connector'), await says('chain')]).toEqual(['walletConnect', '31338'])
    await press('Sign')
    await expect.poll(() => says('signature')).toMatch(/^0x/)

    await page.goto('about:blank')
    await phone.client.disconnect({ topic, reason: { code: 6000, message: 'Bye.' } })
    await page.goto(visited.address)
    await expect.poll(() => says('status')).toBe('disconnected')
    await page.getByRole('button', { name: 'Connect Wallet' }).waitFor()
    await page.reload()
    await page.waitForLoadState('networkidle')
    expect(await says('status')).toBe('disconnected')
    expect(visited.pageErrors).toEqual([])
  })
})

describe('on a phone', () => {
  test('the app that was opened to connect is opened once for each request, also after a reload', async () => {
    const phone = await world.phone()
    const visited = await visit({
      width: 390,
      height: 780,
      touch: true,
      before: noteOpened,
    })
    const { page, says, press } = visited
    const opened = () => openedBy(page)
    const { link, topic } = await pairByApp(visited, phone)
    expect(link).toMatch(/^orrery:\/\/wc\?uri=wc%3A/)
    expect(await page.evaluate(() => localStorage.getItem('WALLETCONNECT_DEEPLINK_CHOICE'))).toBe(
      JSON.stringify({ name: 'Orrery', href: 'orrery://' }),
    )
    const request = new RegExp(`^orrery://wc\\?requestId=\\d+&sessionTopic=${topic}$`)
    await press('Sign')
    await expect.poll(opened).toEqual([link, expect.stringMatching(request)])
    await expect.poll(() => says('signature')).toMatch(/^0x/)

    // A second tab of the site has the same session, and has asked for nothing.
    const second = await visited.context.newPage()
    await noteOpened(second)
    await second.goto(visited.address)
    await expect.poll(() => second.getByTestId('status').innerText()).toBe('connected')

    await page.reload()
    await expect.poll(() => says('status')).toBe('connected')
    await press('Sign')
    await expect.poll(opened).toEqual([expect.stringMatching(request)])
    await expect.poll(() => says('signature')).toMatch(/^0x/)
    expect(await openedBy(second)).toEqual([])

    // Both ask for the same at once: each opens the app for its own request.
    await Promise.all([press('Sign'), second.getByRole('button', { name: 'Sign' }).click()])
    await expect.poll(() => openedBy(second)).toEqual([expect.stringMatching(request)])
    await expect.poll(opened).toHaveLength(2)
    const [, last] = await opened()
    expect(last).toMatch(request)
    expect(await openedBy(second)).not.toContain(last)
    await press('Leave')
    await expect.poll(() => says('status')).toBe('disconnected')
    expect(await page.evaluate(() => localStorage.getItem('WALLETCONNECT_DEEPLINK_CHOICE'))).toBe(
      null,
    )
  })

  test('a network switch opens the app again, and is requested once', async () => {
    const phone = await world.phone({ grant: grantOf(['31337']) })
    const visited = await visit({ width: 800, height: 780, touch: true, before: noteOpened })
    const { page, card, says } = visited
    const opened = () =>
      page.evaluate(() => (window as unknown as { opened: string[] }).opened.slice(1))
    await page.getByRole('button', { name: 'Connect Wallet' }).click()
    await card.getByRole('button', { name: /^Orrery/ }).click()
    await expect
      .poll(() => page.evaluate(() => (window as unknown as { opened: string[] }).opened[0]))
      .toBeDefined()
    const [link] = await page.evaluate(() => (window as unknown as { opened: string[] }).opened)
    await phone.approve(await phone.scan(decodeURIComponent(link!.replace('orrery://wc?uri=', ''))))
    await expect.poll(() => says('status')).toBe('connected')
    const answers: (() => void)[] = []
    phone.answerWith(
      () =>
        new Promise((_, reject) =>
          answers.push(() => reject(Object.assign(new Error('User rejected.'), { code: 4001 }))),
        ),
    )
    await page.getByRole('button', { name: /^Account 0x/ }).click()
    await card.getByRole('button', { name: /^Network/ }).click()
    const before = (await opened()).length
    await card.getByRole('button', { name: /^Gatefold Second/ }).click()
    const again = card.getByRole('button', { name: 'Open Orrery' })
    await again.click()
    await again.click()
    const links = (await opened()).slice(before)
    expect(links).toEqual([expect.stringContaining('requestId='), links[0], links[0]])
    expect(await card.getByRole('button', { name: 'Try again' }).count()).toBe(0)
    await expect.poll(() => answers).toHaveLength(1)
    answers[0]!()
    await card.getByText('You declined the request in Orrery').waitFor()
    expect(phone.log).toEqual(['eip155:31337 wallet_switchEthereumChain'])
    await card.getByRole('button', { name: 'Try again' }).click()
    await expect.poll(() => answers).toHaveLength(2)
  })

  test('the app is not opened where its wallet opts out, also after a reload', async () => {
    const phone = await world.phone({ sessionConfig: { disableDeepLink: true } })
    const visited = await visit({ width: 390, height: 780, touch: true, before: noteOpened })
    const { page, says, press } = visited
    await pairByApp(visited, phone)
    await press('Sign')
    await expect.poll(() => says('signature')).toMatch(/^0x/)
    expect(await openedBy(page)).toHaveLength(1)
    await page.reload()
    await expect.poll(() => says('status')).toBe('connected')
    await press('Sign')
    await expect.poll(() => says('signature')).toMatch(/^0x/)
    expect(await openedBy(page)).toEqual([])
  })

  test('the app is not opened for requests without a prompt', async () => {
    const phone = await world.phone()
    const visited = await visit({ width: 390, height: 780, touch: true, before: noteOpened })
    const { page, says, press } = visited
    await pairByApp(visited, phone)
    phone.answerWith(({ params: { request } }) => {
      if (request.method === 'wallet_getCapabilities')
        return { '0x7a69': { atomic: { status: 'supported' } } }
      if (request.method === 'wallet_sendCalls') return { id: '0x01' }
      return { id: '0x01', version: '2.0.0', chainId: '0x7a69', status: 200, atomic: true }
    })
    await press('Ask what it can')
    await expect.poll(() => says('capabilities')).toContain('supported')
    expect(await openedBy(page)).toHaveLength(1)
    await press('Send calls')
    await expect.poll(() => says('calls')).toBe('success')
    expect(phone.log).toEqual([
      'eip155:31337 wallet_getCapabilities',
      'eip155:31337 wallet_sendCalls',
      'eip155:31337 wallet_getCallsStatus',
    ])
    expect(await openedBy(page)).toHaveLength(2)
  })
})

test('§8.3 error: a session without an account is ended, shown, and can be retried', async () => {
  const phone = await world.phone()
  const visited = await visit()
  const { page, card } = visited
  const isEmpty = (title: string) =>
    card
      .getByRole('alert')
      .filter({ hasText: title })
      .getByText('Choose an account in your wallet')
      .waitFor()
  const gone = () => new Promise((resolve) => phone.client.on('session_delete', resolve))
  await visited.showCode()
  const proposal = await phone.scan((await scanCode(page))!)
  const first = gone()
  const nothing = { eip155: { ...grantOf(['31337'])(proposal, []).eip155!, accounts: [] } }
  await phone.approve(proposal, nothing)
  await isEmpty('Your wallet didn’t share an account')
  await first
  expect(await visited.says('status')).toBe('disconnected')

  // On a wallet's own page it has a name.
  await card.getByRole('button', { name: 'Back' }).click()
  await card.getByRole('button', { name: /^Orrery/ }).click()
  await card.getByRole('img', { name: 'QR code to connect Orrery' }).waitFor()
  const second = gone()
  await phone.approve(await phone.scan((await scanCode(page))!), nothing)
  await isEmpty('Orrery didn’t share an account')
  await second
  await card.getByRole('button', { name: 'Try again' }).click()
  await card.getByRole('img', { name: 'QR code to connect Orrery' }).waitFor()
  await pairBy(visited, phone)
  expect(phone.client.sessions()).toHaveLength(1)
})

describe('the session ends while the card is open', () => {
  const bye = { code: 6000, message: 'Bye.' }
  const said = ({ card }: Site, text: string) =>
    card.getByRole('status').filter({ hasText: text }).waitFor()

  async function openPaired(visited: Site, phone: Phone) {
    const { page, card } = visited
    await visited.showCode()
    const topic = await pairBy(visited, phone)
    await card.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: /^Account/ }).click()
    await card.getByRole('button', { name: 'Disconnect' }).waitFor()
    return { topic }
  }

  test('§4.1.7 the card stays where it is, offers to connect and says why, without loading anything', async () => {
    const phone = await world.phone()
    const visited = await visit()
    const { page, card } = visited
    const { topic } = await openPaired(visited, phone)
    await page.waitForLoadState('networkidle')
    await page.route('**/*.js', (route) => route.abort())
    await page.evaluate(() => {
      const isThere = () => document.querySelector('[role=dialog]:not([data-ending-style])')
      const look = () => isThere() ?? document.body.append('it has vanished')
      new MutationObserver(look).observe(document.body, {
        attributes: true,
        childList: true,
        subtree: true,
      })
    })
    await phone.client.disconnect({ topic, reason: bye })
    await said(visited, 'Orrery ended the connection')
    await card.getByRole('button', { name: /^WalletConnect/ }).waitFor()
    expect(await page.getByText('it has vanished').count()).toBe(0)
    expect(await visited.says('status')).toBe('disconnected')
    expect(visited.pageErrors).toEqual([])
  })

  test('§4.1.7 a wallet without a name is covered, too', async () => {
    const phone = await world.phone({ name: '' })
    const visited = await visit()
    const { topic } = await openPaired(visited, phone)
    await phone.client.disconnect({ topic, reason: bye })
    await said(visited, 'WalletConnect ended the connection')
  })

  test('an expired session is shown as expired', async () => {
    const visited = await visit({ before: (page) => page.clock.install() })
    await openPaired(visited, await world.phone())
    await visited.page.clock.fastForward(8 * 24 * 60 * 60_000)
    await said(visited, 'Your connection to Orrery expired')
    await visited.card.getByRole('button', { name: /^WalletConnect/ }).waitFor()
  })

  test('§4.1.6 where another tab ended it the card goes, and the wallet is not blamed', async () => {
    const visited = await visit()
    await openPaired(visited, await world.phone())
    const second = await visited.context.newPage()
    await second.goto(visited.address)
    await expect.poll(() => second.getByTestId('status').innerText()).toBe('connected')
    await second.getByRole('button', { name: 'Leave' }).click()
    await visited.card.waitFor({ state: 'detached' })
    expect(await visited.says('status')).toBe('disconnected')
  })

  test('error: the page is disconnected also where the code that says so is lost', async () => {
    const phone = await world.phone()
    const visited = await visit()
    const [file] = site.filesWith(/hearWalletConnect/)
    await visited.page.route(`**/${file}`, (route) => route.abort())
    const { topic } = await openPaired(visited, phone)
    await phone.client.disconnect({ topic, reason: bye })
    await expect.poll(() => visited.says('status')).toBe('disconnected')
    await visited.page.getByRole('button', { name: 'Connect Wallet' }).waitFor()
    expect(visited.pageErrors).toEqual([])
  })
})

describe('a reload while the wallet is asked', () => {
  test('a later approval connects the page, and the new code disappears', async () => {
    const phone = await world.phone()
    const visited = await visit()
    const { page, says } = visited
    await visited.showCode()
    const proposal = await phone.scan((await scanCode(page))!)
    await page.reload()
    await visited.showCode()
    await phone.approve(proposal)
    await expect.poll(() => says('status')).toBe('connected')
    expect(await says('address')).toBe(phone.addresses[0])
    await visited.card.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Sign' }).click()
    await expect.poll(() => says('signature')).toMatch(/^0x/)
    await page.reload()
    await expect.poll(() => says('status')).toBe('connected')
    expect(phone.client.sessions()).toHaveLength(1)
    expect(visited.pageErrors).toEqual([])
  })

  test('a page that the system dropped is connected when it is reloaded', async () => {
    const phone = await world.phone()
    const visited = await visit({
      width: 390,
      height: 780,
      touch: true,
      still: true,
      before: noteOpened,
    })
    const { page, says, press } = visited
    await page.getByRole('button', { name: 'Connect Wallet' }).click()
    await visited.card.getByRole('button', { name: /^Orrery/ }).click()
    await expect.poll(() => openedBy(page)).toHaveLength(1)
    const [link] = await openedBy(page)
    const proposal = await phone.scan(decodeURIComponent(link!.replace('orrery://wc?uri=', '')))
    await page.goto('about:blank')
    const approving = phone.approve(proposal)
    await page.goto(visited.address)
    const topic = await approving
    await expect.poll(() => says('status')).toBe('connected')
    // The app that was opened before is asked to sign, and comes first from now on.
    await press('Sign')
    await expect
      .poll(() => openedBy(page))
      .toEqual([expect.stringMatching(new RegExp(`^orrery://.*sessionTopic=${topic}$`))])
    await expect.poll(() => says('signature')).toMatch(/^0x/)
    await press('Leave')
    await page.getByRole('button', { name: 'Connect Wallet' }).click()
    await visited.card.getByRole('button', { name: /^Orrery.*recent/i }).waitFor()
    expect(visited.pageErrors).toEqual([])
  })

  test('§8.11.4 a late approval of an aborted attempt is undone, and its session ended', async () => {
    const phone = await world.phone()
    const visited = await visit()
    await visited.showCode()
    const proposal = await phone.scan((await scanCode(visited.page))!)
    await visited.page.reload()
    await visited.showCode()
    await visited.card.getByRole('button', { name: 'Close' }).click()
    await visited.card.waitFor({ state: 'detached' })
    const gone = new Promise((resolve) => phone.client.on('session_delete', resolve))
    await phone.approve(proposal)
    await gone
    expect(phone.client.sessions()).toEqual([])
    expect(await visited.says('status')).toBe('disconnected')
  })

  test('another tab leaves the session to the tab that waits for it', async () => {
    const phone = await world.phone()
    const visited = await visit()
    await visited.showCode()
    const proposal = await phone.scan((await scanCode(visited.page))!)
    const second = await visited.context.newPage()
    await second.clock.install()
    await second.goto(visited.address)
    // It offers something of its own, and gives that up.
    const card = second.getByRole('dialog')
    await second.getByRole('button', { name: 'Connect Wallet' }).click()
    await card.getByRole('button', { name: /^WalletConnect/ }).click()
    await card.getByRole('img', { name: /QR code to connect/ }).waitFor()
    await card.getByRole('button', { name: 'Close' }).click()
    await card.waitFor({ state: 'detached' })
    const topic = await phone.approve(proposal)
    await expect.poll(() => visited.says('status')).toBe('connected')
    // Later than the second tab would have ended it.
    await second.clock.fastForward(5_000)
    await visited.press('Sign')
    await expect.poll(() => visited.says('signature')).toMatch(/^0x/)
    expect(phone.client.sessions()).toMatchObject([{ topic }])
    expect(await visited.says('status')).toBe('connected')
  })
})

describe('network requests', () => {
  test('§7.14.3 neither the protocol nor the code is loaded, and no relay asked, before such a view opens', async () => {
    const parts = [
      /walletConnect\/createMethods/,
      /sign\/src\/createSignClient/,
      /\/uqr\//,
      /views\/ConnectingWalletConnect\.tsx/,
    ]
    const lazy = parts.flatMap(site.filesWith)
    const visited = await visit()
    const relay = `localhost:${world.server().port}`
    const seen = () =>
      new Set(lazy.filter((name) => visited.requests.some((url) => url.endsWith(name))))
    await visited.page.getByRole('button', { name: 'Connect Wallet' }).click()
    await visited.card.getByRole('button', { name: /^WalletConnect/ }).hover()
    await visited.page.waitForLoadState('networkidle')
    expect([...seen()]).toEqual([])
    expect(visited.hosts.has(relay)).toBe(false)
    await visited.card.getByRole('button', { name: /^WalletConnect/ }).click()
    await visited.card.getByRole('img', { name: /QR code/ }).waitFor()
    await expect.poll(() => visited.hosts.has(relay)).toBe(true)
    // With what connects wagmi's side, so that an answer waits for nothing.
    await expect.poll(() => [...seen()]).toEqual([...new Set(lazy)])
    // The relay is the one the site names, and there is no other.
    expect([...visited.hosts]).toEqual([new URL(site.url).host, relay])
  })

  test('a verify service that never answers delays nothing', async () => {
    const asked: string[] = []
    const silent = createServer(({ url = '' }) => void asked.push(url))
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
    ends.push(() => {
      silent.closeAllConnections()
      return new Promise((resolve) => silent.close(resolve))
    })
    const phone = await world.phone()
    const { port } = silent.address() as AddressInfo
    const visited = await visit({ verify: `http://localhost:${port}` })
    await visited.showCode()
    const proposal = await phone.scan((await scanCode(visited.page))!)
    expect(proposal.proposer.metadata.name).toBe('Harbor')
    // The service is still being waited for, behind the visitor's back.
    await expect.poll(() => asked).toEqual([expect.stringMatching(/^\/v3\/attestation/)])
    expect(await visited.page.locator('iframe').count()).toBe(1)
    await phone.approve(proposal)
    await expect.poll(() => visited.says('status')).toBe('connected')
  })

  test('error: where the protocol’s chunk fails to load, the page can be reloaded', async () => {
    const visited = await visit()
    const [file] = site.filesWith(/sign\/src\/createSignClient/)
    await visited.page.route(`**/${file}`, async (route) => {
      await visited.card.getByText('Creating QR code…').first().waitFor()
      await route.abort()
    })
    await visited.page.getByRole('button', { name: 'Connect Wallet' }).click()
    await visited.card.getByRole('button', { name: /^WalletConnect/ }).click()
    await visited.card.getByRole('alert').filter({ hasText: 'Couldn’t connect' }).waitFor()
    await visited.card.getByRole('button', { name: 'Try again' }).click()
    await visited.card.getByText('Part of this page failed to load.').waitFor()
    await visited.page.unroute(`**/${file}`)
    await visited.card.getByRole('button', { name: 'Reload the page' }).click()
    await visited.card.waitFor({ state: 'detached' })
    await visited.showCode()
    await pairBy(visited, await world.phone())
  })

  test('error: without a relay the code is shown, and works once there is one', async () => {
    const port = await freePort()
    const visited = await visit({ relay: `http://localhost:${port}` })
    await visited.showCode()
    const note = visited.card.getByRole('status').filter({ hasText: 'Connection lost.' })
    await note.waitFor()
    const uri = await scanCode(visited.page)
    const relay = await startServer({
      roles: ['relay'],
      port,
      dataDir: ':memory:',
      rpcUrls: {},
      shutdownSeconds: 1,
      logLevel: 'silent',
    })
    await note.waitFor({ state: 'detached' })
    expect(await scanCode(visited.page)).toBe(uri)
    const phone = await world.phone({ relayUrl: `ws://localhost:${port}` })
    await pairBy(visited, phone)

    // Nor does it need one to come back after a reload, or to read.
    await relay.stop()
    await visited.page.reload()
    await expect.poll(() => visited.says('status')).toBe('connected')
    await expect.poll(() => visited.says('balance')).toBe('some')
  })
})
