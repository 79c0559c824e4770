import { expect, test } from 'vitest'
import type { ChainConfig } from '../config.ts'
import type { Wallet } from '../wallet/createWallet.ts'
import { signIn } from './signIn.ts'

const address = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'

function signed(change: object = {}) {
  return signIn({
    message: {
      serializedMessage: 'a\nb',
      accountAddress: address,
      chainId: 'eip155:1',
      domain: 'app.example',
      uri: 'https://app.example/login',
      version: '1',
      nonce: 'f0e1d2c3',
      statement: 'Welcome.',
      issuedAt: '2026-01-01T00:00:00Z',
      resources: ['https://app.example/terms'],
      ...change,
    },
    origin: 'https://app.example',
    network: { id: 'eip155:1' } as ChainConfig,
    wallet: { sign: async () => '0x00' } as unknown as Wallet,
    address,
    signSmart: undefined,
  })
}

test('a sign-in to the page is signed', async () => {
  expect((await signed()).message)
    .toBe(`app.example wants you to sign in with your Ethereum account:
${address}

Welcome.

URI: https://app.example/login
Version: 1
Chain ID: 1
Nonce: f0e1d2c3
Issued At: 2026-01-01T00:00:00Z
Resources:
- https://app.example/terms`)
})

test('attack: the chain and the account are those of the wallet, whatever the page asked for', async () => {
  const own = await signed()
  const other = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
  for (const change of [{ chainId: 'eip155:137' }, { accountAddress: other }])
    expect(await signed(change)).toEqual(own)
  expect(own.siwxMessage).toMatchObject({ chainId: 'eip155:1', accountAddress: address })
})

test('attack: a sign-in to another site is refused', async () => {
  await expect(signed({ domain: 'bank.example' })).rejects.toThrow('sign-in to bank.example')
})

test.each([
  { statement: 'Welcome.\n\nURI: https://bank.example' },
  { nonce: 'f0e1d2c3\rRequest ID: admin' },
  { resources: ['https://app.example/terms', 'https://a\u2028- https://bank.example'] },
])('attack: a sign-in with a field that adds lines is refused: %j', async (change) => {
  await expect(signed(change)).rejects.toThrow('a line break in a field')
})
