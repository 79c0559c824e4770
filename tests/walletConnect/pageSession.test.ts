import { describe, expect, test } from 'vitest'
import { untilIdle } from '../browser.ts'
import { scanCode } from '../ui/scanCode.ts'
import { grantOf } from './phone.ts'
import type { Phone } from './phone.ts'
import { openedLinks, pairByQrCode, pairByApp, recordOpened, useSite } from './visit.ts'
import type { Site } from './visit.ts'
import { useFixture } from './site.ts'

const fixture = useFixture()
const { visit, site } = useSite(fixture)

describe('on a phone', () => {
  test('the app that was opened to connect is opened once for each request, even after a reload', async () => {
    const phone = await fixture.phone()
    const visited = await visit({
      width: 390,
      height: 780,
      touch: true,
      before: recordOpened,
    })
    const { page, output, press } = visited
    const opened = () => openedLinks(page)
    const { link, topic } = await pairByApp(visited, phone)
    expect(link).toMatch(/^orrery:\/\/wc\?uri=wc%3A/)
    const app = await page.evaluate(() => localStorage.getItem('WALLETCONNECT_DEEPLINK_CHOICE'))
    expect(JSON.parse(app ?? '')).toMatchObject({ name: 'Orrery', href: 'orrery://' })
    const request = new RegExp(`^orrery://wc\\?requestId=\\d+&sessionTopic=${topic}$`)
    await press('Sign')
    await expect.poll(opened).toEqual([link, expect.stringMatching(request)])
    await expect.poll(() => output('signature')).toMatch(/^0x/)

    // A second tab of the site has the same session, but sends no request.
    const second = await visited.context.newPage()
    await recordOpened(second)
    await second.goto(visited.address)
    await expect.poll(() => second.getByTestId('status').innerText()).toBe('connected')

    await page.reload()
    await expect.poll(() => output('status')).toBe('connected')
    await press('Sign')
    await expect.poll(opened).toEqual([expect.stringMatching(request)])
    await expect.poll(() => output('signature')).toMatch(/^0x/)
    expect(await openedLinks(second)).toEqual([])

    // Both tabs send the same request at the same time; each tab opens the app for its own request.
    await Promise.all([press('Sign'), second.getByRole('button', { name: 'Sign' }).click()])
    await expect.poll(() => openedLinks(second)).toEqual([expect.stringMatching(request)])
    await expect.poll(opened).toHaveLength(2)
    const [, last] = await opened()
    expect(last).toMatch(request)
    expect(await openedLinks(second)).not.toContain(last)
    await press('Leave')
    await expect.poll(() => output('status')).toBe('disconnected')
    expect(await page.evaluate(() => localStorage.getItem('WALLETCONNECT_DEEPLINK_CHOICE'))).toBe(
      null,
    )
  })

  test('a network switch opens the app again, and sends a single request', async () => {
    const phone = await fixture.phone({ grant: grantOf(['31337']) })
    const visited = await visit({ width: 800, height: 780, touch: true, before: recordOpened })
    const { page, card, output } = visited
    const opened = () =>
      page.evaluate(() => (window as unknown as { opened: string[] }).opened.slice(1))
    await page.getByRole('button', { name: 'Connect Wallet' }).click()
    await card.getByRole('button', { name: /^Orrery/ }).click()
    await expect
      .poll(() => page.evaluate(() => (window as unknown as { opened: string[] }).opened[0]))
      .toBeDefined()
    const [link] = await page.evaluate(() => (window as unknown as { opened: string[] }).opened)
    await phone.approve(await phone.scan(decodeURIComponent(link!.replace('orrery://wc?uri=', ''))))
    await expect.poll(() => output('status')).toBe('connected')
    const answers: (() => void)[] = []
    phone.answerWith(
      () =>
        new Promise((_, reject) =>
          answers.push(() => reject(Object.assign(new Error('User rejected.'), { code: 4001 }))),
        ),
    )
    await page.getByRole('button', { name: /^Account .*0x/ }).click()
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

  test('the app is not opened if the wallet opts out, even after a reload', async () => {
    const phone = await fixture.phone({ sessionConfig: { disableDeepLink: true } })
    const visited = await visit({ width: 390, height: 780, touch: true, before: recordOpened })
    const { page, output, press } = visited
    await pairByApp(visited, phone)
    await press('Sign')
    await expect.poll(() => output('signature')).toMatch(/^0x/)
    expect(await openedLinks(page)).toHaveLength(1)
    await page.reload()
    await expect.poll(() => output('status')).toBe('connected')
    await press('Sign')
    await expect.poll(() => output('signature')).toMatch(/^0x/)
    expect(await openedLinks(page)).toEqual([])
  })

  test('the app is not opened for requests without a prompt', async () => {
    const phone = await fixture.phone()
    const visited = await visit({ width: 390, height: 780, touch: true, before: recordOpened })
    const { page, output, press } = visited
    await pairByApp(visited, phone)
    phone.answerWith(({ params: { request } }) => {
      if (request.method === 'wallet_getCapabilities')
        return { '0x7a69': { atomic: { status: 'supported' } } }
      if (request.method === 'wallet_sendCalls') return { id: '0x01' }
      return { id: '0x01', version: '2.0.0', chainId: '0x7a69', status: 200, atomic: true }
    })
    await press('Get capabilities')
    await expect.poll(() => output('capabilities')).toContain('supported')
    expect(await openedLinks(page)).toHaveLength(1)
    await press('Send calls')
    await expect.poll(() => output('calls')).toBe('success')
    expect(phone.log).toEqual([
      'eip155:31337 wallet_getCapabilities',
      'eip155:31337 wallet_sendCalls',
      'eip155:31337 wallet_getCallsStatus',
    ])
    expect(await openedLinks(page)).toHaveLength(2)
  })
})

describe('the session ends while the card is open', () => {
  const bye = { code: 6000, message: 'Bye.' }
  const showsStatus = ({ card }: Site, text: string) =>
    card.getByRole('status').filter({ hasText: text }).waitFor()

  async function openPaired(visited: Site, phone: Phone) {
    const { page, card } = visited
    await visited.showCode()
    const topic = await pairByQrCode(visited, phone)
    await card.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: /^Account/ }).click()
    await card.getByRole('button', { name: 'Disconnect' }).waitFor()
    return { topic }
  }

  test('§4.1.7 the card stays open, shows the reason and offers to connect, without loading code', async () => {
    const phone = await fixture.phone()
    const visited = await visit()
    const { page, card } = visited
    const { topic } = await openPaired(visited, phone)
    await untilIdle(page)
    await page.route('**/*.js', (route) => route.abort())
    await page.evaluate(() => {
      const findCard = () => document.querySelector('[role=dialog]:not([data-ending-style])')
      const look = () => findCard() ?? document.body.append('the card was removed')
      new MutationObserver(look).observe(document.body, {
        attributes: true,
        childList: true,
        subtree: true,
      })
    })
    await phone.client.disconnect({ topic, reason: bye })
    await showsStatus(visited, 'Orrery ended the connection')
    await card.getByRole('button', { name: /^WalletConnect/ }).waitFor()
    expect(await page.getByText('the card was removed').count()).toBe(0)
    expect(await visited.output('status')).toBe('disconnected')
    expect(visited.pageErrors).toEqual([])
  })

  test('§4.1.7 the card shows the reason for a wallet without a name', async () => {
    const phone = await fixture.phone({ name: '' })
    const visited = await visit()
    const { topic } = await openPaired(visited, phone)
    await phone.client.disconnect({ topic, reason: bye })
    await showsStatus(visited, 'WalletConnect ended the connection')
  })

  test('the card shows that the session has expired', async () => {
    const visited = await visit({ before: (page) => page.clock.install() })
    await openPaired(visited, await fixture.phone())
    await visited.page.clock.fastForward(8 * 24 * 60 * 60_000)
    await showsStatus(visited, 'Your connection to Orrery expired')
    await visited.card.getByRole('button', { name: /^WalletConnect/ }).waitFor()
  })

  test('§4.1.6 if another tab ends the session, the card closes and shows no message about the wallet', async () => {
    const visited = await visit()
    await openPaired(visited, await fixture.phone())
    const second = await visited.context.newPage()
    await second.goto(visited.address)
    await expect.poll(() => second.getByTestId('status').innerText()).toBe('connected')
    await second.getByRole('button', { name: 'Leave' }).click()
    await visited.card.waitFor({ state: 'detached' })
    expect(await visited.output('status')).toBe('disconnected')
  })

  test('error: the page is disconnected even if the chunk for session events fails to load', async () => {
    const phone = await fixture.phone()
    const visited = await visit()
    const [file] = site().filesWith(/connection\/followSession/)
    expect(file).toBeDefined()
    await visited.page.route(`**/${file}`, (route) => route.abort())
    const { topic } = await openPaired(visited, phone)
    await phone.client.disconnect({ topic, reason: bye })
    await expect.poll(() => visited.output('status')).toBe('disconnected')
    await visited.page.getByRole('button', { name: 'Connect Wallet' }).waitFor()
    expect(visited.pageErrors).toEqual([])
  })
})

