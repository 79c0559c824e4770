import { fileURLToPath } from 'node:url'

import { listen } from '@gatefold/site'
import type { Frame, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'

import { launchBrowser } from '../browser.ts'
import type { TestBrowser } from '../browser.ts'
import { closeAfterTest } from '../closeAfterTest.ts'
import { serveSite } from '../walletConnect/page/serve.ts'
import type { Site } from './loginSite/main.ts'

// What a page does with the replies of its frame. The frame is a document
// that replies as the test says; a reply with `error` is an error reply.

declare global {
  interface Window {
    site: Site
    outcomes: Record<string, Promise<unknown>>
  }
  // Runs in the document of the frame. A message that has no reply waits.
  var replies: Record<string, unknown>, requests: Message[], reply: (message: Message) => void
}
type Message = { type: string; id: string; payload?: { method?: string } }

const frameDocument = `<!doctype html><title>A frame</title><script>
  const requests = []
  const replies = {}
  const nameOf = ({ type, payload }) => payload?.method ?? type.replace('@w3m-app/', '')
  let port
  function reply(message) {
    const payload = replies[nameOf(message)]
    const result = payload?.error === undefined ? '_SUCCESS' : '_ERROR'
    const type = message.type.replace('@w3m-app/', '@w3m-frame/') + result
    if (payload !== undefined)
      port.postMessage({ type, id: message.id, payload: payload?.error ?? payload })
  }
  addEventListener('message', ({ ports }) => {
    port = ports[0]
    port.onmessage = ({ data }) => {
      requests.push(data)
      reply(data)
    }
  })
  parent.postMessage({ type: '@w3m-frame/READY', payload: { version: '1' } }, '*')
</script>`

const address = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const user = { address, chainId: 31337, accounts: [{ address, type: 'eoa' }] }
const loggedIn = {
  IS_CONNECTED: { isConnected: true },
  GET_USER: user,
  GET_SMART_ACCOUNT_ENABLED_NETWORKS: { smartAccountEnabledNetworks: [1, 137] },
  SIGN_OUT: null,
}
/** What an earlier visit of the official client leaves in the storage. */
const login = {
  '@appkit-wallet/EMAIL_LOGIN_USED_KEY': 'true',
  '@appkit-wallet/EMAIL': 'mira@north.example',
  '@appkit-wallet/SOCIAL_USERNAME': 'Mira',
  '@appkit-wallet/LAST_USED_CHAIN_KEY': '31337',
}

let browser: TestBrowser
let site: Awaited<ReturnType<typeof serveSite>>
let frames: Awaited<ReturnType<typeof listen>>
let page: Page
/** What the page logs as errors. */
let logged: string[]
/** What the page logs as warnings. */
let warned: string[]
/** Whether the frame has a document that reports that it is ready. */
let isUp: boolean

beforeAll(async () => {
  ;[browser, site, frames] = await Promise.all([
    launchBrowser(),
    serveSite({ root: fileURLToPath(new URL('loginSite', import.meta.url)) }),
    listen(
      () => new Response(isUp ? frameDocument : '', { headers: { 'content-type': 'text/html' } }),
      { port: 0 },
    ),
  ])
})
afterAll(async () => {
  await browser?.close()
  await Promise.all([site?.stop(), frames?.stop()])
})
beforeEach(async () => {
  isUp = true
  logged = []
  warned = []
  ;({ page } = closeAfterTest(await browser.newPage()))
  page.on('console', (message) => {
    if (message.type() === 'error') logged.push(message.text())
    if (message.type() === 'warning') warned.push(message.text())
  })
  await page.clock.install()
  await page.goto(`${site.url}/?frame=${encodeURIComponent(frames.url)}`)
  await page.waitForFunction(() => 'site' in window)
  await page.evaluate(() => {
    window.outcomes = {}
  })
})

/** Restores the session of an earlier login. */
async function restore() {
  await page.evaluate((items) => {
    for (const [key, value] of Object.entries(items)) localStorage.setItem(key, value)
    window.outcomes['session'] = window.site.client.use((client) => client.restore())
  }, login)
  return secure()
}

/** From here on, time passes only as the test says. */
async function pauseClock() {
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 10_000)
}

/** The frame, whose document is loaded. */
async function secure(): Promise<Frame> {
  const element = await page.waitForSelector('#gatefold-frame', { state: 'attached' })
  const frame = (await element.contentFrame())!
  await frame.waitForFunction(() => typeof requests === 'object')
  return frame
}

/** Sets replies, and sends them to the requests that wait for them. */
const answer = (frame: Frame, given: Record<string, unknown>) =>
  frame.evaluate((added) => {
    Object.assign(replies, added)
    for (const message of requests) reply(message)
  }, given)

