import { fileURLToPath } from 'node:url'
import type { Chain } from '@gatefold/chain'
import type { Route } from 'playwright-core'
import { build, type Rolldown } from 'vite'
import { expect } from 'vitest'
import type { TestBrowser } from '../browser.ts'

/** A development server compiles a page's files when they are requested. */
const compileLimitMs = 120_000

/** A page of an example, with a demo wallet on Ethereum, whose node is a local chain. */
export async function visitExample(browser: TestBrowser, chain: Chain, url: string) {
  // The card's animations would change the contrast that axe measures.
  const opened = await browser.newPage({ reducedMotion: 'reduce' })
  const { page, context } = opened
  const warnings: string[] = []
  context.on('console', (message) => {
    if (message.type() === 'warning') warnings.push(message.text())
  })
  await context.route(
    ({ host }) => host !== new URL(url).host && host !== new URL(chain.url).host,
    (route) => answer(route, chain.url),
  )
  await context.addInitScript(await walletScript(chain.url))
  await page.goto(url, { timeout: compileLimitMs })
  const card = page.getByRole('dialog')
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  return {
    ...opened,
    /** Everything that a developer should not see in the console. */
    problems: () => [
      ...opened.consoleErrors,
      ...opened.pageErrors,
      ...opened.failedRequests,
      ...warnings,
    ],
    card,
    status: page.locator('p[role="status"]'),
    button,
    /** Clicks a button once React has hydrated it: a click before that has no effect. */
    async clickHydrated(name: string) {
      const isHydrated = () =>
        button(name).evaluate((element) =>
          Object.keys(element).some((key) => key.startsWith('__reactProps')),
        )
      await expect.poll(isHydrated, { timeout: compileLimitMs }).toBe(true)
      await button(name).click()
    },
    /** Approves the request in the demo wallet's window. */
    approve: () => page.getByTestId('wallet-approve').filter({ visible: true }).click(),
  }
}

let script: Promise<string> | undefined

/** Bundles demoWallet.ts. */
function walletScript(rpcUrl: string): Promise<string> {
  const entry = fileURLToPath(new URL('./demoWallet.ts', import.meta.url))
  script ??= build({
    configFile: false,
    logLevel: 'error',
    resolve: { conditions: ['@gatefold/source', 'module', 'browser', 'production'] },
    build: { write: false, lib: { entry, formats: ['iife'], name: 'demoWallet' } },
  }).then((output) => (output as Rolldown.RolldownOutput[])[0]!.output[0].code)
  return script.then((code) => `const rpcUrl = ${JSON.stringify(rpcUrl)};${code}`)
}

/** Answers a request to a public node of Ethereum with the local chain. */
async function answer(route: Route, rpcUrl: string): Promise<void> {
  const headers = { 'access-control-allow-origin': '*', 'access-control-allow-headers': '*' }
  const request = route.request()
  if (request.method() === 'OPTIONS') return route.fulfill({ status: 204, headers })
  const call = request.postDataJSON() as { id: number; method: string }
  if (call.method === 'eth_chainId')
    return route.fulfill({ headers, json: { jsonrpc: '2.0', id: call.id, result: '0x1' } })
  const response = await fetch(rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(call),
  })
  return route.fulfill({ headers, json: await response.json() })
}
