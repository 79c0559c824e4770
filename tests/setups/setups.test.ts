import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { startServer } from '@gatefold/server'
import type { RunningServer } from '@gatefold/server'
import type { Locator } from 'playwright-core'
import { mainnet } from 'viem/chains'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { project } from '../../packages/server/src/cli/project.ts'
import { launchBrowser, untilIdle } from '../browser.ts'
import type { TestBrowser, TestPage } from '../browser.ts'
import { closeAfterTest } from '../closeAfterTest.ts'
import { openPhone } from '../journeys/phonePage.ts'
import { freePort } from '../program.ts'
import { startStack } from '../stack.ts'
import type { Stack } from '../stack.ts'
import { scanCode } from '../ui/scanCode.ts'
import { serveSite } from '../walletConnect/page/serve.ts'
import type { Setup } from './page/main.tsx'

let browser: TestBrowser
let folder: string
let site: Awaited<ReturnType<typeof serveSite>>
/** The local stack: the server of the README, the local chains and the phone wallet. */
let stack: Stack
/** A server whose default project allows no origin. */
let closed: RunningServer
/** A server whose relay URL is not in its settings. */
let otherRelay: RunningServer
/** An origin on which nothing listens. */
let unreachable: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gatefold-setups-'))
  const root = fileURLToPath(new URL('page', import.meta.url))
  const dataDir = (name: string) => join(folder, name)
  const run = (name: string, ...args: string[]) =>
    project(args, { env: { GATEFOLD_DATA_DIR: dataDir(name) }, print: () => {} })
  ;[browser, site] = await Promise.all([launchBrowser(), serveSite({ root })])
  await run('open', 'create', 'my-site', '--name', 'My site', '--origin', site.url)
  await run('open', 'create', 'other', '--name', 'Other', '--origin', 'https://other.site')
  await run('closed', 'set', 'default', '--origin', 'https://my.site', '--default-origins', 'off')
  const defaults = { port: 0, rpcUrls: {}, logLevel: 'silent', shutdownSeconds: 0 } as const
  ;[stack, closed, otherRelay] = await Promise.all([
    startStack({ book: false, phone: true, dataDir: dataDir('open') }),
    startServer({ ...defaults, dataDir: dataDir('closed') }),
    startServer({ ...defaults, dataDir: ':memory:', relayUrls: ['wss://gate.my.site'] }),
  ])
  unreachable = `http://localhost:${await freePort()}`
})
afterAll(async () => {
  await Promise.all([
    browser?.close(),
    site?.stop(),
    stack?.stop(),
    closed?.stop(),
    otherRelay?.stop(),
  ])
  await rm(folder, { recursive: true, force: true })
})

type Visit = TestPage & {
  card: Locator
  /** The console's lines without stack traces. Addresses of this run are replaced by those in the docs. */
  console(): string[]
  /** The text of the page, with the same replacements. */
  text(): Promise<string>
}

async function visit(setup: Setup): Promise<Visit> {
  const opened = closeAfterTest(await browser.newPage())
  const { page, context } = opened
  const lines: string[] = []
  context.on('console', (message) => {
    const line = `${message.type()}: ${message.text().split('\n')[0]}`
    // Chromium's messages at the verbose level, which consoles hide: it logs
    // one when the prerendered modal is complete.
    if (!line.startsWith('verbose')) lines.push(line)
  })
  // mainnet's own RPC URL: the first local chain under another chain id.
  await page.route(mainnet.rpcUrls.default.http[0], async (route) => {
    const { method, id } = route.request().postDataJSON() as { method: string; id: number }
    if (method === 'eth_chainId')
      return route.fulfill({ json: { jsonrpc: '2.0', id, result: '0x1' } })
    return route.fulfill({ response: await route.fetch({ url: local() }) })
  })
  await page.goto(`${site.url}/?${new URLSearchParams({ setup: JSON.stringify(setup) })}`)
  const replacements: readonly [string, string][] = [
    [site.url, 'http://localhost:5173'],
    [gatefold(), 'http://localhost:3001'],
    [closed.url, 'https://gate.my.site'],
    [otherRelay.url, 'https://relay.my.site'],
    [unreachable, 'http://localhost:3001'],
    [new URL(unreachable).host, 'localhost:3001'],
  ]
  const replaceUrls = (text: string) =>
    replacements.reduce((all, [address, name]) => all.replaceAll(address, name), text)
  return {
    ...opened,
    card: page.getByRole('dialog'),
    console: () => lines.map(replaceUrls),
    text: async () => replaceUrls(await page.locator('body').innerText()),
  }
}

