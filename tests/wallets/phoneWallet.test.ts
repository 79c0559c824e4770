import { accounts, type Chain, gatefoldLocal, receiptOf, startChain } from '@gatefold/chain'
import type { ConnectParameters, Session, SignClient } from '@gatefold/sign'
import {
  createPhoneWallet,
  createTestWallet,
  demoAccounts,
  type PhoneWallet,
} from '@gatefold/wallets/testing'
import { createPublicClient, type Hex, http, parseEther, toHex, verifyMessage } from 'viem'
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  onTestFinished,
  test,
} from 'vitest'
import { next, startClients } from '../sign/clients.ts'

let firstChain: Chain
let secondChain: Chain
let clients: Awaited<ReturnType<typeof startClients>>

beforeAll(async () => {
  ;[firstChain, secondChain] = await Promise.all([
    startChain({ chainId: 31337 }),
    startChain({ chainId: 31338 }),
  ])
})
afterAll(() => Promise.all([firstChain?.stop(), secondChain?.stop()]))
beforeEach(async () => {
  clients = await startClients()
})
afterEach(() => clients.end())

const [mira, tomas] = [accounts[0].address, accounts[1].address]
const allNamespaces = {
  eip155: {
    chains: ['eip155:31337', 'eip155:31338'],
    methods: ['personal_sign', 'eth_sendTransaction', 'wallet_switchEthereumChain', 'eth_sign'],
    events: ['accountsChanged', 'chainChanged'],
  },
}
const toCaipAccounts = (address: string, ...chains: number[]) =>
  chains.map((chain) => `eip155:${chain}:${address}`)

type Options = Partial<Parameters<typeof createTestWallet>[0]> & {
  phone?: Partial<Parameters<typeof createPhoneWallet>[0]>
}

function createPhone({ phone: options, ...rest }: Options = {}) {
  const chains = [
    { id: 31337, rpcUrl: firstChain.url, name: 'Home' },
    { id: 31338, rpcUrl: secondChain.url, name: 'Away' },
  ]
  const wallet = createTestWallet({ chains, accounts: demoAccounts(0, 1), ...rest })
  const phone = createPhoneWallet({ sign: clients.create('phone'), wallet, ...options })
  onTestFinished(() => {
    phone.destroy()
    wallet.destroy()
  })
  return phone
}

async function connect(
  app: SignClient,
  phone: PhoneWallet,
  parameters: ConnectParameters = { optionalNamespaces: allNamespaces },
) {
  const { uri, approval } = await app.connect(parameters)
  await phone.pair(uri ?? '')
  return approval()
}

/** Connects an app to a phone wallet. @returns both, the session, and functions that use it */
async function setupSession(options: Options = {}, parameters?: ConnectParameters) {
  const phone = createPhone(options)
  const app = clients.create('app')
  const session = await connect(app, phone, parameters)
  const { topic } = session
  const request = (method: string, params: unknown, chainId = 'eip155:31337') =>
    app.request<Hex>({ topic, chainId, request: { method, params } })
  const sign = () => request('personal_sign', [toHex('Hello'), mira])
  const currentSession = () => app.sessions().find((one) => one.topic === topic)
  return { phone, app, session, topic, request, sign, currentSession }
}

const accountsOf = (session: Session | undefined) => session?.namespaces.eip155?.accounts

