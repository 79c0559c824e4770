import { describe, test } from 'vitest'
import {
  granted,
  next,
  pairings,
  rejectionOf,
  sign,
  userRejected,
  type Client,
  type Version,
} from './clients.ts'
import { useRelay, type OnFinished } from './relay.ts'
import { plainSignIn as plain, signer, signFor } from './signIn.ts'

const relay = useRelay()

const { chains } = plain
const withMethods = {
  ...plain,
  resources: ['https://app.example/terms'],
  methods: ['personal_sign', 'eth_sendTransaction'],
}

async function requestSignIn(
  versions: { app: Version; wallet: Version },
  onFinished: OnFinished,
  parameters: Parameters<Client['authenticate']>[0],
) {
  const { app, wallet } = await relay.openBoth(versions, onFinished)
  const received = next(wallet, 'session_authenticate')
  // A wallet with a listener for `session_authenticate` does not get the fallback proposal.
  wallet.on('session_authenticate', () => {})
  const { uri, approval } = await app.authenticate(parameters)
  await wallet.pair({ uri: uri! })
  return { app, wallet, uri: uri!, approval, event: await received }
}

describe.each(pairings)('app $app, wallet $wallet', { concurrent: true }, (versions) => {
  test('§4.18.1 a sign-in with methods creates a session that accepts requests', async ({
    expect,
    onTestFinished,
  }) => {
    const { app, wallet, uri, approval, event } = await requestSignIn(
      versions,
      onTestFinished,
      withMethods,
    )
    expect(uri).toMatch(/methods=wc_sessionAuthenticate/)
    const { authPayload } = event.params
    expect(authPayload).toMatchObject({
      type: 'caip122',
      chains,
      aud: plain.uri,
      domain: plain.domain,
      nonce: plain.nonce,
      version: '1',
    })
    expect(authPayload.resources).toEqual([
      'https://app.example/terms',
      expect.stringMatching(/^urn:recap:/),
    ])
    const auths = [
      await signFor(wallet, event, chains[0]!),
      await signFor(wallet, event, chains[1]!),
    ]
    const approved = await wallet.approveSessionAuthenticate({ id: event.id, auths })
    const { auths: seen, session } = await approval()
    expect(seen).toEqual(auths)
    expect(approved.session?.topic).toBe(session?.topic)
    const { methods, accounts } = session!.namespaces['eip155']!
    expect(new Set(methods)).toEqual(new Set(withMethods.methods))
    expect(new Set(accounts)).toEqual(new Set(chains.map((chain) => `${chain}:${signer.address}`)))
    expect(await sign(app, wallet, session!.topic)).toBe('0xsigned')
    expect(wallet.proposals()).toEqual([])
  })

  test('a sign-in without methods returns the signatures', async ({ expect, onTestFinished }) => {
    const { wallet, approval, event } = await requestSignIn(versions, onTestFinished, plain)
    const auths = [await signFor(wallet, event, chains[0]!)]
    await wallet.approveSessionAuthenticate({ id: event.id, auths })
    const answer = await approval()
    expect(answer.auths).toEqual(auths)
  })

  test('§4.18.2 the wallet rejects the sign-in', async ({ expect, onTestFinished }) => {
    const { app, wallet, approval, event } = await requestSignIn(
      versions,
      onTestFinished,
      withMethods,
    )
    const failed = rejectionOf(approval())
    await wallet.rejectSessionAuthenticate({ id: event.id, reason: userRejected })
    expect(await failed).toMatchObject({ message: userRejected.message })
    expect([app.sessions(), wallet.sessions()]).toEqual([[], []])
  })

  test('a signature of another message is rejected', async ({ expect, onTestFinished }) => {
    const { app, wallet, approval, event } = await requestSignIn(
      versions,
      onTestFinished,
      withMethods,
    )
    const failed = rejectionOf(approval())
    const cacao = await signFor(wallet, event, chains[0]!)
    const s = await signer.signMessage({ message: 'something else' })
    await expect(
      wallet.approveSessionAuthenticate({
        id: event.id,
        auths: [{ ...cacao, s: { t: 'eip191', s } }],
      }),
    ).rejects.toThrow(/Signature verification failed/)
    expect(await failed).toMatchObject({
      message: 'Session settlement failed. Signature verification failed',
    })
    expect([app.sessions(), wallet.sessions()]).toEqual([[], []])
  })

  test('a wallet that does not support authenticate approves the fallback proposal', async ({
    expect,
    onTestFinished,
  }) => {
    const { app, wallet } = await relay.openBoth(versions, onTestFinished)
    const proposed = next(wallet, 'session_proposal')
    const { uri, approval } = await app.authenticate({ ...withMethods, chains: ['eip155:1'] })
    await wallet.pair({ uri: uri! })
    const { id } = await proposed
    const { topic } = await wallet.approve({ id, namespaces: granted })
    const { auths, session } = await approval()
    expect(auths ?? []).toEqual([])
    expect(session).toMatchObject({ topic, namespaces: granted })
    expect(await sign(app, wallet, topic)).toBe('0xsigned')
  })
})