/** Waits until the frame has received a message, by the name or the RPC method. */
const receives = (frame: Frame, name: string, count = 1) =>
  frame.waitForFunction(
    ([wanted, least]) =>
      requests.filter(
        ({ type, payload }) => payload?.method === wanted || type === `@w3m-app/${wanted}`,
      ).length >= least,
    [name, count] as const,
  )

const outcome = (name: string) =>
  page.evaluate(
    (key) =>
      window.outcomes[key]!.then(
        (value) => ({ value }),
        ({ message }: Error) => ({ error: message.split('\n')[0] }),
      ),
    name,
  )

/** Requests a code for an email address. */
const requestCode = () =>
  page.evaluate(() => {
    window.outcomes['code'] = window.site.client.use((client) =>
      client.connectEmail('mira@north.example'),
    )
    window.outcomes['code'].catch(() => {})
  })

/** Sends a request of the site to the wallet. */
const requestRpc = (method: string, params: unknown[]) =>
  page.evaluate(
    async ([name, list]) => {
      const { client } = window.site
      const session = await client.use((it) => it.restore())
      const provider = (await session!.provider('eip155')) as {
        request: (call: unknown) => Promise<unknown>
      }
      window.outcomes[name] = provider.request({ method: name, params: list })
      window.outcomes[name].catch(() => {})
    },
    [method, params] as const,
  )

const stored = () =>
  page.evaluate(() =>
    Object.fromEntries(
      Object.entries(localStorage).filter(([key]) => key.startsWith('@appkit-wallet/')),
    ),
  )

test('§5.11.1 §8.10.1 §9.8.1/1 a second code within 30 s is not requested', async () => {
  await requestCode()
  const frame = await secure()
  await answer(frame, { CONNECT_EMAIL: { action: 'VERIFY_OTP' } })
  expect(await outcome('code')).toEqual({ value: 'VERIFY_OTP' })
  await page.clock.runFor(9_000)
  await requestCode()
  const refused = (await outcome('code')) as { error: string }
  expect(refused.error).toMatch(/^Please try again after 2[01] seconds$/)
  await page.clock.runFor(21_000)
  await requestCode()
  expect(await outcome('code')).toEqual({ value: 'VERIFY_OTP' })
  const sent = await frame.evaluate(
    () => requests.filter(({ type }) => type.endsWith('EMAIL')).length,
  )
  expect(sent).toBe(2)
})

test('the URL of the document has the network', async () => {
  await requestCode()
  const frame = await secure()
  expect(frame.url()).toBe(`${frames.url}/sdk?chainId=eip155%3A31337`)
})

test('§9.8.2/2 §9.8.2/3 the stored chain is Ethereum if no network is active', async () => {
  await page.goto(`${page.url()}&adapters=none`)
  await page.waitForFunction(() => 'site' in window)
  await page.evaluate(() => {
    window.outcomes = { account: window.site.connect() }
  })
  await answer(await secure(), loggedIn)
  await outcome('account')
  expect(await stored()).toMatchObject({ '@appkit-wallet/LAST_USED_CHAIN_KEY': '1' })
})

test.each([
  [
    'with enableAuthLogger',
    '&log',
    ['GET_USER sent', 'GET_USER succeeded', 'CONNECT_OTP sent', 'CONNECT_OTP failed'],
  ],
  ['by default', '', []],
])(
  '§3.20/26 the messages of the frame are logged by name, if the site wants it (%s)',
  async (_, query, expected) => {
    const lines: string[] = []
    page.on('console', (message) => lines.push(message.text()))
    await page.goto(`${page.url()}${query}`)
    await page.waitForFunction(() => 'site' in window)
    await page.evaluate(() => (window.outcomes = {}))
    await answer(await restore(), loggedIn)
    await outcome('session')
    await page.evaluate(() => {
      window.outcomes['code'] = window.site.client.use((client) => client.enterCode('407193'))
      window.outcomes['code'].catch(() => {})
    })
    await receives(await secure(), 'CONNECT_OTP')
    await page.clock.runFor(120_000)
    await outcome('code')
    const named = lines.filter((line) => /GET_USER|CONNECT_OTP/.test(line))
    expect([...new Set(named)]).toEqual(expected.map((text) => `Gatefold: secure frame: ${text}`))
    expect(lines.join()).not.toMatch(/407193|0x/)
  },
)

test('§4.13.1 a login that the frame does not know is removed', async () => {
  const frame = await restore()
  expect(await stored()).toEqual(login)
  await answer(frame, { IS_CONNECTED: { isConnected: false } })
  await outcome('session')
  expect(await stored()).toEqual({})
})

