import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startChain, type Chain } from '@gatefold/chain'
import { verifyMessage } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { axe, launchBrowser, type TestBrowser } from '../browser.ts'
import { closeAfterTest } from '../closeAfterTest.ts'
import type { Program } from '../program.ts'
import { packPackages, type Packed } from '../published/packPackages.ts'
import { installExample, type Example, type ServerArgs } from './installExample.ts'
import { visitExample } from './visitExample.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const address = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'

/** npm and the bundlers take a multiple of their usual time on a busy machine. */
const installLimitMs = 900_000

let packed: Packed[]
let browser: TestBrowser
let chain: Chain
beforeAll(async () => {
  ;[packed, browser, chain] = await Promise.all([
    packPackages(),
    launchBrowser(),
    startChain({ chainId: 31337 }),
  ])
}, installLimitMs)
afterAll(async () => {
  await browser?.close()
  await chain?.stop()
})

const vite: ServerArgs = {
  production: (port) => ({ args: ['vite/bin/vite.js', 'preview', '--port', `${port}`] }),
  development: (port) => ({ args: ['vite/bin/vite.js', '--port', `${port}`] }),
}
const next: ServerArgs = {
  production: (port) => ({ args: ['next/dist/bin/next', 'start', '-p', `${port}`] }),
  development: (port) => ({ args: ['next/dist/bin/next', 'dev', '-p', `${port}`] }),
}
const reactRouter: ServerArgs = {
  production: (port) => ({
    args: ['@react-router/serve/bin.cjs', './build/server/index.js'],
    env: { PORT: `${port}` },
  }),
  development: (port) => ({ args: ['@react-router/dev/bin.cjs', 'dev', '--port', `${port}`] }),
}
const tanstackStart: ServerArgs = {
  production: (port) => ({
    args: ['srvx/bin/srvx.mjs', '--prod', '-s', '../client', 'dist/server/server.js'],
    env: { PORT: `${port}` },
  }),
  development: vite.development,
}

/** Installs and builds an example for the tests of a `describe`. */
function useExample(name: string, servers: ServerArgs) {
  const used = {} as { example: Example; production: Program }
  beforeAll(async () => {
    used.example = await installExample(name, packed, servers)
    await used.example.run('typecheck')
    await used.example.run('build')
    used.production = await used.example.start('production')
  }, installLimitMs)
  afterAll(async () => {
    await used.production?.stop()
    used.example?.remove()
  })
  return used
}

const visit = async (url: string) => closeAfterTest(await visitExample(browser, chain, url))
type Visit = Awaited<ReturnType<typeof visit>>

async function openModal(site: Visit) {
  await site.clickHydrated('Connect Wallet')
  const wallet = site.card.getByRole('button', { name: /^Halyard/ })
  await wallet.waitFor()
  return wallet
}

async function connect(site: Visit) {
  const wallet = await openModal(site)
  await wallet.click()
  await site.approve()
  await expect.poll(() => site.status.innerText()).toBe(address)
}

async function sign(site: Visit) {
  await site.button('Sign a message').click()
  await site.approve()
  const output = site.page.locator('output')
  await expect.poll(() => output.innerText()).toMatch(/^0x/)
  const signature = (await output.innerText()) as `0x${string}`
  expect(await verifyMessage({ address, message: 'Hello', signature })).toBe(true)
}

const disposable = (program: Program) => ({
  url: program.url,
  [Symbol.asyncDispose]: () => program.stop(),
})

function testVisit(used: ReturnType<typeof useExample>) {
  test('connects a wallet, signs, stays connected after a reload, and disconnects', async () => {
    const site = await visit(used.production.url)
    // Waits for the closed modal, which the kit renders in idle time.
    await site.page
      .locator('.gf-cover[data-closed]:not([data-stage])')
      .waitFor({ state: 'attached' })
    expect(await axe(site.page)).toEqual([])
    await openModal(site)
    expect(await axe(site.page)).toEqual([])
    await site.page.keyboard.press('Escape')
    await site.card.waitFor({ state: 'hidden' })
    await connect(site)
    await sign(site)
    expect(await axe(site.page)).toEqual([])
    await site.page.reload()
    await expect.poll(() => site.status.innerText()).toBe(address)
    await site.clickHydrated('Disconnect')
    await site.button('Connect Wallet').waitFor()
    await expect.poll(() => site.status.innerText()).toBe('No wallet is connected.')
    expect(site.problems()).toEqual([])
  })
}

function testServerRendering(used: ReturnType<typeof useExample>) {
  test('renders the account on the server, without the values of other cookies', async () => {
    const site = await visit(used.production.url)
    await connect(site)
    const { url } = used.production
    await site.context.addCookies([
      { name: 'session', value: 'http-only-secret', url, httpOnly: true },
      { name: 'csrf', value: 'readable-secret', url },
    ])
    const response = await site.context.request.get(url)
    const html = await response.text()
    expect(html).toContain(address)
    expect(html).not.toMatch(/secret|session|csrf/)
    const other = await browser.newPage({ javaScript: false })
    closeAfterTest(other)
    await other.page.goto(url)
    expect(await other.page.locator('p[role="status"]').innerText()).toBe('No wallet is connected.')
    expect(site.problems()).toEqual([])
  })

  test('hydrates without warnings in the development build', async () => {
    await using server = disposable(await used.example.start('development'))
    const site = await visit(server.url)
    await connect(site)
    await site.page.reload()
    await site.clickHydrated('Disconnect')
    await site.button('Connect Wallet').waitFor()
    expect(site.problems()).toEqual([])
  }, 300_000)
}

describe('examples/vite-react19-wagmi3', () => {
  testVisit(useExample('vite-react19-wagmi3', vite))
})

describe('examples/vite-react18-wagmi2', () => {
  testVisit(useExample('vite-react18-wagmi2', vite))
})

describe('examples/next', () => {
  const used = useExample('next', next)
  testVisit(used)
  testServerRendering(used)
})

describe('examples/react-router-ssr', () => {
  const used = useExample('react-router-ssr', reactRouter)
  testVisit(used)
  testServerRendering(used)
})

describe('examples/tanstack-start', () => {
  const used = useExample('tanstack-start', tanstackStart)
  testVisit(used)
  testServerRendering(used)

  test('has the route tree that its build generates', () => {
    const path = 'src/routeTree.gen.ts'
    const generated = readFileSync(join(used.example.folder, path), 'utf8')
    expect(readFileSync(join(root, 'examples/tanstack-start', path), 'utf8')).toBe(generated)
  })
})

describe('examples/vanilla', () => {
  const used = useExample('vanilla', vite)

  test('connects a wallet, signs, stays connected after a reload, and disconnects', async () => {
    const site = await visit(used.production.url)
    await site.button('Halyard').click()
    await site.approve()
    await expect.poll(() => site.status.innerText()).toBe(address)
    expect(await axe(site.page)).toEqual([])
    await sign(site)
    await site.page.reload()
    await expect.poll(() => site.status.innerText()).toBe(address)
    await site.button('Disconnect').click()
    await site.button('Halyard').waitFor()
    expect(await axe(site.page)).toEqual([])
    expect(site.problems()).toEqual([])
  })

  test('installs no React', () => {
    const installed = (name: string) => existsSync(join(used.example.folder, 'node_modules', name))
    expect([installed('@wagmi/core'), installed('react'), installed('@tanstack')]).toEqual([
      true,
      false,
      false,
    ])
  })
})
