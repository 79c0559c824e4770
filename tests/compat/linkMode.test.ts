import { afterAll, beforeAll, describe, test } from 'vitest'
import { userRejected, next, fewPairings, rejectionOf, signing, type Client } from './clients.ts'
import { createDevice } from './openLinks.ts'
import { useRelay, type OnFinished } from './relay.ts'
import { plainSignIn, signFor } from './signIn.ts'

const relay = useRelay()

let device: ReturnType<typeof createDevice>
beforeAll(() => {
  device = createDevice()
})
afterAll(() => device.remove())

const links = { app: 'https://app.example/open', wallet: 'https://wallet.example/open' }
const signIn = {
  ...plainSignIn,
  domain: 'app.example',
  uri: 'https://app.example/login',
  methods: [signing.method],
  walletUniversalLink: links.wallet,
}

describe.each(fewPairings)('app $app, wallet $wallet', (versions) => {
  /** Opens an app and a wallet on one device, and signs in once over the relay. */
  async function meet(onFinished: OnFinished) {
    const { url: relayUrl, httpUrl: verifyUrl } = relay
    const install = async (name: 'app' | 'wallet') => {
      const client = await device.install(versions[name], {
        relayUrl,
        verifyUrl,
        name,
        universal: links[name],
      })
      onFinished(() => client.close())
      return client
    }
    const app = await install('app')
    const wallet = await install('wallet')
    wallet.on('session_authenticate', () => {})
    const first = await enter(app, wallet, async (uri) => void (await wallet.pair({ uri })))
    device.opened.length = 0
    return { app, wallet, first }
  }

  async function enter(app: Client, wallet: Client, show: (uri: string) => Promise<void> | void) {
    const received = next(wallet, 'session_authenticate')
    const { uri, approval } = await app.authenticate(signIn)
    await show(uri!)
    const event = await received
    const auths = [await signFor(wallet, event, 'eip155:1')]
    await wallet.approveSessionAuthenticate({ id: event.id, auths })
    const { session } = await approval()
    return { uri: uri!, event, session: session! }
  }

  async function requestSignature(app: Client, wallet: Client, topic: string) {
    const received = next(wallet, 'session_request')
    const answer = app.request({ topic, chainId: 'eip155:1', request: signing })
    answer.catch(() => {})
    return { answer, event: await received }
  }

  test('the first sign-in uses the relay, the next sign-in uses links', async ({
    expect,
    onTestFinished,
  }) => {
    const { app, wallet, first } = await meet(onTestFinished)
    expect(first.uri).toMatch(/^wc:/)
    const second = await enter(app, wallet, (uri) => device.open(uri))
    expect(second.uri.startsWith(`${links.wallet}?wc_ev=`)).toBe(true)
    expect(device.opened.map((url) => url.split('?')[0])).toEqual([links.wallet, links.app])
    expect(app.sessions().find(({ topic }) => topic === second.session.topic)?.transportType).toBe(
      'link_mode',
    )
  })

  test('requests, results and rejections use links', async ({ expect, onTestFinished }) => {
    const { app, wallet } = await meet(onTestFinished)
    const { session } = await enter(app, wallet, (uri) => device.open(uri))
    device.opened.length = 0
    const one = await requestSignature(app, wallet, session.topic)
    expect(one.event.verifyContext.verified.validation).toBe('VALID')
    await wallet.respond({
      topic: session.topic,
      response: { id: one.event.id, jsonrpc: '2.0', result: '0xlinked' },
    })
    expect(await one.answer).toBe('0xlinked')
    const two = await requestSignature(app, wallet, session.topic)
    await wallet.respond({
      topic: session.topic,
      response: { id: two.event.id, jsonrpc: '2.0', error: userRejected },
    })
    expect(await rejectionOf(two.answer)).toMatchObject(userRejected)
    expect(device.opened.map((url) => url.split('?')[0])).toEqual([
      links.wallet,
      links.app,
      links.wallet,
      links.app,
    ])
  })

  test('other messages use the relay', async ({ expect, onTestFinished }) => {
    const { app, wallet } = await meet(onTestFinished)
    const { session } = await enter(app, wallet, (uri) => device.open(uri))
    device.opened.length = 0
    const { topic } = session
    await wallet.ping({ topic })
    const ended = next(app, 'session_delete')
    await wallet.disconnect({ topic, reason: userRejected })
    expect((await ended).topic).toBe(topic)
    expect(device.opened).toEqual([])
  })
})
