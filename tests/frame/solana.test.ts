import { fundSolana, solanaLocal, startSolana, type Solana } from '@gatefold/chain'
import {
  Connection,
  Keypair,
  PublicKey,
  SystemProgram,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { base58 } from '@scure/base'
import { launchBrowser, type TestBrowser } from '../browser.ts'
import { hostPage, startFrame, type FrameStack } from './startFrame.ts'

let browser: TestBrowser
let solana: Solana
let frame: FrameStack
let host: string
beforeAll(async () => {
  solana = await startSolana()
  ;[browser, frame] = await Promise.all([
    launchBrowser(),
    startFrame({
      rpcUrls: { [solanaLocal.id]: [solana.url], 'eip155:31337': ['http://127.0.0.1:9'] },
    }),
  ])
  host = await frame.serve({ '/': hostPage(frame.documentUrl()) })
})
afterAll(async () => {
  await Promise.all([browser.close(), frame.stop(), solana.stop()])
})

type Reply = { type: string; payload?: { address?: string; message?: string } }
type Host = Window & {
  send(name: string, payload?: unknown): Promise<Reply>
  reply?: Promise<Reply>
}

const send = (page: Page, name: string, payload?: unknown) =>
  page.evaluate(([first, second]) => (window as unknown as Host).send(first, second), [
    name,
    payload,
  ] as [string, unknown])

/** Logs in, and funds the account. */
async function login(email: string) {
  const { page } = await browser.newPage({ width: 500, height: 700 })
  await page.goto(host)
  await page.waitForFunction(() =>
    (window as unknown as { received: { data: { type: string } }[] }).received.some(
      ({ data }) => data.type === '@w3m-frame/READY',
    ),
  )
  await send(page, 'CONNECT_EMAIL', { email })
  await send(page, 'CONNECT_OTP', { otp: await frame.codeFor(email) })
  const { payload } = await send(page, 'GET_USER', { chainId: solanaLocal.id })
  const payer = new PublicKey(payload!.address!)
  await fundSolana(solana.url, { owner: payload!.address as never, lamports: 5_000_000_000n })
  const connection = new Connection(solana.url, 'confirmed')
  const receiver = Keypair.generate().publicKey
  const { blockhash } = await connection.getLatestBlockhash()
  const transaction = new VersionedTransaction(
    new TransactionMessage({
      payerKey: payer,
      recentBlockhash: blockhash,
      instructions: [
        SystemProgram.transfer({
          fromPubkey: payer,
          toPubkey: receiver,
          lamports: 1_500_000_000,
        }),
      ],
    }).compileToV0Message(),
  )
  return { page, payer, connection, receiver, transaction }
}

/** Starts a request. @returns a function that waits for its reply */
async function request(
  page: Page,
  method: string,
  params: unknown,
  chainId: string = solanaLocal.id,
) {
  const [chainNamespace, reference] = chainId.split(':')
  await page.evaluate(
    (payload) => {
      const state = window as unknown as Host
      state.reply = state.send('RPC_REQUEST', payload)
    },
    { method, params, chainNamespace, chainId: reference },
  )
  return () => page.evaluate(() => (window as unknown as Host).reply!)
}

it('a Solana transfer is shown, approved and on the chain', async () => {
  const { page, receiver, connection, transaction } = await login('lise@example.com')
  const reply = await request(page, 'solana_signAndSendTransaction', {
    transaction: base58.encode(transaction.serialize()),
  })
  const card = page.frameLocator('#w3m-iframe')
  await card.locator('[aria-disabled=false]').waitFor()
  const shown = await card.getByRole('dialog').innerText()
  for (const text of ['Send 1.5 SOL', '−1.5 SOL', 'Solana DRYVatmB', '0.000005 SOL'])
    expect(shown).toContain(text)
  expect(shown.replaceAll(/\s/g, '')).toContain(receiver.toBase58())
  await card.getByRole('button', { name: 'Approve', exact: true }).click()
  const { type, payload } = await reply()
  expect(type).toBe('@w3m-frame/RPC_REQUEST_SUCCESS')
  const { signature } = payload as { signature: string }
  expect(await connection.getBalance(receiver)).toBe(1_500_000_000)
  const record = await connection.getTransaction(signature, { maxSupportedTransactionVersion: 0 })
  expect(record?.meta?.err).toBeNull()
})

it('attack: a transaction that is sent as a message cannot be signed', async () => {
  const { page, payer, transaction } = await login('emmy@example.com')
  const reply = await request(page, 'solana_signMessage', {
    message: base58.encode(transaction.message.serialize()),
    pubkey: payer.toBase58(),
  })
  const card = page.frameLocator('#w3m-iframe')
  await card.getByText('This is a transaction, not a message').waitFor()
  expect(await card.getByRole('button').allTextContents()).toEqual(['Close'])
  const close = card.getByRole('button', { name: 'Close' })
  // Chromium ignores clicks in a frame of another site that has just moved.
  await expect
    .poll(async () => {
      await close.click({ timeout: 500 }).catch(() => {})
      return close.count()
    })
    .toBe(0)
  expect(await reply()).toMatchObject({ type: '@w3m-frame/RPC_REQUEST_ERROR' })
})

it('attack: a method of a family other than that of the request’s network is refused', async () => {
  const { page, payer } = await login('maria@example.com')
  const asked = () =>
    page
      .frameLocator('#w3m-iframe')
      .getByRole('dialog')
      .waitFor()
      .then(() => ({ payload: { message: 'the visitor is asked' } }))
  const solanaOnEvm = await request(
    page,
    'solana_signMessage',
    { message: 'Cn8eVZg', pubkey: payer.toBase58() },
    'eip155:31337',
  )
  const first = await Promise.race([solanaOnEvm(), asked()])
  expect(first.payload?.message).toContain('is for a network other than')
  const evmOnSolana = await request(page, 'personal_sign', ['0x68656c6c6f', payer.toBase58()])
  const second = await Promise.race([evmOnSolana(), asked()])
  expect(second.payload?.message).toContain('is for a network other than')
})
