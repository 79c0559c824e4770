import type { Cacao, SignEvents } from '@gatefold/sign'
import { privateKeyToAccount } from 'viem/accounts'
import type { Client } from './clients.ts'

/** The wallet's account. */
export const signer = privateKeyToAccount(
  '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80',
)

/** The parameters of a sign-in. */
export const plainSignIn = {
  chains: ['eip155:1', 'eip155:10'],
  domain: 'localhost:3000',
  uri: 'http://localhost:3000/login',
  nonce: 'f0e1d2c3b4a5968778695a4b',
  statement: 'Welcome.',
}

/** Signs for one chain with the client's helpers, as wallets do. */
export async function signFor(
  wallet: Client,
  { params }: SignEvents['session_authenticate'],
  chain: string,
): Promise<Cacao> {
  const iss = `did:pkh:${chain}:${signer.address}`
  const message = wallet.formatAuthMessage({ request: params.authPayload, iss })
  const { chains: _chains, type: _type, ...fields } = params.authPayload
  const s = await signer.signMessage({ message })
  return { h: { t: 'caip122' }, p: { ...fields, iss }, s: { t: 'eip191', s } }
}