const gatefold = () => stack.server!.url
const local = () => stack.chains[0]!.url

async function openModal({ page, card }: Visit) {
  await page.getByRole('main').getByRole('button').last().click()
  await card.waitFor()
}

async function connectWallet(visited: Visit) {
  await openModal(visited)
  await visited.card.getByRole('button', { name: /^Halyard/ }).click()
  await visited.page.getByRole('button', { name: /^Account/ }).waitFor()
}

/** Connects, which closes the modal, then opens the modal again. */
async function connectAndLook(visited: Visit) {
  await connectWallet(visited)
  await visited.card.waitFor({ state: 'hidden' })
  await openModal(visited)
}

async function showCode(visited: Visit) {
  await openModal(visited)
  await visited.card.getByRole('button', { name: /^WalletConnect/ }).click()
}

async function pairPhone(visited: Visit) {
  await showCode(visited)
  await visited.card.getByRole('img', { name: /QR code to connect/ }).waitFor()
  const phone = closeAfterTest(await openPhone(browser, stack.phone!.url))
  await phone.paste(await scanCode(visited.page))
  return phone
}

type Mistake = {
  setup: () => Setup
  /** The steps after which the mistake has an effect. */
  act: (visited: Visit) => Promise<unknown>
  /** The lines that the kit logs. */
  console: string[]
  /** Chromium's lines about failed requests, without duplicates. */
  chromium?: string[]
  /** Texts on the page, besides the alerts. */
  page?: string[]
}

const status = (code: string) =>
  `error: Failed to load resource: the server responded with a status of ${code}`
const refused = 'error: Failed to load resource: net::ERR_CONNECTION_REFUSED'

