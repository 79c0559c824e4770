import { fileURLToPath } from 'node:url'
import {
  accounts,
  addresses,
  bookAbi,
  gatefoldLocal,
  hasBundler,
  startBundler,
  startChain,
  type Bundler,
  type Chain,
} from '@gatefold/chain'
import type { Page } from 'playwright-core'
import {
  createTestClient,
  encodeFunctionData,
  http,
  parseEther,
  publicActions,
  type Address,
  type Hex,
} from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { launchBrowser, type TestBrowser } from '../browser.ts'
import { startFrame, type FrameStack } from '../frame/startFrame.ts'
import { servePage } from '../verify/page/serve.ts'

let browser: TestBrowser
let chain: Chain
let bundler: Bundler
let frame: FrameStack
let host: Awaited<ReturnType<typeof servePage>>
let node: ReturnType<typeof createNode>

function createNode() {
  return createTestClient({
    mode: 'anvil',
    chain: gatefoldLocal(chain.url),
    transport: http(),
  }).extend(publicActions)
}

const [, , , spender, secondSpender] = accounts

/** A call that lets an account spend BOOK. */
const allow = (amount: bigint, to: Address = spender.address) => ({
  to: addresses.book,
  data: encodeFunctionData({ abi: bookAbi, functionName: 'approve', args: [to, amount] }),
})