describe('proposals and sessions', () => {
  test('an approved proposal creates a session with the requested chains, methods and events that the wallet supports, the selected account first', async () => {
    const phone = createPhone()
    phone.wallet.controls.switchAccount(1)
    const session = await connect(clients.create('app'), phone)
    expect(session.namespaces).toEqual({
      eip155: {
        chains: ['eip155:31337', 'eip155:31338'],
        accounts: [31337, 31338].flatMap((id) => [
          ...toCaipAccounts(tomas, id),
          ...toCaipAccounts(mira, id),
        ]),
        methods: ['eth_sendTransaction', 'personal_sign', 'wallet_switchEthereumChain'],
        events: ['accountsChanged', 'chainChanged'],
      },
    })
    expect(phone.sessions.map(({ topic }) => topic)).toEqual([session.topic])
    expect(phone.pairingTopic).toBeUndefined()
  })

  test('a proposal waits for approval and shows the app’s metadata', async () => {
    const phone = createPhone({ approval: 'window' })
    const { uri, approval } = await clients.create('app').connect({
      optionalNamespaces: {
        eip155: { ...allNamespaces.eip155, chains: ['eip155:31337', 'eip155:1'] },
      },
    })
    await phone.pair(`https://phone.example/wc?uri=${encodeURIComponent(uri ?? '')}`)
    const request = await phone.wallet.controls.waitFor('wc_sessionPropose')
    expect(request.app).toEqual({
      name: 'app',
      url: 'https://app.example',
      icon: undefined,
      trust: 'unverified',
      attestedOrigin: undefined,
    })
    expect(request.details).toMatchObject({
      kind: 'session',
      chains: [31337],
      unknownChains: ['eip155:1'],
    })
    request.approve()
    expect((await approval()).peer.metadata.name).toBe('phone')
  })

  test('error: a proposal is rejected by the user, or by the wallet if it supports none of the chains', async () => {
    const app = clients.create('app')
    const phone = createPhone()
    phone.wallet.controls.set({ reject: 'next' })
    await expect(connect(app, phone)).rejects.toMatchObject({ reason: { code: 5000 } })
    const unknown = { solana: { ...allNamespaces.eip155, chains: ['solana:5eykt4Us'] } }
    await expect(connect(app, phone, { optionalNamespaces: unknown })).rejects.toMatchObject({
      reason: { code: 5100 },
    })
    expect(String(phone.lastError)).toContain('solana:5eykt4Us')
    expect(phone.sessions).toEqual([])
  })

  test('error: pair() rejects text without a pairing URI, and an expired pairing URI', async () => {
    const phone = createPhone()
    await expect(phone.pair('https://phone.example/wc')).rejects.toMatchObject({
      code: 'sign.invalid_uri',
    })
    const { uri = '' } = await clients.create('app').connect({ optionalNamespaces: allNamespaces })
    const old = uri.replace(/expiryTimestamp=\d+/, 'expiryTimestamp=1700000000')
    await expect(phone.pair(old)).rejects.toMatchObject({ code: 'phone.code_expired' })
    expect(phone.pairingTopic).toBeUndefined()
  })

  test('pending requests are canceled when the app ends the session', async () => {
    const { phone, app, topic, sign } = await setupSession()
    const { controls } = phone.wallet
    controls.set({ hang: 'next' })
    const answer = sign().catch((error: unknown) => error)
    await controls.waitFor('personal_sign')
    await app.disconnect({ topic })
    await expect.poll(() => controls.pending).toEqual([])
    expect(await answer).toBeInstanceOf(Error)
    expect(phone.lastError).toBeUndefined()
  })
})

describe('requests', () => {
  test('are signed with the real key and sent on the requested chain', async () => {
    const { phone, request, sign } = await setupSession()
    const signature = await sign()
    expect(await verifyMessage({ address: mira, message: 'Hello', signature })).toBe(true)
    const value = parseEther('0.25')
    const transaction = { from: mira, to: tomas, value: toHex(value) }
    const hash = await request('eth_sendTransaction', [transaction], 'eip155:31338')
    const client = createPublicClient({ chain: gatefoldLocal(secondChain.url), transport: http() })
    const receipt = await receiptOf(client, hash)
    expect(receipt.status).toBe('success')
    expect((await client.getTransaction({ hash })).value).toBe(value)
    expect(phone.wallet.controls.chainId).toBe(31337)
  })

  test('error: fail with the code for a rejection, a failure or an unsupported method', async () => {
    const { phone, sign, request } = await setupSession()
    const { controls } = phone.wallet
    controls.set({ reject: 'next' })
    await expect(sign()).rejects.toMatchObject({ reason: { code: 4001 } })
    controls.set({ fail: 'next' })
    await expect(sign()).rejects.toMatchObject({ reason: { code: -32603 } })
    controls.set({ unsupported: ['personal_sign'] })
    await expect(sign()).rejects.toMatchObject({ reason: { code: 4200 } })
    controls.set({ unsupported: [] })
    await expect(
      request('personal_sign', [toHex('Hello'), accounts[2].address]),
    ).rejects.toMatchObject({ reason: { code: 4100 } })
    await expect(request('wallet_switchEthereumChain', [{ chainId: '0x1' }])).rejects.toMatchObject(
      { reason: { code: 4902 } },
    )
  })

  test('a request without a response does not block the next one, and can be answered later', async () => {
    const { phone, sign } = await setupSession({
      phone: { sign: clients.create('phone', { disableRequestQueue: true }) },
    })
    const { controls } = phone.wallet
    controls.set({ hang: 'next' })
    const late = sign()
    await expect.poll(() => controls.pending.map(({ hung }) => hung)).toEqual([true])
    const signature = await sign()
    controls.pending[0]?.approve()
    expect(await late).toBe(signature)
  })
})

