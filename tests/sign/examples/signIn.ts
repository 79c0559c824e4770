import { type AuthRequest, type Cacao, formatAuthMessage, type SignClient } from '@gatefold/sign'

export async function signIn(app: SignClient, showCode: (uri: string) => void) {
  // #region sign-in
  const { uri, approval } = await app.authenticate({
    chains: ['eip155:1'],
    domain: 'my.site',
    uri: 'https://my.site/login',
    nonce: crypto.randomUUID().replaceAll('-', ''),
    methods: ['personal_sign'], // granted with the signature, as a ReCap (ERC-5573)
  })
  if (uri) showCode(uri)
  const { auths, session } = await approval()
  // #endregion
  return { auths, session }
}

export function answerSignIn(
  wallet: SignClient,
  address: string,
  signMessage: (text: string) => Promise<string>,
) {
  async function answer({ id, authPayload }: Pick<AuthRequest, 'id' | 'authPayload'>) {
    // #region answer-sign-in
    const iss = `did:pkh:${authPayload.chains[0]}:${address}`
    const { chains: _chains, type: _type, ...fields } = authPayload
    const s = await signMessage(formatAuthMessage(authPayload, iss))
    const auth: Cacao = { h: { t: 'caip122' }, p: { ...fields, iss }, s: { t: 'eip191', s } }
    await wallet.approveSessionAuthenticate({ id, auths: [auth] })
    // #endregion
  }
  wallet.on('session_authenticate', ({ params }) => void answer(params))
}