describe('a reload while the wallet prompts', () => {
  test('a later approval connects the page, and the new QR code disappears', async () => {
    const phone = await fixture.phone()
    const visited = await visit()
    const { page, output } = visited
    await visited.showCode()
    const proposal = await phone.scan(await scanCode(page))
    await page.reload()
    await visited.showCode()
    await phone.approve(proposal)
    await expect.poll(() => output('status')).toBe('connected')
    expect(await output('address')).toBe(phone.addresses[0])
    await visited.card.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Sign' }).click()
    await expect.poll(() => output('signature')).toMatch(/^0x/)
    await page.reload()
    await expect.poll(() => output('status')).toBe('connected')
    expect(phone.client.sessions()).toHaveLength(1)
    expect(visited.pageErrors).toEqual([])
  })

  test('a page that the operating system has discarded is connected when it is reloaded', async () => {
    const phone = await fixture.phone()
    const visited = await visit({
      width: 390,
      height: 780,
      touch: true,
      noReconnect: true,
      before: recordOpened,
    })
    const { page, output, press } = visited
    await page.getByRole('button', { name: 'Connect Wallet' }).click()
    await visited.card.getByRole('button', { name: /^Orrery/ }).click()
    await expect.poll(() => openedLinks(page)).toHaveLength(1)
    const [link] = await openedLinks(page)
    const proposal = await phone.scan(decodeURIComponent(link!.replace('orrery://wc?uri=', '')))
    await page.goto('about:blank')
    const approving = phone.approve(proposal)
    await page.goto(visited.address)
    const topic = await approving
    await expect.poll(() => output('status')).toBe('connected')
    // Requests open the same app, and the app is listed as recent.
    await press('Sign')
    await expect
      .poll(() => openedLinks(page))
      .toEqual([expect.stringMatching(new RegExp(`^orrery://.*sessionTopic=${topic}$`))])
    await expect.poll(() => output('signature')).toMatch(/^0x/)
    await press('Leave')
    await page.getByRole('button', { name: 'Connect Wallet' }).click()
    await visited.card.getByRole('button', { name: /^Orrery.*recent/i }).waitFor()
    expect(visited.pageErrors).toEqual([])
  })

  test('§8.11.4 a session that is approved after the attempt was aborted is ended', async () => {
    const phone = await fixture.phone()
    const visited = await visit()
    await visited.showCode()
    const proposal = await phone.scan(await scanCode(visited.page))
    await visited.page.reload()
    await visited.showCode()
    await visited.card.getByRole('button', { name: 'Close' }).click()
    await visited.card.waitFor({ state: 'detached' })
    const deleted = new Promise((resolve) => phone.client.on('session_delete', resolve))
    await phone.approve(proposal)
    await deleted
    expect(phone.client.sessions()).toEqual([])
    expect(await visited.output('status')).toBe('disconnected')
  })

  test('another tab does not end the session that the first tab is waiting for', async () => {
    const phone = await fixture.phone()
    const visited = await visit()
    await visited.showCode()
    const proposal = await phone.scan(await scanCode(visited.page))
    const second = await visited.context.newPage()
    await second.clock.install()
    await second.goto(visited.address)
    // The second tab starts and aborts its own attempt.
    const card = second.getByRole('dialog')
    await second.getByRole('button', { name: 'Connect Wallet' }).click()
    await card.getByRole('button', { name: /^WalletConnect/ }).click()
    await card.getByRole('img', { name: /QR code to connect/ }).waitFor()
    await card.getByRole('button', { name: 'Close' }).click()
    await card.waitFor({ state: 'detached' })
    const topic = await phone.approve(proposal)
    await expect.poll(() => visited.output('status')).toBe('connected')
    // Within this time, the second tab would have ended the session.
    await second.clock.fastForward(5_000)
    await visited.press('Sign')
    await expect.poll(() => visited.output('signature')).toMatch(/^0x/)
    expect(phone.client.sessions()).toMatchObject([{ topic }])
    expect(await visited.output('status')).toBe('connected')
  })
})
