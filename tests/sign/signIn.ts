import { type Cacao, formatAuthMessage, type SignClient, type SignEvents } from '@gatefold/sign'
import { privateKeyToAccount } from 'viem/accounts'
import { next } from './clients.ts'

export const signer = privateKeyToAccount(
  '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80',
)
export const iss = `did:pkh:eip155:1:${signer.address}`
export const signIn = {
  chains: ['eip155:1', 'eip155:10'],
  domain: 'app.example',
  uri: 'https://app.example/login',
  nonce: 'f0e1d2c3b4a5968778695a4b',
  statement: 'Welcome.',
  resources: ['https://app.example/terms'],
  methods: ['personal_sign', 'eth_sendTransaction'],
}

export type SignInEvent = SignEvents['session_authenticate']

export function watch(wallet: SignClient, listener: (event: SignInEvent) => void) {
  return wallet.on('session_authenticate', listener)
}

/**
 * Signs a request. @param change - changes the payload before it is signed, as a hostile wallet
 * would
 */
export async function sign(
  { params }: SignInEvent,
  change: (p: Cacao['p']) => Cacao['p'] = (p) => p,
): Promise<Cacao> {
  const { chains: _chains, type: _type, ...fields } = params.authPayload
  const p = change({ ...fields, iss })
  const message = formatAuthMessage({ ...params.authPayload, ...p }, p.iss)
  return { h: { t: 'caip122' }, p, s: { t: 'eip191', s: await signer.signMessage({ message }) } }
}

/** Requests a sign-in. @returns the wallet's event and the app's `approval` */
export async function requestSignIn(
  app: SignClient,
  wallet: SignClient,
  parameters: Parameters<SignClient['authenticate']>[0] = signIn,
) {
  const event = next<SignInEvent>((listener) => watch(wallet, listener))
  const { uri, approval } = await app.authenticate(parameters)
  await wallet.pair({ uri: uri ?? '' })
  return { event: await event, approval }
}
