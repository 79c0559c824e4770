import { fileURLToPath } from 'node:url'
import { createPublicKey, verify } from 'node:crypto'
import {
  accounts,
  fundSolana,
  solanaLocal,
  startChain,
  startSolana,
  type Chain,
  type Solana,
} from '@gatefold/chain'
import {
  Connection,
  Keypair,
  PublicKey,
  SystemProgram,
  Transaction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js'
import { base58 } from '@scure/base'
import type { Page } from 'playwright-core'
import {
  createTestClient,
  http,
  parseEther,
  publicActions,
  recoverMessageAddress,
  type Hex,
} from 'viem'
import { parseSiweMessage } from 'viem/siwe'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { launchBrowser, type TestBrowser } from '../browser.ts'
import { startFrame, type FrameStack } from '../frame/startFrame.ts'
import { servePage } from '../verify/page/serve.ts'

let browser: TestBrowser
let chain: Chain
let solana: Solana
let frame: FrameStack
let host: Awaited<ReturnType<typeof servePage>>

beforeAll(async () => {
  ;[chain, solana] = await Promise.all([startChain(), startSolana()])
  ;[browser, frame, host] = await Promise.all([
    launchBrowser(),
    startFrame({ rpcUrls: { 'eip155:31337': [chain.url], [solanaLocal.id]: [solana.url] } }),
    servePage(fileURLToPath(new URL('./framePage/', import.meta.url))),
  ])
})
afterAll(async () => {
  await Promise.all([browser.close(), frame.stop(), host.stop(), chain.stop(), solana.stop()])
})

/** Opens the page of the official client. */
async function openApp(options: { context?: Page } = {}) {
  const page = options.context ?? (await browser.newPage()).page
  await page.goto(`http://localhost:${host.port}/?frame=${encodeURIComponent(frame.url)}`)
  await page.waitForFunction(() => 'frameClient' in window)
  return page
}

/** Shows the frame, as the approve view of the official modal does. */
const showFrame = (page: Page) =>
  page.evaluate(() => {
    const element = document.querySelector<HTMLIFrameElement>('#w3m-iframe')!
    element.style.cssText =
      'display:block;position:fixed;left:0;top:0;width:360px;height:600px;border:0;z-index:9'
  })

const approvalIn = (page: Page) => page.frameLocator('#w3m-iframe')

/**
 * Logs in with a mailed code. @param nth - the number of the code, starting at
 * 1 @returns the user
 */
async function login(page: Page, email: string, nth = 1) {
  const { action } = await page.evaluate(
    (address) => window.frameClient.connectEmail({ email: address }),
    email,
  )
  expect(action).toBe('VERIFY_OTP')
  const code = await frame.codeFor(email, nth)
  await page.evaluate((otp) => window.frameClient.connectOtp({ otp }), code)
  return page.evaluate(() => window.frameClient.connect({ chainId: 31337 }))
}

/** Starts a request and approves it in the frame. @returns its result */
async function approve(
  page: Page,
  request: { method: string; params: unknown; chainNamespace?: 'solana' },
  button: string,
): Promise<unknown> {
  await page.evaluate((call) => {
    const state = window as { answer?: Promise<unknown> }
    state.answer = window.frameClient
      .request(call as never)
      .catch((error: unknown) => ({ error: String(error) }))
  }, request)
  await showFrame(page)
  const target = approvalIn(page).getByRole('button', { name: button, exact: true })
  // Chromium ignores clicks in a frame of another site that has just moved,
  // including those on Reject.
  await approvalIn(page).locator('[aria-disabled=false]').waitFor()
  await target.click()
  return page.evaluate(() => (window as { answer?: Promise<unknown> }).answer)
}

describe('the official frame client 1.7.15', () => {
  test('§4.12 logs in by email, and finds the session after a reload', async () => {
    const page = await openApp()
    const user = await login(page, 'ada@example.com')
    expect(user).toMatchObject({
      email: 'ada@example.com',
      address: expect.stringMatching(/^0x[0-9a-fA-F]{40}$/) as string,
      chainId: 31337,
      accounts: [{ address: user.address, type: 'eoa' }],
    })

    await page.reload()
    await page.waitForFunction(() => 'frameClient' in window)
    expect(await page.evaluate(() => window.frameClient.isConnected())).toEqual({
      isConnected: true,
    })
    const again = await page.evaluate(() => window.frameClient.connect())
    expect(again.address).toBe(user.address)
    expect(
      await page.evaluate(() => window.frameClient.connectEmail({ email: 'ada@example.com' })),
    ).toEqual({
      action: 'CONNECT',
    })
  })

  test('the same email address opens the same wallet on another device', async () => {
    const first = await login(await openApp(), 'grace@example.com')
    frame.advance(31)
    const second = await login(await openApp(), 'grace@example.com', 2)
    expect(second.address).toBe(first.address)
  })

  test('error: a wrong code is refused, and the right one still works', async () => {
    const page = await openApp()
    await page.evaluate(() => window.frameClient.connectEmail({ email: 'alan@example.com' }))
    const code = await frame.codeFor('alan@example.com')
    const wrong = code === '000000' ? '000001' : '000000'
    await expect(
      page.evaluate((otp) => window.frameClient.connectOtp({ otp }), wrong),
    ).rejects.toThrow(/wrong/i)
    await page.evaluate((otp) => window.frameClient.connectOtp({ otp }), code)
    const { email } = await page.evaluate(() => window.frameClient.connect())
    expect(email).toBe('alan@example.com')
  })

  test('§6.3.2 §5.10.6 signs a message that is approved in the frame', async () => {
    const page = await openApp()
    const { address } = await login(page, 'edsger@example.com')
    const signature = await approve(
      page,
      { method: 'personal_sign', params: ['0x68656c6c6f', address] },
      'Sign',
    )
    expect(await recoverMessageAddress({ message: 'hello', signature: signature as Hex })).toBe(
      address,
    )
  })

  test('§5.10.5 sends a transaction that is approved in the frame', async () => {
    const page = await openApp()
    const { address } = await login(page, 'barbara@example.com')
    const to = accounts[3].address
    const node = createTestClient({ mode: 'anvil', transport: http(chain.url) }).extend(
      publicActions,
    )
    await node.setBalance({ address: address as Hex, value: parseEther('2') })
    const before = await node.getBalance({ address: to })
    const hash = await approve(
      page,
      {
        method: 'eth_sendTransaction',
        params: [{ from: address, to, value: '0xde0b6b3a7640000' }],
      },
      'Approve',
    )
    expect(hash).toMatch(/^0x[0-9a-f]{64}$/)
    await expect
      .poll(async () => (await node.getBalance({ address: to })) - before)
      .toBe(parseEther('1'))
  })

  /** Logs in, and funds the Solana account. */
  async function loginToSolana(email: string) {
    const page = await openApp()
    await login(page, email)
    const user = await page.evaluate(
      (chainId) => window.frameClient.connect({ chainId: chainId as never }),
      solanaLocal.id,
    )
    expect(user).toMatchObject({ chainId: solanaLocal.id, preferredAccountType: 'eoa' })
    await fundSolana(solana.url, { owner: user.address as never, lamports: 5_000_000_000n })
    const payer = new PublicKey(user.address)
    const connection = new Connection(solana.url, 'confirmed')
    const { blockhash } = await connection.getLatestBlockhash()
    /** A transfer of 1 SOL, as the official adapter serializes it. */
    const transfer = (to: PublicKey, version: 'legacy' | 0) => {
      const instruction = SystemProgram.transfer({
        fromPubkey: payer,
        toPubkey: to,
        lamports: 1_000_000_000,
      })
      const transaction =
        version === 'legacy'
          ? new Transaction({ feePayer: payer, recentBlockhash: blockhash }).add(instruction)
          : new VersionedTransaction(
              new TransactionMessage({
                payerKey: payer,
                recentBlockhash: blockhash,
                instructions: [instruction],
              }).compileToV0Message(),
            )
      return base58.encode(new Uint8Array(transaction.serialize({ verifySignatures: false })))
    }
    return { page, payer, connection, transfer }
  }

  const ofSolana = (method: string, params: unknown) =>
    ({ method, params, chainNamespace: 'solana' }) as const

  test('§6.3.2 §9.7.1/3 signs a Solana message that is approved in the frame', async () => {
    const { page, payer } = await loginToSolana('rosa@example.com')
    const message = new TextEncoder().encode('hello')
    const params = { message: base58.encode(message), pubkey: payer.toBase58() }
    const answer = (await approve(page, ofSolana('solana_signMessage', params), 'Sign')) as {
      signature: string
    }
    const key = createPublicKey({
      key: { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(payer.toBytes()).toString('base64url') },
      format: 'jwk',
    })
    expect(verify(null, message, key, base58.decode(answer.signature))).toBe(true)
  })

  test('§6.3.2 signs one Solana transaction, then several at once, all of which the page sends', async () => {
    const { page, connection, transfer } = await loginToSolana('hedy@example.com')
    const [first, second, third] = Array.from({ length: 3 }, () => Keypair.generate().publicKey)
    const one = (await approve(
      page,
      ofSolana('solana_signTransaction', { transaction: transfer(first!, 'legacy') }),
      'Approve',
    )) as { transaction: string }
    await connection.sendRawTransaction(base58.decode(one.transaction))
    const transactions = [transfer(second!, 'legacy'), transfer(third!, 0)]
    const all = (await approve(
      page,
      ofSolana('solana_signAllTransactions', { transactions }),
      'Approve all',
    )) as { transactions: string[] }
    for (const signed of all.transactions)
      await connection.sendRawTransaction(base58.decode(signed))
    for (const receiver of [first, second, third])
      expect(await connection.getBalance(receiver!)).toBe(1_000_000_000)
  })

  test('§6.3.2 sends a Solana transaction that is approved in the frame', async () => {
    const { page, connection, transfer } = await loginToSolana('joan@example.com')
    const receiver = Keypair.generate().publicKey
    const params = { transaction: transfer(receiver, 0), options: { skipPreflight: false } }
    const { signature } = (await approve(
      page,
      ofSolana('solana_signAndSendTransaction', params),
      'Approve',
    )) as { signature: string }
    const { value } = await connection.getSignatureStatus(signature)
    expect(value).toMatchObject({ err: null, confirmationStatus: 'finalized' })
    expect(await connection.getBalance(receiver)).toBe(1_000_000_000)
  })

  test('§8.10.3 error: a request fails if the visitor rejects it or the page cancels it', async () => {
    const page = await openApp()
    const { address } = await login(page, 'donald@example.com')
    const request = { method: 'personal_sign', params: ['0x68656c6c6f', address] }
    expect(await approve(page, request, 'Reject')).toEqual({
      error: expect.stringContaining('User rejected the request.') as string,
    })
    const canceled = page.evaluate(
      (call) => window.frameClient.request(call as never).catch(String),
      request,
    )
    const card = approvalIn(page).getByRole('dialog')
    await card.waitFor()
    await page.evaluate(() => void window.frameClient.rejectRpcRequests())
    expect(await canceled).toContain('Request was aborted')
    await expect.poll(() => card.count()).toBe(0)
  })

  test('signs a sign-in message while it connects, but only for the requesting page', async () => {
    const page = await openApp()
    await login(page, 'ken@example.com')
    const ask = (domain: string) =>
      page.evaluate(
        (own) =>
          window.frameClient.connect({
            siwxMessage: {
              accountAddress: '',
              chainId: 'eip155:31337',
              domain: own,
              uri: `http://${own}/`,
              version: '1',
              nonce: 'abcdefgh12345678',
              issuedAt: '2026-01-01T00:00:00.000Z',
            },
          }),
        domain,
      )
    const signed = await ask(`localhost:${host.port}`)
    expect(parseSiweMessage(signed.message!)).toMatchObject({
      address: signed.address,
      domain: `localhost:${host.port}`,
      chainId: 31337,
    })
    expect(
      await recoverMessageAddress({ message: signed.message!, signature: signed.signature as Hex }),
    ).toBe(signed.address)
    await expect(ask('bank.example')).rejects.toThrow(/sign-in to bank.example/)
  })

  test('logs out, and finds no session after a reload', async () => {
    const page = await openApp()
    await login(page, 'niklaus@example.com')
    await page.evaluate(() => window.frameClient.disconnect())
    await page.reload()
    await page.waitForFunction(() => 'frameClient' in window)
    expect(await page.evaluate(() => window.frameClient.isConnected())).toEqual({
      isConnected: false,
    })
  })

  test('stays logged in while the server does not respond, and signs again afterwards', async () => {
    const page = await openApp()
    const { address } = await login(page, 'margaret@example.com')
    await page.context().route(`${frame.url}/api/**`, (route) => route.abort())
    await page.reload()
    await page.waitForFunction(() => 'frameClient' in window)
    expect(await page.evaluate(() => window.frameClient.isConnected())).toEqual({
      isConnected: true,
    })
    const known = await page.evaluate(() => window.frameClient.connect())
    expect(known).toMatchObject({ address, email: 'margaret@example.com' })
    const request = { method: 'personal_sign', params: ['0x68656c6c6f', address] }
    expect(await approve(page, request, 'Sign')).toEqual({
      error: expect.stringContaining('The wallet server did not respond.') as string,
    })
    await page.context().unroute(`${frame.url}/api/**`)
    expect(await approve(page, request, 'Sign')).toMatch(/^0x/)
  })

  test('§4.12 changes the email address with both codes', async () => {
    const page = await openApp()
    await login(page, 'old@example.com')
    frame.advance(31)
    expect(
      await page.evaluate(() => window.frameClient.updateEmail({ email: 'new@example.com' })),
    ).toEqual({ action: 'VERIFY_PRIMARY_OTP' })
    const primary = await frame.codeFor('old@example.com', 2)
    await page.evaluate((otp) => window.frameClient.updateEmailPrimaryOtp({ otp }), primary)
    const secondary = await frame.codeFor('new@example.com')
    expect(
      await page.evaluate((otp) => window.frameClient.updateEmailSecondaryOtp({ otp }), secondary),
    ).toEqual({ newEmail: 'new@example.com' })
    const { email } = await page.evaluate(() => window.frameClient.connect())
    expect(email).toBe('new@example.com')
  })

  test('answers requests about networks and accounts, and follows the theme', async () => {
    const page = await openApp()
    await login(page, 'john@example.com')
    expect(await page.evaluate(() => window.frameClient.getChainId())).toEqual({ chainId: 31337 })
    expect(await page.evaluate(() => window.frameClient.getSmartAccountEnabledNetworks())).toEqual({
      smartAccountEnabledNetworks: [],
    })
    expect(await page.evaluate(() => window.frameClient.switchNetwork({ chainId: 31337 }))).toEqual(
      {
        chainId: 31337,
      },
    )
    await expect(
      page.evaluate(() => window.frameClient.switchNetwork({ chainId: 4242 })),
    ).rejects.toThrow(/4242 is not available/)
    await expect(
      page.evaluate(() => window.frameClient.setPreferredAccount('smartAccount')),
    ).rejects.toThrow(/Smart accounts are not available/)
    await page.evaluate(() => window.frameClient.syncTheme({ themeMode: 'dark' } as never))
    await showFrame(page)
    await expect
      .poll(() => approvalIn(page).locator('html').getAttribute('data-theme'))
      .toBe('dark')
  })
})