const wrong: Record<string, Mistake> = {
  'an unknown project id': {
    setup: () => ({ endpoints: gatefold(), projectId: 'my-sight' }),
    act: openModal,
    console: [
      'error: Gatefold: Invalid Project ID. The server http://localhost:3001 has no active project my-sight. Correct `projectId`, or create the project: gatefold project create my-sight --origin http://localhost:5173.',
    ],
    chromium: [status('401 (Unauthorized)')],
  },
  'an origin that the project does not allow': {
    setup: () => ({ endpoints: gatefold(), projectId: 'other' }),
    act: openModal,
    console: [
      'error: Gatefold: Origin Not Allowed. The project other on http://localhost:3001 does not allow http://localhost:5173. Add it to the project’s origins: gatefold project set other --origin http://localhost:5173, with one --origin for each origin to keep.',
    ],
    chromium: [status('401 (Unauthorized)')],
  },
  'no project id on a server that needs one': {
    setup: () => ({ endpoints: closed.url }),
    act: openModal,
    console: [
      "error: Gatefold: Project ID Not Configured. No `projectId` is set, and the default project on https://gate.my.site does not allow http://localhost:5173. Create a project: gatefold project create my-site --origin http://localhost:5173. Then pass projectId: 'my-site'.",
    ],
    chromium: [status('401 (Unauthorized)')],
  },
  'no project id on a server that needs none': {
    setup: () => ({ endpoints: gatefold() }),
    act: openModal,
    console: [
      'info: Gatefold: Project ID Not Configured. The default project on http://localhost:3001 allows http://localhost:5173, so none is needed here. A server on another machine needs one.',
    ],
  },
  'a project id without a server': {
    setup: () => ({ projectId: 'my-site' }),
    act: openModal,
    console: [
      'warning: Gatefold: Project ID Not Needed. `projectId` has no effect without a server. Remove it, or set `endpoints` to the origin of your server, for example http://localhost:3001.',
    ],
  },
  'a server that does not run': {
    setup: () => ({ endpoints: unreachable, projectId: 'my-site' }),
    act: openModal,
    console: [
      'error: Gatefold: Server Not Reachable. http://localhost:3001 did not respond. Start the server (gatefold serve) or correct `endpoints`. If the page has a Content Security Policy, its connect-src must allow http://localhost:3001.',
    ],
    chromium: [refused],
  },
  'endpoints that are not a Gatefold server': {
    setup: () => ({ endpoints: site.url, projectId: 'my-site' }),
    act: openModal,
    console: [
      'error: Gatefold: Not A Gatefold Server. http://localhost:5173 responded, but not as a Gatefold server: /appkit/v1/config returned the status 404. Set `endpoints` to the origin of the server; during development it is http://localhost:3001.',
    ],
    chromium: [status('404 (Not Found)')],
  },
  'a relay URL that the server does not know': {
    setup: () => ({ endpoints: { relay: otherRelay.url }, projectId: 'default' }),
    act: showCode,
    console: [
      'error: Gatefold: Relay Refused The Page. https://relay.my.site refused the connection: JWT validation error: JWT Token is for another audience. If pages reach the server at this URL, add it to GATEFOLD_RELAY_URLS on the server.',
    ],
    page: ['Nothing was shared. This site can’t reach mobile wallets right now. Try again later.'],
  },
  'a server without an RPC URL for the network': {
    setup: () => ({
      endpoints: gatefold(),
      projectId: 'my-site',
      wallet: { chains: { 1: local() } },
    }),
    act: connectAndLook,
    console: [
      'warning: Gatefold: Network Without RPC. http://localhost:3001 has no RPC URL for Ethereum. Add eip155:1 to GATEFOLD_RPC_URLS on the server. Until then, the page uses the other RPC URLs of Ethereum.',
    ],
    chromium: [status('400 (Bad Request)')],
    page: ['ETH'],
  },
  'a network whose node does not run': {
    setup: () => ({ localRpc: unreachable, wallet: { chains: { 31337: local() } } }),
    act: connectAndLook,
    console: [
      "warning: Gatefold: Network Not Reachable. No RPC URL of Gatefold Local works (localhost:3001: no response), so balances and names are missing. Start the node, or set customRpcUrls: { 'eip155:31337': [{ url: 'https://…' }] }.",
      'warning: Gatefold: the balance could not be read. HttpRequestError: HTTP request failed.',
    ],
    chromium: [refused],
  },
  'a metadata.url that the verify service contradicts': {
    setup: () => ({
      endpoints: gatefold(),
      projectId: 'my-site',
      url: 'https://my.site',
      localRpc: local(),
    }),
    async act(visited) {
      const phone = await pairPhone(visited)
      await phone.sheet.getByText('Domain mismatch').waitFor()
    },
    console: [
      'warning: Gatefold: Metadata URL Mismatch. `metadata.url` is https://my.site, but the page is on http://localhost:5173. Wallets that verify the origin warn the visitor of a domain mismatch. Set `metadata.url` to location.origin.',
    ],
  },
  'a phone wallet without the site’s networks': {
    setup: () => ({ endpoints: gatefold(), projectId: 'my-site' }),
    act: pairPhone,
    console: [
      'warning: Gatefold: Network Not Supported By Wallet. The wallet supports none of this site’s networks: Ethereum (eip155:1). Add one of them to the wallet, or add a network that the wallet supports to `networks`.',
    ],
    page: [
      'Your wallet doesn’t support this site’s networks',
      'This site works on: Ethereum. Add one in your wallet, or use another wallet.',
    ],
  },
  'a browser wallet that refuses the network': {
    setup: () => ({
      wallet: { chains: { 31337: local() }, faults: { fail: ['wallet_addEthereumChain'] } },
    }),
    async act(visited) {
      await openModal(visited)
      await visited.card.getByRole('button', { name: /^Halyard/ }).click()
      await visited.card.getByRole('button', { name: 'Switch to Ethereum' }).click()
      await visited.card.getByText('Couldn’t switch to Ethereum').waitFor()
    },
    console: [
      'warning: Gatefold: Chain is not supported. Halyard neither switched to Ethereum (eip155:1) nor added it: Internal wallet error. Check the id, the name and the RPC URLs of the network; many wallets add a network only if its RPC URL starts with https:// and returns its chain id.',
    ],
    page: ['Make sure that Halyard has Ethereum in its networks, then try again.'],
  },
}