test('§3.17 the networks with smart accounts are stored, also after the sign-out', async () => {
  await answer(await restore(), loggedIn)
  await expect
    .poll(stored)
    .toMatchObject({ '@appkit-wallet/SMART_ACCOUNT_ENABLED_NETWORKS': '1,137' })
  await page.evaluate(() => window.site.client.use((client) => client.disconnect()))
  expect(await stored()).toEqual({ '@appkit-wallet/SMART_ACCOUNT_ENABLED_NETWORKS': '1,137' })
})

test.each<[row: string, provider: 'discord' | 'google', userName: string, shown: string]>([
  ['§5.11.2 §9.8.1/6', 'google', 'a'.repeat(30), 'a'.repeat(30)],
  ['§5.11.2 §9.8.1/6', 'google', 'a'.repeat(31), `${'a'.repeat(28)}…`],
  ['§5.11.3', 'discord', 'mira#0', 'mira#'],
  ['§5.11.3', 'discord', 'mira', 'mira'],
  ['§5.11.3', 'google', 'mira0', 'mira0'],
])('%s the name that %s calls “%s” is shown as “%s”', async (_row, provider, userName, shown) => {
  await page.evaluate((name) => {
    window.outcomes['session'] = window.site.client.use((client) => {
      client.keepSocial(name, 'https://frame.example/result')
      return client.connect({})
    })
  }, provider)
  await answer(await secure(), { ...loggedIn, CONNECT_SOCIAL: { ...user, userName } })
  await page.waitForFunction(() => Object.keys(window.site.kit.getState().sessions).length > 0)
  const [session] = await page.evaluate(() => Object.values(window.site.kit.getState().sessions))
  expect(session).toMatchObject({ userName: shown })
})

test('§3.4/12 §3.4/15 §3.4/17 the user, the wallet and the provider of a login are known', async () => {
  await page.evaluate(async () => {
    await window.site.client.use(async (client) =>
      client.keepSocial('github', 'https://frame.example/result'),
    )
    window.outcomes['account'] = window.site.connect()
  })
  const named = { ...user, userName: 'Mira', email: 'mira@north.example' }
  await answer(await secure(), { ...loggedIn, CONNECT_SOCIAL: named, GET_USER: named })
  await outcome('account')
  const known = await page.evaluate(async () => {
    const { client, kit } = window.site
    const { chains, connectors, sessions } = kit.getState()
    const { connectorId } = chains.eip155!
    const { type } = connectors.find(({ id }) => id === connectorId)!
    const { userName, peer } = sessions[connectorId!]!
    const provider = await client.use(async (it) => it.loginMethod())
    return { connectorId, type, userName, wallet: peer.name, provider }
  })
  expect(known).toEqual({
    connectorId: 'AUTH',
    type: 'AUTH',
    userName: 'Mira',
    wallet: 'Social wallet',
    provider: 'github',
  })
  expect(await stored()).toMatchObject({ '@appkit-wallet/EMAIL': 'mira@north.example' })
})

test('§9.8.1/4 a sign-out waits at most 3 s for the frame', async () => {
  const { SIGN_OUT: _, ...replies } = loggedIn
  const frame = await restore()
  await answer(frame, replies)
  await page.waitForFunction(() => Object.keys(window.site.kit.getState().sessions).length > 0)
  await pauseClock()
  await page.evaluate(() => {
    window.outcomes['end'] = window.site.client.use((client) => client.disconnect())
  })
  await receives(frame, 'SIGN_OUT')
  await page.clock.runFor(2_999)
  expect(await stored()).toMatchObject({ '@appkit-wallet/EMAIL_LOGIN_USED_KEY': 'true' })
  await page.clock.runFor(1)
  await outcome('end')
  expect(await stored()).not.toHaveProperty('@appkit-wallet/EMAIL_LOGIN_USED_KEY')
})

test('§5.9.4 error: a session cannot be restored without a chain id', async () => {
  const { chainId: _, ...unchained } = user
  await answer(await restore(), { ...loggedIn, GET_USER: unchained })
  expect(await outcome('session')).toEqual({ error: 'ChainId not found in provider' })
  expect(await page.evaluate(() => window.site.kit.getState().sessions)).toEqual({})
})

test('§8.10.8 error: a user that cannot be read results in a warning, no account and no chain', async () => {
  await page.evaluate(() => {
    window.outcomes['account'] = window.site.connect()
  })
  await answer(await secure(), loggedIn)
  expect(await outcome('account')).toMatchObject({ value: { address } })

  const failed = { ...loggedIn, GET_USER: { error: { message: 'Out of order' } } }
  await page.reload()
  await page.waitForFunction(() => 'site' in window)
  await answer(await secure(), failed)
  await expect.poll(() => warned).toEqual([expect.stringMatching(/could not be restored.*Out of/)])
  const { status, connections, connectorId } = await page.evaluate(
    () => window.site.kit.getState().chains.eip155!,
  )
  expect({ status, connections, connectorId }).toEqual({
    status: 'disconnected',
    connections: [],
    connectorId: undefined,
  })
})

