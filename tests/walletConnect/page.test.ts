import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { limits } from '@gatefold/protocol'
import { startServer } from '@gatefold/server'
import { verifyMessage } from 'viem'
import type { Hex } from 'viem'
import { describe, expect, test } from 'vitest'
import { untilIdle } from '../browser.ts'
import { freePort } from '../program.ts'
import { scanCode } from '../ui/scanCode.ts'
import { grantOf } from './phone.ts'
import { useFixture } from './site.ts'
import { pairByQrCode, useSite } from './visit.ts'

const fixture = useFixture()
const { visit, cleanups, site } = useSite(fixture)

describe('wagmi’s hooks', () => {
  test('work with a wallet on a phone: read, sign, send, switch, batch, disconnect', async () => {
    const phone = await fixture.phone()
    const visited = await visit()
    const { output, press } = visited
    await visited.showCode()
    await pairByQrCode(visited, phone)
    expect(await output('address')).toBe(phone.addresses[0])
    expect(await output('connector')).toBe('walletConnect')
    // Reads are sent to the node, so the phone receives no request.
    await expect.poll(() => output('balance')).toBe('some')
    expect(phone.log).toEqual([])

    await press('Sign')
    await expect.poll(() => output('signature')).toMatch(/^0x/)
    const signature = (await output('signature')) as Hex
    const address = phone.addresses[0]!
    expect(await verifyMessage({ address, message: 'hello', signature })).toBe(true)

    await press('Send')
    await expect.poll(() => output('receipt')).toBe('success')
    await press('Switch')
    await expect.poll(() => output('chain')).toBe('31338')
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
    await press('Get capabilities')
    await expect.poll(() => output('capabilities')).toContain('supported')
    await press('Send calls')
    await expect.poll(() => output('calls')).toBe('success')
    expect(phone.log.slice(3)).toEqual([
      'eip155:31338 wallet_getCapabilities',
      'eip155:31338 wallet_sendCalls',
      'eip155:31338 wallet_getCallsStatus',
    ])

    phone.answerWith(() => {
      throw Object.assign(new Error('User rejected.'), { code: 5000 })
    })
    await press('Sign')
    await expect.poll(() => output('signature')).toBe('UserRejectedRequestError')
    const deleted = new Promise((resolve) => phone.client.on('session_delete', resolve))
    await press('Leave')
    await expect.poll(() => output('status')).toBe('disconnected')
    await deleted
    expect(visited.pageErrors).toEqual([])
  })

  test('§4.1.3 §4.1.7 reconnect after a reload, unless the phone has disconnected', async () => {
    const phone = await fixture.phone()
    const visited = await visit()
    const { page, output, press } = visited
    await visited.showCode()
    const topic = await pairByQrCode(visited, phone)
    await press('Switch')
    await expect.poll(() => output('chain')).toBe('31338')
    await page.reload()
    await expect.poll(() => output('status')).toBe('connected')
    expect([await output('connector'), await output('chain')]).toEqual(['walletConnect', '31338'])
    await press('Sign')
    await expect.poll(() => output('signature')).toMatch(/^0x/)

    await page.goto('about:blank')
    await phone.client.disconnect({ topic, reason: { code: 6000, message: 'Bye.' } })
    await page.goto(visited.address)
    await expect.poll(() => output('status')).toBe('disconnected')
    await page.getByRole('button', { name: 'Connect Wallet' }).waitFor()
    await page.reload()
    await untilIdle(page)
    expect(await output('status')).toBe('disconnected')
    expect(visited.pageErrors).toEqual([])
  })
})

