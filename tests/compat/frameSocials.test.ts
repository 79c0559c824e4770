import { fileURLToPath } from 'node:url'
import { accounts, startChain, type Chain } from '@gatefold/chain'
import type { Page } from 'playwright-core'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { launchBrowser, type TestBrowser } from '../browser.ts'
import { startFrame, type FrameStack } from '../frame/startFrame.ts'
import { startFarcaster, startSocials, type Farcaster, type Socials } from '../socials/index.ts'
import { servePage } from '../verify/page/serve.ts'

let browser: TestBrowser
let chain: Chain
let farcaster: Farcaster
let socials: Socials
let frame: FrameStack
let host: Awaited<ReturnType<typeof servePage>>

beforeAll(async () => {
  chain = await startChain()
  ;[farcaster, socials, browser] = await Promise.all([
    startFarcaster(chain),
    startSocials(),
    launchBrowser(),
  ])
  ;[frame, host] = await Promise.all([
    startFrame({
      rpcUrls: { 'eip155:31337': [chain.url] },
      socials: { ...socials.settings, farcaster: farcaster.settings },
    }),
    servePage(fileURLToPath(new URL('./framePage/', import.meta.url))),
  ])
})
afterAll(async () => {
  await Promise.all([browser?.close(), frame?.stop(), host?.stop()])
  await Promise.all([socials?.stop(), farcaster?.stop(), chain?.stop()])
})

/** Opens the page of the official client. */
async function openApp() {
  const { page } = await browser.newPage()
  await page.goto(`http://localhost:${host.port}/?frame=${encodeURIComponent(frame.url)}`)
  await page.waitForFunction(() => 'frameClient' in window)
  return page
}

const providers = ['google', 'apple', 'github', 'facebook', 'x', 'discord'] as const

/**
 * Logs in as the official modal does: opens a window with the provider's page
 * and waits for the result from the frame's origin.
 *
 * @returns the result, once the visitor has pressed a button at the provider
 */
async function visit(page: Page, provider: (typeof providers)[number], button = 'Log in') {
  const [popup] = await Promise.all([
    page.waitForEvent('popup'),
    page.evaluate(
      ({ origin, name }) => {
        const opened = window.open(`${origin}/loading`, 'popupWindow', 'width=600,height=800')!
        const state = window as { result?: Promise<string> }
        state.result = new Promise((resolve) => {
          addEventListener('message', (event: MessageEvent<{ resultUri?: string }>) => {
            if (event.data?.resultUri && event.origin === origin) resolve(event.data.resultUri)
          })
        })
        void window.frameClient
          .getSocialRedirectUri({ provider: name })
          .then(({ uri }) => (opened.location.href = uri))
      },
      { origin: frame.url, name: provider },
    ),
  ])
  await popup.getByRole('button', { name: button }).click()
  const uri = await page.evaluate(() => (window as { result?: Promise<string> }).result!)
  await popup.close()
  return uri
}

describe('the official frame client 1.7.15', () => {
  test.each(providers)(
    '§4.8 §5.10.3 §7.18.2 logs in with %s, and finds the session after a reload',
    async (provider) => {
      const page = await openApp()
      const uri = await visit(page, provider)
      const user = await page.evaluate(
        (result) => window.frameClient.connect({ socialUri: result, chainId: 31337 }),
        uri,
      )
      expect(user).toMatchObject({
        email: ['facebook', 'x'].includes(provider) ? null : 'ada@example.com',
        address: expect.stringMatching(/^0x[0-9a-fA-F]{40}$/) as string,
        chainId: 31337,
      })
      await page.reload()
      await page.waitForFunction(() => 'frameClient' in window)
      expect(await page.evaluate(() => window.frameClient.isConnected())).toEqual({
        isConnected: true,
      })
      const again = await page.evaluate(() => window.frameClient.connect())
      expect(again.address).toBe(user.address)
    },
  )

  test('error: a login that the visitor cancels at the provider', async () => {
    const page = await openApp()
    const uri = await visit(page, 'github', 'Cancel')
    await expect(
      page.evaluate((result) => window.frameClient.connectSocial({ uri: result }), uri),
    ).rejects.toThrow('You declined the login with GitHub.')
  })

  test('§7.18.2 logs in with Farcaster', async () => {
    const page = await openApp()
    const account = privateKeyToAccount(accounts[4].privateKey)
    await farcaster.register(7, account.address)
    const { url } = await page.evaluate(() => window.frameClient.getFarcasterUri())
    let requests = 0
    page.on(
      'request',
      (request) => (requests += Number(request.url().endsWith('/farcaster/finish'))),
    )
    const sent = page.waitForRequest(`${frame.url}/api/login/farcaster/finish`)
    // A modal that is reopened repeats the request.
    const confirmed = page.evaluate(() =>
      Promise.all([window.frameClient.connectFarcaster(), window.frameClient.connectFarcaster()]),
    )
    await sent
    await farcaster.confirm(url, { fid: 7, account, username: 'ada' })
    expect(await confirmed).toEqual([{ userName: 'ada' }, { userName: 'ada' }])
    expect(requests).toBe(1)
    const user = await page.evaluate(() => window.frameClient.connect({ chainId: 31337 }))
    expect(user.address).toMatch(/^0x/)
  })
})
