import { expect, test } from 'vitest'
import type { SignEvents } from '../../SignClient.ts'
import type { Context } from '../Context.ts'
import { onAuthenticate } from './wallet.ts'

const bank = { domain: 'bank.example', aud: 'https://bank.example/login' }

test.each([
  ['false for another site', 'INVALID', 'https://evil.example', bank, false],
  ['true for the page’s site', 'VALID', 'https://bank.example', bank, true],
  [
    'false for the page’s domain with another site’s URI',
    'VALID',
    'https://bank.example',
    { ...bank, aud: 'https://evil.example' },
    false,
  ],
  ['undefined for an unverified page', 'UNKNOWN', 'https://evil.example', bank, undefined],
] as const)(
  'attack: domainMatches of a sign-in is %s',
  async (_what, validation, origin, terms, domainMatches) => {
    const emitted: SignEvents['session_authenticate'][] = []
    const context = {
      clock: { now: Date.now },
      stores: {
        pairings: { has: () => true },
        authRequests: { values: () => [], set: async () => {} },
      },
      verify: { check: async () => ({ verified: { verifyUrl: '', validation, origin } }) },
      event: (_name: string, event: SignEvents['session_authenticate']) => emitted.push(event),
    } as unknown as Context
    const authPayload = {
      chains: ['eip155:1'],
      nonce: '0123456789abcdef',
      iat: new Date().toISOString(),
      ...terms,
    }
    const metadata = { name: 'Bank', description: '', url: 'https://bank.example', icons: [] }
    const requester = { publicKey: 'a'.repeat(64), metadata }
    await onAuthenticate(context, {
      id: 1,
      topic: 'b'.repeat(64),
      params: { authPayload, requester, expiryTimestamp: Date.now() },
      text: '',
      message: '',
      attestation: undefined,
      transport: 'relay',
    })
    expect(emitted[0]?.verifyContext.verified.domainMatches).toBe(domainMatches)
  },
)