test('§8.3 error: a session without an account is ended, the reason is shown, and the visitor can retry', async () => {
  const phone = await fixture.phone()
  const visited = await visit()
  const { page, card } = visited
  const showsNoAccount = (title: string) =>
    card
      .getByRole('alert')
      .filter({ hasText: title })
      .getByText('Choose an account in your wallet')
      .waitFor()
  const deleted = () => new Promise((resolve) => phone.client.on('session_delete', resolve))
  await visited.showCode()
  const proposal = await phone.scan(await scanCode(page))
  const first = deleted()
  const nothing = { eip155: { ...grantOf(['31337'])(proposal, []).eip155!, accounts: [] } }
  await phone.approve(proposal, nothing)
  await showsNoAccount('Your wallet didn’t share an account')
  await first
  expect(await visited.output('status')).toBe('disconnected')

  // In the view of a specific wallet, the error contains its name.
  await card.getByRole('button', { name: 'Back' }).click()
  await card.getByRole('button', { name: /^Orrery/ }).click()
  await card.getByRole('img', { name: 'QR code to connect Orrery' }).waitFor()
  const second = deleted()
  await phone.approve(await phone.scan(await scanCode(page)), nothing)
  await showsNoAccount('Orrery didn’t share an account')
  await second
  await card.getByRole('button', { name: 'Try again' }).click()
  await card.getByRole('img', { name: 'QR code to connect Orrery' }).waitFor()
  await pairByQrCode(visited, phone)
  expect(phone.client.sessions()).toHaveLength(1)
})

describe('network requests', () => {
  test('§7.14.3 before the WalletConnect view opens, no protocol or QR code chunk is loaded and no relay is contacted', async () => {
    const parts = [
      /walletConnect\/createMethods/,
      /sign\/src\/createSignClient/,
      /\/uqr\//,
      /views\/ConnectingWalletConnect\.tsx/,
    ]
    const lazy = parts.flatMap(site().filesWith)
    const visited = await visit()
    const relay = `localhost:${fixture.server().port}`
    const seen = () =>
      new Set(lazy.filter((name) => visited.requests.some((url) => url.endsWith(name))))
    await visited.page.getByRole('button', { name: 'Connect Wallet' }).click()
    await visited.card.getByRole('button', { name: /^WalletConnect/ }).hover()
    await untilIdle(visited.page)
    expect([...seen()]).toEqual([])
    expect(visited.hosts.has(relay)).toBe(false)
    await visited.card.getByRole('button', { name: /^WalletConnect/ }).click()
    await visited.card.getByRole('img', { name: /QR code/ }).waitFor()
    await expect.poll(() => visited.hosts.has(relay)).toBe(true)
    // wagmi's connection code is loaded too, so that an approval does not wait for it.
    await expect.poll(() => [...seen()]).toEqual([...new Set(lazy)])
    // The only relay is the configured one.
    expect([...visited.hosts]).toEqual([new URL(site().url).host, relay])
  })

  test('a verify service that does not respond delays neither the code nor the connection', async () => {
    const requests: string[] = []
    const silent = createServer(({ url = '' }) => void requests.push(url))
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
    cleanups.push(() => {
      silent.closeAllConnections()
      return new Promise((resolve) => silent.close(resolve))
    })
    const phone = await fixture.phone()
    const { port } = silent.address() as AddressInfo
    const visited = await visit({ verify: `http://localhost:${port}` })
    // The time-out of the request never fires, so that nothing can have waited for it.
    await visited.page.evaluate((timeoutMs) => {
      const start = window.setTimeout
      window.setTimeout = ((run: TimerHandler, ms?: number, ...rest: unknown[]) =>
        ms === timeoutMs ? 0 : start(run, ms, ...rest)) as typeof start
    }, limits.attestTimeoutMs)
    await visited.showCode()
    const proposal = await phone.scan(await scanCode(visited.page))
    expect(proposal.proposer.metadata.name).toBe('Harbor')
    await expect.poll(() => requests).toEqual([expect.stringMatching(/^\/v3\/attestation/)])
    await phone.approve(proposal)
    await expect.poll(() => visited.output('status')).toBe('connected')
    // The request is still pending.
    expect(await visited.page.locator('iframe').count()).toBe(1)
  })

  test('error: if the protocol’s chunk fails to load, the modal offers to reload the page', async () => {
    const visited = await visit()
    const [file] = site().filesWith(/sign\/src\/createSignClient/)
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
    await pairByQrCode(visited, await fixture.phone())
  })

  test('error: without a relay, the code is shown, and works once the relay is up', async () => {
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
    const phone = await fixture.phone({ relayUrl: `ws://localhost:${port}` })
    await pairByQrCode(visited, phone)

    // Restoring a session after a reload, and reading, need no relay.
    await relay.stop()
    await visited.page.reload()
    await expect.poll(() => visited.output('status')).toBe('connected')
    await expect.poll(() => visited.output('balance')).toBe('some')
  })
})