describe('a setup mistake is reported once, in the console and, with `debug`, on the page', () => {
  test.each(Object.entries(wrong))('%s', async (_, { setup, act, ...expected }) => {
    const visited = await visit({ debug: true, ...setup() })
    const kitLines = () => visited.console().filter((line) => line.includes('Gatefold:'))
    await act(visited)
    await expect.poll(kitLines).toEqual(expected.console)
    await untilIdle(visited.page)
    expect(kitLines()).toEqual(expected.console)
    const otherLines = visited.console().filter((line) => !line.includes('Gatefold:'))
    expect([...new Set(otherLines)]).toEqual(expected.chromium ?? [])
    expect(visited.pageErrors).toEqual([])

    const alerts = expected.console.flatMap((line) => {
      const [, title, hint] = /^\w+: Gatefold: ([A-Z][\w ]+)\. (.+)$/.exec(line) ?? []
      return title && hint ? [title, hint] : []
    })
    for (const text of [...alerts, ...(expected.page ?? [])])
      await expect.poll(() => visited.text()).toContain(text)
  })

  test('docs/troubleshooting.md lists each message', async () => {
    const path = fileURLToPath(new URL('../../docs/troubleshooting.md', import.meta.url))
    const docs = await readFile(path, 'utf8')
    for (const [name, { console }] of Object.entries(wrong))
      for (const line of console) expect.soft(docs, name).toContain(line.replace(/^\w+: /, ''))
  })
})

describe('a correct setup logs nothing', () => {
  test.each<[string, () => Setup, (visited: Visit) => Promise<unknown>]>([
    [
      'the README’s, without a server',
      () => ({ wallet: { chains: { 1: local() } } }),
      connectWallet,
    ],
    [
      'with a server, a project and the local chain',
      () => ({
        endpoints: gatefold(),
        projectId: 'my-site',
        localRpc: local(),
        wallet: { chains: { 31337: local() } },
      }),
      connectWallet,
    ],
    [
      'with the phone wallet of the local stack',
      () => ({ endpoints: gatefold(), projectId: 'my-site', localRpc: local() }),
      async (visited) => {
        const phone = await pairPhone(visited)
        await phone.sheet.getByText('Domain verified').waitFor()
        await phone.approve()
        await visited.page.getByRole('button', { name: /^Account/ }).waitFor()
      },
    ],
  ])('%s', async (_, setup, act) => {
    const visited = await visit({ debug: true, ...setup() })
    await act(visited)
    await expect.poll(() => visited.text()).toMatch(/\d ETH/)
    await openModal(visited)
    await untilIdle(visited.page)
    expect(visited.console()).toEqual([])
    expect(visited.pageErrors).toEqual([])
    expect(visited.failedRequests).toEqual([])
    expect(await visited.page.locator('.gf-alerts').count()).toBe(0)
  })
})

test('error: if the modal’s file is missing, the button says so and reloads the page', async () => {
  const visited = await visit({})
  const { page, card } = visited
  const [file] = site.filesWith(/ui\/Modal\.tsx$/)
  // The file may be prefetched before the route is set, so the page is loaded again.
  await page.route(`**/${file}`, (route) => route.fulfill({ status: 404, body: '' }))
  await page.reload()
  await page.getByRole('button', { name: 'Connect Wallet' }).click()
  const retry = page.getByRole('button', { name: 'Couldn’t load. Try again' })
  await retry.waitFor()
  expect(visited.console()).toContainEqual(
    expect.stringMatching(/^error: Gatefold: the modal could not be loaded\./),
  )
  await page.unroute(`**/${file}`)
  await retry.click()
  await page.getByRole('button', { name: 'Connect Wallet' }).click()
  await card.waitFor()
})
