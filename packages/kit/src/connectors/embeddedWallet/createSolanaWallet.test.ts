import { expect, test } from 'vitest'

import type { CaipNetworkId } from '@gatefold/protocol'

import type { ProviderSource } from '../ProviderSource.ts'
import { createSolanaWallet } from './createSolanaWallet.ts'

const devnet: CaipNetworkId.CaipNetworkId = 'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1'
// The key of 32 zero bytes, which is that of the system program.
const address = '1'.repeat(32)

/** A wallet whose frame replies to every request with the same value. */
function open(reply: unknown) {
  const source: ProviderSource = {
    getState: () => ({
      id: 'session',
      connectorId: 'embedded',
      peer: { name: 'Wallet' },
      grants: {
        solana: {
          accounts: [{ address, caipNetworkId: devnet }],
          networkIds: [devnet],
          methods: [],
        },
      },
      method: 'browser',
    }),
    request: () => Promise.resolve(reply),
    onChange() {},
    onEvent() {},
    onEnd() {},
    networks: () => [],
    activeNetwork: () => undefined,
  }
  return createSolanaWallet(source)
}

test('the account has the bytes of its address, and the cluster its name in the Wallet Standard', () => {
  const { accounts, chains } = open(undefined)
  expect(accounts).toMatchObject([{ address, publicKey: new Uint8Array(32) }])
  expect(chains).toEqual(['solana:devnet'])
})

test.each([
  ['nothing', undefined],
  ['no signature', {}],
  ['a signature that is not base58', { signature: '0OIl' }],
])('error: a reply with %s is an internal error of the wallet', async (_what, reply) => {
  const { accounts, features } = open(reply)
  const input = { account: accounts[0]!, message: Uint8Array.of(1) }
  await expect(features['solana:signMessage'].signMessage(input)).rejects.toMatchObject({
    code: -32603,
    message: 'The wallet sent an invalid reply to solana_signMessage.',
  })
})