describe('session updates', () => {
  test('switching the account updates the session and emits accountsChanged', async () => {
    const { phone, app, currentSession } = await setupSession()
    const event = next((listener) => app.on('session_event', listener))
    phone.wallet.controls.switchAccount(1)
    expect(await event).toMatchObject({
      params: { chainId: 'eip155:31337', event: { name: 'accountsChanged', data: [tomas, mira] } },
    })
    expect(accountsOf(currentSession())?.[0]).toBe(toCaipAccounts(tomas, 31337)[0])
  })

  test('switching the chain adds it to the session and emits chainChanged', async () => {
    const one = { eip155: { ...allNamespaces.eip155, chains: ['eip155:31337'] } }
    const { phone, app, currentSession } = await setupSession({}, { optionalNamespaces: one })
    const event = next((listener) => app.on('session_event', listener))
    phone.wallet.controls.switchChain(31338)
    expect(await event).toMatchObject({
      params: { chainId: 'eip155:31338', event: { name: 'chainChanged', data: 31338 } },
    })
    expect(currentSession()?.namespaces.eip155?.chains).toEqual(['eip155:31337', 'eip155:31338'])
  })

  test('events that occur while the wallet is muted are emitted neither then nor later', async () => {
    const { phone, app, sign } = await setupSession()
    const events: unknown[] = []
    app.on('session_event', (event) => events.push(event))
    app.on('session_update', (event) => events.push(event))
    phone.wallet.controls.set({ mute: true })
    phone.wallet.controls.switchAccount(1)
    phone.wallet.controls.set({ mute: false })
    await sign()
    expect(events).toEqual([])
  })

  test('either side can end a session', async () => {
    const first = await setupSession()
    const deleted = next((listener) => first.app.on('session_delete', listener))
    await first.phone.disconnect(first.topic)
    expect(await deleted).toMatchObject({ topic: first.topic, reason: { code: 6000 } })
    expect(first.phone.sessions).toEqual([])
    const second = await setupSession()
    await second.app.disconnect({ topic: second.topic })
    await expect.poll(() => second.phone.sessions).toEqual([])
  })

  test('the wallet can update the namespaces', async () => {
    const { phone, topic, session, currentSession } = await setupSession()
    const { eip155 } = session.namespaces
    await phone.update(topic, { eip155: { ...eip155!, methods: ['personal_sign'] } })
    expect(currentSession()?.namespaces.eip155?.methods).toEqual(['personal_sign'])
  })
})

