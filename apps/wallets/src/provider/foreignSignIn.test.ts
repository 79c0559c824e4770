import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { stringToHex } from 'viem'
import { createTestWallet } from '../createTestWallet.ts'
import { alice } from '../testing/useTestWallets.ts'
import { findForeignSignIn } from './foreignSignIn.ts'

/** Creates an EIP-4361 sign-in message. */
function signIn(domain: string, uri: string, before = '') {
  return `${before}${domain} wants you to sign in with your Ethereum account:
${alice.address}

Welcome.

URI: ${uri}
Version: 1
Chain ID: 1
Nonce: 0123456789abcdef
Issued At: 2026-11-22T22:00:00.000Z`
}

const wallet = () =>
  createTestWallet({
    chains: [{ id: 1, rpcUrl: 'http://127.0.0.1:1' }],
    origin: 'https://evil.example',
  })

const app = (attestedOrigin: string | undefined) => ({
  name: 'Bank',
  url: 'https://bank.example',
  trust: attestedOrigin ? ('mismatch' as const) : ('unverified' as const),
  attestedOrigin,
})

describe('a sign-in message in personal_sign', () => {
  const bank = signIn('bank.example', 'https://bank.example/login')

  it.each([
    ['for another site', bank],
    ['in hex', stringToHex(bank)],
    ['for another site, with the page’s URI', signIn('bank.example', 'https://evil.example')],
    ['for the page, with another site’s URI', signIn('evil.example', 'https://bank.example')],
    ['without a URI', signIn('evil.example', '').replace('URI: ', '')],
    [
      'for the page, with another site’s URI after the page’s URI',
      signIn('evil.example', 'https://evil.example\nURI: https://bank.example'),
    ],
    ['with user info', signIn('bank.example@evil.example', 'https://evil.example')],
    ['with a scheme', signIn('https://bank.example', 'https://bank.example')],
    ['after other text', signIn('bank.example', 'https://bank.example', 'Hello.\n')],
    [
      'after a sign-in message for the page',
      signIn('evil.example', 'https://evil.example') + '\n' + bank,
    ],
    ['with bytes that are not UTF-8', `${stringToHex(bank)}ff` as const],
    ['with Windows line endings', bank.replaceAll('\n', '\r\n')],
  ])('attack: is blocked without a prompt: %s', async (_what, text) => {
    const { provider, controls } = wallet()
    const [from] = (await provider.request({ method: 'eth_requestAccounts' })) as string[]
    await expect(
      provider.request({ method: 'personal_sign', params: [text, from] }),
    ).rejects.toMatchObject({ code: 4100 })
    expect(controls.pending).toEqual([])
  })

  it.each([
    ['for the page', signIn('evil.example', 'https://evil.example/login')],
    [
      'text that only mentions a sign-in',
      'bank.example wants you to sign in with your Ethereum account',
    ],
  ])('is signed: %s', async (_what, text) => {
    const { provider } = wallet()
    const [from] = (await provider.request({ method: 'eth_requestAccounts' })) as string[]
    const signature = await provider.request({ method: 'personal_sign', params: [text, from] })
    expect(signature).toMatch(/^0x/)
  })

  it.each([
    ['blocked for another attested origin', 'https://evil.example', 4100],
    ['signed for the attested origin', 'https://bank.example', undefined],
    ['signed without an attestation', undefined, undefined],
  ])('attack: from a remote app is %s', async (_what, attestedOrigin, code) => {
    const remote = wallet()
    const { controls } = remote
    const site = {
      origin: 'https://bank.example',
      chainId: 1,
      accounts: controls.accounts,
      switchChain: () => undefined,
    }
    const signed = remote
      .serve(
        { ...site, app: app(attestedOrigin) },
        { method: 'personal_sign', params: [bank, controls.accounts[0]] },
      )
      .then(
        () => undefined,
        (error: { code: number }) => error.code,
      )
    expect(await signed).toBe(code)
  })
})

it('attack: each domain and URI of a message is parsed only a few times', () => {
  let parsed = 0
  vi.stubGlobal(
    'URL',
    class extends URL {
      constructor(url: string | URL, base?: string | URL) {
        super(url, base)
        parsed += 1
      }
    },
  )
  onTestFinished(() => void vi.unstubAllGlobals())
  const lines = Array.from({ length: 100 }, (_, index) =>
    signIn(`evil.example:${'0'.repeat(index)}443`, `https://evil.example/${index}`),
  )
  expect(findForeignSignIn(lines.join('\n'), 'https://evil.example')).toBeUndefined()
  expect(parsed).toBeLessThan(10 * lines.length)
})
