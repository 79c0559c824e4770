import { createPublicKey, verify } from 'node:crypto'
import { fileURLToPath } from 'node:url'

import { fundSolana, solanaLocal, startChain, startSolana } from '@gatefold/chain'
import type { Chain, Solana } from '@gatefold/chain'
import type { SolanaWallet } from '@gatefold/kit/embedded'
import {
  Connection,
  Keypair,
  PublicKey,
  SystemProgram,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { launchBrowser } from '../browser.ts'
import type { TestBrowser } from '../browser.ts'
import { serveSite } from '../walletConnect/page/serve.ts'
import { startFrame } from './startFrame.ts'
import type { FrameStack } from './startFrame.ts'
import { pressUntilGone } from './pressUntilGone.ts'

declare const window: Window & { wallet: SolanaWallet | undefined }

const email = 'sol@north.example'
let browser: TestBrowser
let chain: Chain
let solana: Solana
let frame: FrameStack
let site: Awaited<ReturnType<typeof serveSite>>
let page: Page
/** URLs of the scripts that the page has loaded. */
const scripts: string[] = []
beforeAll(async () => {
  ;[chain, solana] = await Promise.all([startChain({ chainId: 31337 }), startSolana()])
  const root = fileURLToPath(new URL('solanaSite', import.meta.url))
  ;[browser, site, frame] = await Promise.all([
    launchBrowser(),
    serveSite({ root }),
    startFrame({ rpcUrls: { 'eip155:31337': [chain.url], [solanaLocal.id]: [solana.url] } }),
  ])
  ;({ page } = await browser.newPage())
  page.on('request', (request) => {
    if (request.resourceType() === 'script') scripts.push(request.url())
  })
  const { reference } = solanaLocal
  const query = { frame: frame.url, rpc: chain.url, solana: reference, solanaRpc: solana.url }
  await page.goto(`${site.url}/?${new URLSearchParams(query)}`)
})
afterAll(async () => {
  await browser?.close()
  await Promise.all([site?.stop(), frame?.stop(), solana?.stop(), chain?.stop()])
})

const card = () => page.locator('[data-gatefold] [role="dialog"]')
const secure = () => page.frameLocator('#gatefold-frame')

/** Presses a button in the frame, until it is gone. */
async function press(name: string) {
  const button = secure().getByRole('button', { name, exact: true })
  await pressUntilGone(button)
}

async function approve(name: string) {
  await secure().locator('[aria-disabled=false]').filter({ hasText: name }).waitFor()
  await press(name)
}

/** The address that the page shows. */
async function address(): Promise<PublicKey> {
  await page.locator('output:not(:empty)').waitFor()
  return new PublicKey((await page.locator('output').textContent())!)
}

/** A transfer from the wallet's account to a new one. */
async function transfer(lamports: number) {
  const payerKey = await address()
  const connection = new Connection(solana.url, 'confirmed')
  const receiver = Keypair.generate().publicKey
  const { blockhash } = await connection.getLatestBlockhash()
  const instruction = SystemProgram.transfer({
    fromPubkey: payerKey,
    toPubkey: receiver,
    lamports,
  })
  const message = new TransactionMessage({
    payerKey,
    recentBlockhash: blockhash,
    instructions: [instruction],
  })
  const transaction = new VersionedTransaction(message.compileToV0Message())
  return { connection, receiver, bytes: [...transaction.serialize()] }
}

/** Whether an account's key has signed bytes. */
function isSigned(account: PublicKey, bytes: Uint8Array, signature: Uint8Array): boolean {
  const x = Buffer.from(account.toBytes()).toString('base64url')
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
  return verify(null, bytes, key, signature)
}

// One visit. The tests build on each other.

test('a login gives an account on EVM and on Solana; the provider is loaded with its first use', async () => {
  await page.getByRole('button', { name: 'Connect' }).click()
  await card().getByLabel('Email address').fill(email)
  await card().getByLabel('Email address').press('Enter')
  await card().getByLabel('6-digit code').waitFor()
  const files = site.filesWith(/createSolanaWallet/)
  expect(files).toHaveLength(1)
  const isLoaded = () => scripts.some((url) => url.endsWith(`/${files[0]}`))
  expect(isLoaded()).toBe(false)
  await card()
    .getByLabel('6-digit code')
    .fill(await frame.codeFor(email))
  await press('Not now')
  const owner = await address()
  expect(isLoaded()).toBe(true)
  const wallet = await page.evaluate(() => {
    const { version, name, chains, accounts, features } = window.wallet!
    const [account] = accounts
    return {
      version,
      name,
      chains,
      publicKey: [...account!.publicKey],
      features: Object.keys(features),
    }
  })
  expect(wallet).toEqual({
    version: '1.0.0',
    name: 'Email wallet',
    chains: [solanaLocal.id],
    publicKey: [...owner.toBytes()],
    features: [
      'standard:connect',
      'standard:events',
      'solana:signMessage',
      'solana:signTransaction',
      'solana:signAndSendTransaction',
    ],
  })
})

test('a transfer is approved in the frame, and is on the chain', async () => {
  const owner = await address()
  await fundSolana(solana.url, { owner: owner.toBase58() as never, lamports: 5_000_000_000n })
  const { connection, receiver, bytes } = await transfer(1_500_000_000)
  const sent = page.evaluate(
    async ([data, chain]) => {
      const { features, accounts } = window.wallet!
      const [output] = await features['solana:signAndSendTransaction'].signAndSendTransaction({
        account: accounts[0]!,
        transaction: Uint8Array.from(data),
        chain,
      })
      return [...output!.signature]
    },
    [bytes, solanaLocal.id] as const,
  )
  await secure().getByText('Send 1.5 SOL').waitFor()
  await approve('Approve')
  expect(await sent).toHaveLength(64)
  expect(await connection.getBalance(receiver)).toBe(1_500_000_000)
  await card().waitFor({ state: 'detached' })
})

test('§9.3.4/1 the balance of the account on Solana is read from the chain', async () => {
  const lamports = await new Connection(solana.url, 'confirmed').getBalance(await address())
  expect(lamports).toBeGreaterThan(0)
  await page.getByRole('button', { name: /SOL$/ }).click()
  await page.getByRole('button', { name: `${lamports / 1e9} SOL`, exact: true }).waitFor()
})

test('several transactions are signed with one approval, and are not sent', async () => {
  const first = await transfer(1_000_000_000)
  const second = await transfer(500_000_000)
  const signing = page.evaluate(
    async (all) => {
      const { features, accounts } = window.wallet!
      const [account] = accounts
      const outputs = await features['solana:signTransaction'].signTransaction(
        ...all.map((data) => ({ account: account!, transaction: Uint8Array.from(data) })),
      )
      return outputs.map(({ signedTransaction }) => [...signedTransaction])
    },
    [first.bytes, second.bytes],
  )
  await approve('Approve all')
  const owner = await address()
  for (const [index, bytes] of (await signing).entries()) {
    const { message, signatures } = VersionedTransaction.deserialize(Uint8Array.from(bytes))
    expect(isSigned(owner, message.serialize(), signatures[0]!)).toBe(true)
    const { receiver, connection } = [first, second][index]!
    expect(message.staticAccountKeys.map(String)).toContain(receiver.toBase58())
    expect(await connection.getBalance(receiver)).toBe(0)
  }
})

test('after a reload, the wallet is restored without another login and signs a message', async () => {
  const before = await address()
  await page.reload()
  expect((await address()).equals(before)).toBe(true)
  const signing = page.evaluate(async () => {
    const { features, accounts } = window.wallet!
    const [output] = await features['solana:signMessage'].signMessage({
      account: accounts[0]!,
      message: new TextEncoder().encode('A page of the saga'),
    })
    return [...output!.signature]
  })
  await approve('Sign')
  const message = new TextEncoder().encode('A page of the saga')
  expect(isSigned(before, message, Uint8Array.from(await signing))).toBe(true)
})

test('error: a refused request, one for another network and one for another account fail with EIP-1193 codes', async () => {
  const { bytes } = await transfer(1_000_000_000)
  const send = (change: { chain?: string; address?: string; options?: object }) =>
    page.evaluate(
      async ([data, { address: other, ...rest }]) => {
        const { features, accounts } = window.wallet!
        const account = { ...accounts[0]!, ...(other && { address: other }) }
        const transaction = Uint8Array.from(data)
        return features['solana:signAndSendTransaction']
          .signAndSendTransaction({ account, transaction, ...rest })
          .then(
            () => undefined,
            ({ code, message }: { code: number; message: string }) => ({ code, message }),
          )
      },
      [bytes, change] as const,
    )
  expect(await send({ chain: 'solana:mainnet' })).toEqual({
    code: 4901,
    message: `The wallet is not connected to solana:mainnet. Its networks: ${solanaLocal.id}.`,
  })
  const other = Keypair.generate().publicKey.toBase58()
  expect(await send({ address: other })).toMatchObject({ code: 4100 })
  expect(await send({ options: { commitment: 'confirmed' } })).toMatchObject({ code: -32602 })
  const refused = send({})
  await press('Reject')
  expect(await refused).toMatchObject({ code: 4001 })
})

test('the list of networks contains only those of the adapters', async () => {
  await card().waitFor({ state: 'detached' })
  await page.getByRole('button', { name: /Gatefold Local/ }).click()
  await card().waitFor()
  expect(await card().getByText('Gatefold Solana').count()).toBe(0)
})

test('signing out ends the wallet, which reports that it has no accounts', async () => {
  await page.reload()
  await address()
  const changed = page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        window.wallet!.features['standard:events'].on('change', ({ accounts }) =>
          resolve(accounts.length),
        )
      }),
  )
  await page.getByRole('button', { name: /0x/ }).click()
  await card().getByRole('button', { name: 'Settings' }).click()
  await card().getByRole('list', { name: 'Disconnect' }).getByRole('button').click()
  expect(await changed).toBe(0)
  await expect.poll(() => page.locator('output').textContent()).toBe('')
})