describe('one-click sign-in', () => {
  const authParams = {
    chains: ['eip155:31337', 'eip155:31338', 'eip155:1'],
    domain: 'app.example',
    uri: 'https://app.example/login',
    nonce: 'a1b2c3d4e5f60718',
    methods: ['personal_sign'],
  }

  test('signs once per supported chain and creates a session', async () => {
    const phone = createPhone({ approval: 'window' })
    const { uri, approval } = await clients.create('app').authenticate(authParams)
    await phone.pair(uri ?? '')
    const request = await phone.wallet.controls.waitFor('wc_sessionAuthenticate')
    expect(request.details).toMatchObject({
      kind: 'signIn',
      domain: 'app.example',
      message: expect.stringContaining('app.example wants you to sign in'),
    })
    request.approve()
    const { auths, session } = await approval()
    expect(auths?.map(({ p }) => p.iss)).toEqual(
      [31337, 31338].map((id) => `did:pkh:eip155:${id}:${mira}`),
    )
    expect(accountsOf(session)).toEqual([
      ...toCaipAccounts(mira, 31337),
      ...toCaipAccounts(mira, 31338),
    ])
    expect(phone.sessions).toHaveLength(1)
  })

  test('attack: a request is blocked if its domain differs from the attested origin', async () => {
    const client = clients.create('phone')
    // The verify context of a request from another origin.
    const verified = {
      verifyUrl: '',
      validation: 'INVALID',
      origin: 'https://evil.example',
      domainMatches: false,
    } as const
    const attested: SignClient = {
      ...client,
      on: (name, listener) =>
        client.on(name, (event) =>
          listener(
            'params' in event && 'authPayload' in event.params
              ? { ...event, params: { ...event.params, verifyContext: { verified } } }
              : event,
          ),
        ),
    }
    const phone = createPhone({ approval: 'window', phone: { sign: attested } })
    const { uri, approval } = await clients.create('app').authenticate(authParams)
    await phone.pair(uri ?? '')
    await expect.poll(() => phone.lastError).toMatchObject({ code: 'wallet.foreign_sign_in' })
    await expect(approval()).rejects.toMatchObject({ reason: { code: 4100 } })
    expect([phone.wallet.controls.pending, phone.sessions]).toEqual([[], []])
  })

  test('error: a request is rejected by the user, or because its chains are unsupported', async () => {
    const phone = createPhone()
    const app = clients.create('app')
    phone.wallet.controls.set({ reject: 'next' })
    for (const [chains, code] of [
      [authParams.chains, 5000],
      [['eip155:1'], 5100],
    ] as const) {
      const { uri, approval } = await app.authenticate({ ...authParams, chains })
      await phone.pair(uri ?? '')
      await expect(approval()).rejects.toMatchObject({ reason: { code } })
    }
    expect(phone.lastError).toMatchObject({ code: 'wallet.sign_in_chains' })
  })
})

describe('a faulty wallet', () => {
  test('approves chains that were not requested', async () => {
    const { session } = await setupSession({ phone: { faults: { settleChains: [1] } } })
    expect(accountsOf(session)).toEqual([...toCaipAccounts(mira, 1), ...toCaipAccounts(tomas, 1)])
  })

  test('reports an account that the wallet does not own, but signs with the wallet’s key', async () => {
    const stranger = '0x000000000000000000000000000000000000dEaD'
    const { session, request } = await setupSession({ faults: { lieAboutAccount: stranger } })
    expect(accountsOf(session)).toEqual(toCaipAccounts(stranger, 31337, 31338))
    const signature = await request('personal_sign', [toHex('Hello'), stranger])
    expect(await verifyMessage({ address: mira, message: 'Hello', signature })).toBe(true)
  })

  test('responds twice, and the app uses the first response', async () => {
    const { phone, app, sign } = await setupSession({ phone: { faults: { answerTwice: true } } })
    const signature = await sign()
    expect(await verifyMessage({ address: mira, message: 'Hello', signature })).toBe(true)
    phone.set({ answerTwice: false })
    expect(await sign()).toBe(signature)
    expect(app.pendingOutgoing()).toEqual([])
  })

  test('drops a session without notifying the app, whose requests remain unanswered', async () => {
    const { phone, app, topic, sign, currentSession } = await setupSession()
    phone.drop(topic)
    expect(phone.sessions).toEqual([])
    const answers: unknown[] = []
    void sign().then(
      (answer) => answers.push(answer),
      () => {},
    )
    await expect.poll(() => phone.sign.pendingRequests()).toHaveLength(1)
    expect(currentSession()).toBeDefined()
    expect(phone.wallet.controls.requests.map(({ method }) => method)).not.toContain(
      'personal_sign',
    )
    expect(answers).toEqual([])
    await app.disconnect({ topic })
    await expect.poll(() => phone.sign.sessions()).toEqual([])
  })

  test('reports a successful chain switch, but stays on the old chain and emits no event', async () => {
    const { phone, request, currentSession } = await setupSession()
    phone.wallet.controls.set({ wrongChain: 'stay' })
    expect(await request('wallet_switchEthereumChain', [{ chainId: '0x7a6a' }])).toBeNull()
    expect(phone.wallet.controls.chainId).toBe(31337)
    expect(currentSession()).toBeDefined()
    phone.reset()
    expect(phone.wallet.controls.faults.wrongChain).toBe('off')
  })
})
