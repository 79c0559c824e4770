import { expect, test } from 'vitest'
import { formatAuthMessage } from './message.ts'
import { createRecap } from './recap.ts'

const address = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const payload = {
  type: 'caip122',
  version: '1',
  chains: ['eip155:10'],
  domain: 'app.example',
  aud: 'https://app.example/login',
  nonce: 'f0e1d2c3',
  iat: '2026-01-01T00:00:00Z',
} as const

test('the text to sign has the fields of ERC-4361', () => {
  const text = formatAuthMessage(
    {
      ...payload,
      statement: 'Welcome.',
      exp: '2026-01-02T00:00:00Z',
      nbf: '2026-01-01T12:00:00Z',
      requestId: 'r1',
      resources: ['https://app.example/terms', 'ipfs://x'],
    },
    `did:pkh:eip155:10:${address}`,
  )
  expect(text).toBe(`app.example wants you to sign in with your Ethereum account:
${address}

Welcome.

URI: https://app.example/login
Version: 1
Chain ID: 10
Nonce: f0e1d2c3
Issued At: 2026-01-01T00:00:00Z
Expiration Time: 2026-01-02T00:00:00Z
Not Before: 2026-01-01T12:00:00Z
Request ID: r1
Resources:
- https://app.example/terms
- ipfs://x`)
})

test.each([undefined, ''])('an absent field has no line (statement: %s)', (statement) => {
  expect(formatAuthMessage({ ...payload, statement }, `eip155:10:${address}`))
    .toBe(`app.example wants you to sign in with your Ethereum account:
${address}


URI: https://app.example/login
Version: 1
Chain ID: 10
Nonce: f0e1d2c3
Issued At: 2026-01-01T00:00:00Z`)
})

test('the statement includes the ReCap’s sentence', () => {
  const resources = [createRecap('eip155', ['personal_sign'])]
  expect(formatAuthMessage({ ...payload, resources }, `eip155:10:${address}`)).toContain(
    "\n\nI further authorize the stated URI to perform the following actions on my behalf: (1) 'request': 'personal_sign' for 'eip155'.\n\n",
  )
})

test('error: if the issuer is not an account, the address line is missing and the chain id undefined', () => {
  const text = formatAuthMessage(payload, 'unknown')
  expect(text).toContain('account:\n\n\nURI:')
  expect(text).toContain('\nChain ID: undefined\n')
})