describe.runIf(hasBundler())('smart accounts in the official frame client 1.7.15', () => {
  beforeAll(async () => {
    chain = await startChain()
    bundler = await startBundler(chain)
    const id = 'eip155:31337'
    ;[browser, frame, host] = await Promise.all([
      launchBrowser(),
      startFrame({
        rpcUrls: { [id]: [chain.url], 'eip155:31338': [chain.url] },
        bundlerUrls: { [id]: [bundler.url] },
      }),
      servePage(fileURLToPath(new URL('./framePage/', import.meta.url))),
    ])
    node = createNode()
    await frame.sponsor(10_000_000)
  })
  afterAll(async () => {
    await Promise.all([browser.close(), frame.stop(), host.stop()])
    await bundler.stop()
    await chain.stop()
  })

  async function openApp() {
    const { page } = await browser.newPage()
    await page.goto(`http://localhost:${host.port}/?frame=${encodeURIComponent(frame.url)}`)
    await page.waitForFunction(() => 'frameClient' in window)
    return page
  }

  /** Logs in with the code of the mail. @returns the page and the user */
  async function login(email: string) {
    const page = await enter(email)
    return { page, user: await connect(page, 'smartAccount') }
  }

  /** Logs in with the code of the mail, without reading the user. */
  async function enter(email: string) {
    const page = await openApp()
    await page.evaluate((address) => window.frameClient.connectEmail({ email: address }), email)
    const code = await frame.codeFor(email)
    await page.evaluate((otp) => window.frameClient.connectOtp({ otp }), code)
    return page
  }

  const connect = (page: Page, preferredAccountType: 'eoa' | 'smartAccount') =>
    page.evaluate(
      (type) => window.frameClient.connect({ chainId: 31337, preferredAccountType: type }),
      preferredAccountType,
    )

  const send = (page: Page, method: string, params: unknown[]) =>
    page.evaluate((call) => window.frameClient.request(call as never), { method, params })

  const allowance = (owner: Address, to: Address) =>
    node.readContract({
      address: addresses.book,
      abi: bookAbi,
      functionName: 'allowance',
      args: [owner, to],
    })

  const cardIn = (page: Page) => page.frameLocator('#w3m-iframe').getByRole('dialog')

  /** Starts a request, reads its approval and approves it. @returns the text that was shown, and the result */
  async function approve(page: Page, method: string, params: unknown[], button = 'Approve') {
    await page.evaluate(
      (call) => {
        const state = window as { answer?: Promise<unknown> }
        state.answer = window.frameClient
          .request(call as never)
          .catch((error: unknown) => ({ error: String(error) }))
        const element = document.querySelector<HTMLIFrameElement>('#w3m-iframe')!
        element.style.cssText =
          'display:block;position:fixed;left:0;top:0;width:360px;height:600px;border:0;z-index:9'
      },
      { method, params },
    )
    // Chromium ignores clicks in a frame of another site that has just moved.
    await cardIn(page).locator('[aria-disabled=false]').waitFor()
    const text = await cardIn(page).innerText()
    await cardIn(page).getByRole('button', { name: button, exact: true }).click()
    const result = await page.evaluate(() => (window as { answer?: Promise<unknown> }).answer)
    return { text, result }
  }

  test('§3.14 shows both accounts from the first login, before the smart account exists', async () => {
    const { page, user } = await login('ada@example.com')
    const [standard, smart] = user.accounts!
    expect(user).toMatchObject({
      address: smart!.address,
      preferredAccountType: 'smartAccount',
      smartAccountDeployed: false,
      accounts: [
        { type: 'eoa', address: standard!.address },
        { type: 'smartAccount', address: smart!.address },
      ],
    })
    expect(await page.evaluate(() => window.frameClient.getSmartAccountEnabledNetworks())).toEqual({
      smartAccountEnabledNetworks: [31337],
    })
    expect(await node.getCode({ address: smart!.address as Address })).toBeUndefined()
  })

  test('§9.7.1/1 uses the smart account unless the page requests the other', async () => {
    const page = await enter('mary@example.com')
    const user = await page.evaluate(() => window.frameClient.connect({ chainId: 31337 }))
    expect(user.preferredAccountType).toBe('smartAccount')
    expect(await connect(page, 'eoa')).toMatchObject({ preferredAccountType: 'eoa' })
  })

  test('a first, sponsored transaction creates the account and costs nothing', async () => {
    const { page, user } = await login('grace@example.com')
    const address = user.address as Address
    const { text, result } = await approve(page, 'eth_sendTransaction', [
      { from: address, ...allow(5n) },
    ])
    expect(text).toContain('Paid by the site')
    expect(text).toContain('Creates your smart account')
    const receipt = await node.getTransactionReceipt({ hash: result as Hex })
    expect(receipt.status).toBe('success')
    expect(await node.getBalance({ address })).toBe(0n)
    expect(await allowance(address, spender.address)).toBe(5n)
    expect(await connect(page, 'smartAccount')).toMatchObject({ smartAccountDeployed: true })
  })

  test('a batch of calls is approved call by call, executed at once and followed', async () => {
    const { page, user } = await login('edsger@example.com')
    const from = user.address as Address
    const { text, result } = await approve(page, 'wallet_sendCalls', [
      {
        version: '2.0.0',
        from,
        chainId: '0x7a69',
        calls: [allow(7n), allow(8n, secondSpender.address)],
      },
    ])
    expect(text).toContain('2 calls, all of them or none')
    expect(text.match(/Let 0x\w{4}…\w{4} spend/g)).toHaveLength(2)
    const { id } = result as { id: Hex }
    const status = (await send(page, 'wallet_getCallsStatus', [id])) as { status: number }
    expect([100, 200]).toContain(status.status)
    await expect
      .poll(async () => send(page, 'wallet_getCallsStatus', [id]))
      .toMatchObject({ version: '2.0.0', chainId: '0x7a69', status: 200, atomic: true })
    expect(await allowance(from, spender.address)).toBe(7n)
    expect(await allowance(from, secondSpender.address)).toBe(8n)
    expect(await send(page, 'wallet_getCapabilities', [from])).toEqual({
      '0x7a69': { atomic: { status: 'supported' }, atomicBatch: { supported: true } },
    })
  })

  test('a user who has used up the daily budget pays, and sees that in the approval', async () => {
    const { page, user } = await login('barbara@example.com')
    const from = user.address as Address
    await frame.sponsor(1)
    const to = spender.address
    await node.setBalance({ address: from, value: parseEther('2') })
    const before = await node.getBalance({ address: to })
    const { text, result } = await approve(page, 'eth_sendTransaction', [
      { from, to, value: '0xde0b6b3a7640000' },
    ])
    await frame.sponsor(10_000_000)
    expect(text).toMatch(/At most 0\.\d+ ETH, paid by you/)
    expect(result).toMatch(/^0x[0-9a-f]{64}$/)
    expect((await node.getBalance({ address: to })) - before).toBe(parseEther('1'))
    expect(await node.getBalance({ address: from })).toBeLessThan(parseEther('1'))
  })

  test('§5.10.6 messages and typed data verify before and after the deployment', async () => {
    const { page, user } = await login('donald@example.com')
    const address = user.address as Address
    const typed = {
      domain: { name: 'Book', chainId: 31337 },
      types: { Note: [{ name: 'text', type: 'string' }] },
      primaryType: 'Note',
      message: { text: 'hello' },
    } as const
    const verify = async () => {
      const { result } = await approve(page, 'personal_sign', ['0x68656c6c6f', address], 'Sign')
      const signature = result as Hex
      expect(await node.verifyMessage({ address, message: 'hello', signature })).toBe(true)
      expect(await node.verifyMessage({ address, message: 'other', signature })).toBe(false)
      const data = JSON.stringify(typed)
      const signed = await approve(page, 'eth_signTypedData_v4', [address, data], 'Sign')
      const typedSignature = signed.result as Hex
      expect(await node.verifyTypedData({ address, ...typed, signature: typedSignature })).toBe(
        true,
      )
      return signature
    }
    // The suffix of ERC-6492.
    expect(await verify()).toMatch(/(6492){16}$/)
    await approve(page, 'eth_sendTransaction', [{ from: address, ...allow(1n) }])
    expect(await verify()).not.toMatch(/(6492){16}$/)
  })

  test('§4.2.2 the account type is switched, and a network without smart accounts has the standard one', async () => {
    const { page, user } = await login('alan@example.com')
    const [standard, smart] = user.accounts!
    const prefer = (type: 'eoa' | 'smartAccount') =>
      page.evaluate((preferred) => window.frameClient.setPreferredAccount(preferred), type)
    expect(await prefer('eoa')).toEqual({ type: 'eoa', address: standard!.address })
    expect(await connect(page, 'eoa')).toMatchObject({
      address: standard!.address,
      preferredAccountType: 'eoa',
    })
    expect(await send(page, 'eth_accounts', [])).toEqual([standard!.address])
    expect(await prefer('smartAccount')).toEqual({ type: 'smartAccount', address: smart!.address })
    await page.evaluate(() => window.frameClient.switchNetwork({ chainId: 31338 }))
    await expect(prefer('smartAccount')).rejects.toThrow('not available on this network')
    const there = await page.evaluate(() =>
      window.frameClient.connect({ chainId: 31338, preferredAccountType: 'smartAccount' }),
    )
    expect(there).toMatchObject({ address: standard!.address, preferredAccountType: 'eoa' })
  })

  test('error: what the account cannot pay for, a foreign account and a bundler that is down', async () => {
    const { page, user } = await login('ken@example.com')
    const from = user.address as Address
    const fail = async (method: string, params: unknown[]) =>
      page.evaluate((call) => window.frameClient.request(call as never).catch(String), {
        method,
        params,
      })
    expect(
      await fail('wallet_sendCalls', [{ from: accounts[0].address, calls: [allow(1n)] }]),
    ).toContain('another account')
    await bundler.stop()
    expect(await fail('eth_sendTransaction', [{ from, ...allow(1n) }])).toContain(
      'did not respond. Try again, or switch to the standard account.',
    )
    bundler = await startBundler(chain, { port: Number(new URL(bundler.url).port) })
  })
})