test('§4.14.3 closing the approval aborts what waits for one, but no safe read', async () => {
  const frame = await restore()
  await answer(frame, loggedIn)
  await requestRpc('personal_sign', ['0x68656c6c6f', address])
  await requestRpc('eth_getBalance', [address, 'latest'])
  await receives(frame, 'personal_sign')
  await receives(frame, 'eth_getBalance')
  await page.evaluate(() => window.site.kit.close())
  expect(await outcome('personal_sign')).toEqual({ error: 'Request was aborted' })
  await receives(frame, 'RPC_ABORT')
  await answer(frame, { eth_getBalance: '0x10' })
  expect(await outcome('eth_getBalance')).toEqual({ value: '0x10' })
})

/** Calls `updateEmail` as the site. */
const updateEmail = () =>
  page.evaluate(() => {
    window.outcomes['email'] = window.site.updateEmail(window.site.kit)
    window.outcomes['email'].catch(() => {})
  })

test('§8.3/8 the site can let the visitor change the address, while the wallet is connected', async () => {
  await updateEmail()
  expect(await outcome('email')).toEqual({ error: 'Not connected to email or social' })

  const email = 'mira@north.example'
  await page.evaluate(() => {
    window.outcomes['connect'] = window.site.connect()
  })
  const frame = await secure()
  await answer(frame, { ...loggedIn, GET_USER: { ...user, email } })
  expect(await outcome('connect')).toMatchObject({ value: { address } })
  await updateEmail()
  await page.evaluate(() => window.site.kit.close())
  expect(await outcome('email')).toEqual({ error: 'Modal closed' })

  await updateEmail()
  const { open, history } = await page.evaluate(() => window.site.kit.getState().view)
  expect([open, history.at(-1)]).toEqual([true, { name: 'UpdateEmailWallet' }])
  await answer(frame, {
    GET_USER: { ...user, email: 'mira@south.example' },
    UPDATE_EMAIL_SECONDARY_OTP: { newEmail: 'mira@south.example' },
  })
  await page.evaluate(() => window.site.client.use((client) => client.confirmNewEmail('407193')))
  expect(await outcome('email')).toEqual({ value: 'mira@south.example' })
})

test('§8.8.1/3 §8.10.2 §8.10.7 error: a frame that is not ready after 20 s', async () => {
  isUp = false
  await requestCode()
  await page.waitForSelector('#gatefold-frame', { state: 'attached' })
  await page.clock.runFor(20_000)
  expect(await outcome('code')).toEqual({ error: 'Unable to load email login dependency' })
  await expect
    .poll(() => logged)
    .toEqual([expect.stringContaining('Could not load embedded wallet')])

  // The next try adds a new one.
  isUp = true
  await requestCode()
  await answer(await secure(), { CONNECT_EMAIL: { action: 'VERIFY_OTP' } })
  expect(await outcome('code')).toEqual({ value: 'VERIFY_OTP' })
})

test('§8.10.6 error: a frame that the page has removed; the next request adds a new one', async () => {
  await answer(await restore(), loggedIn)
  await outcome('session')
  await page.evaluate(() => document.getElementById('gatefold-frame')!.remove())
  await requestCode()
  expect(await outcome('code')).toEqual({ error: 'W3mFrame: iframe is not set' })
  await requestCode()
  await answer(await secure(), { CONNECT_EMAIL: { action: 'VERIFY_OTP' } })
  expect(await outcome('code')).toEqual({ value: 'VERIFY_OTP' })
})

test('§8.8.1/4 §8.10.4 §8.10.7 §9.8.1/3 error: a login that gets no reply within 120 s; all other requests are aborted too', async () => {
  const frame = await restore()
  await answer(frame, loggedIn)
  await requestRpc('personal_sign', ['0x68656c6c6f', address])
  await requestRpc('eth_getBalance', [address, 'latest'])
  await receives(frame, 'eth_getBalance')
  await pauseClock()
  await requestCode()
  await receives(frame, 'CONNECT_EMAIL')
  await page.evaluate(() => {
    window.outcomes['first'] = Promise.race([
      window.outcomes['code']!.catch(() => 'code'),
      new Promise((resolve) => setTimeout(resolve, 119_999, 'time')),
    ])
  })
  await page.clock.runFor(119_999)
  expect(await outcome('first')).toEqual({ value: 'time' })
  await page.clock.runFor(1)
  for (const name of ['code', 'personal_sign', 'eth_getBalance'])
    expect(await outcome(name)).toEqual({ error: 'Something went wrong' })
  await receives(frame, 'RPC_ABORT')
  await expect
    .poll(() => logged)
    .toEqual([expect.stringContaining('Embedded Wallet Request Timed Out')])
})
