import { accounts, type Chain, gatefoldLocal, startChain } from '@gatefold/chain'
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

let home: Chain
let away: Chain
let relay: Awaited<ReturnType<typeof startClients>>

beforeAll(async () => {
  ;[home, away] = await Promise.all([
    startChain({ chainId: 31337 }),
    startChain({ chainId: 31338 }),
  ])
})
afterAll(() => Promise.all([home?.stop(), away?.stop()]))
beforeEach(async () => {
  relay = await startClients()
})
afterEach(() => relay.end())

const [mira, tomas] = [accounts[0].address, accounts[1].address]
const everything = {
  eip155: {
    chains: ['eip155:31337', 'eip155:31338'],
    methods: ['personal_sign', 'eth_sendTransaction', 'wallet_switchEthereumChain', 'eth_sign'],
    events: ['accountsChanged', 'chainChanged'],
  },
}
const of = (address: string, ...chains: number[]) =>
  chains.map((chain) => `eip155:${chain}:${address}`)

type Options = Partial<Parameters<typeof createTestWallet>[0]> & {
  phone?: Partial<Parameters<typeof createPhoneWallet>[0]>
}

function createPhone({ phone: options, ...rest }: Options = {}) {
  const chains = [
    { id: 31337, rpcUrl: home.url, name: 'Home' },
    { id: 31338, rpcUrl: away.url, name: 'Away' },
  ]
  const wallet = createTestWallet({ chains, accounts: demoAccounts(0, 1), ...rest })
  const phone = createPhoneWallet({ sign: relay.create('phone'), wallet, ...options })
  onTestFinished(() => {
    phone.destroy()
    wallet.destroy()
  })
  return phone
}

async function connect(
  app: SignClient,
  phone: PhoneWallet,
  parameters: ConnectParameters = { optionalNamespaces: everything },
) {
  const { uri, approval } = await app.connect(parameters)
  await phone.pair(uri ?? '')
  return approval()
}

/** A phone and an app with a session. */
async function connected(options: Options = {}, parameters?: ConnectParameters) {
  const phone = createPhone(options)
  const app = relay.create('app')
  const session = await connect(app, phone, parameters)
  const { topic } = session
  const request = (method: string, params: unknown, chainId = 'eip155:31337') =>
    app.request<Hex>({ topic, chainId, request: { method, params } })
  const sign = () => request('personal_sign', [toHex('Hello'), mira])
  const now = () => app.sessions().find((one) => one.topic === topic)
  return { phone, app, session, topic, request, sign, now }
}

const accountsOf = (session: Session | undefined) => session?.namespaces.eip155?.accounts

describe('a session', () => {
  test('grants the requested chains, methods and events it supports, the selected account first', async () => {
    const phone = createPhone()
    phone.wallet.controls.switchAccount(1)
    const session = await connect(relay.create('app'), phone)
    expect(session.namespaces).toEqual({
      eip155: {
        chains: ['eip155:31337', 'eip155:31338'],
        accounts: [31337, 31338].flatMap((id) => [...of(tomas, id), ...of(mira, id)]),
        methods: ['eth_sendTransaction', 'personal_sign', 'wallet_switchEthereumChain'],
        events: ['accountsChanged', 'chainChanged'],
      },
    })
    expect(phone.sessions.map(({ topic }) => topic)).toEqual([session.topic])
    expect(phone.pairingTopic).toBeUndefined()
  })

  test('waits for approval and exposes the app', async () => {
    const phone = createPhone({ approval: 'window' })
    const { uri, approval } = await relay.create('app').connect({
      optionalNamespaces: {
        eip155: { ...everything.eip155, chains: ['eip155:31337', 'eip155:1'] },
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

  test('error: is rejected by the user, and by the wallet if it cannot be satisfied', async () => {
    const app = relay.create('app')
    const phone = createPhone()
    phone.wallet.controls.set({ reject: 'next' })
    await expect(connect(app, phone)).rejects.toMatchObject({ reason: { code: 5000 } })
    const unknown = { solana: { ...everything.eip155, chains: ['solana:5eykt4Us'] } }
    await expect(connect(app, phone, { optionalNamespaces: unknown })).rejects.toMatchObject({
      reason: { code: 5100 },
    })
    expect(String(phone.lastError)).toContain('solana:5eykt4Us')
    expect(phone.sessions).toEqual([])
  })

  test('error: rejects text without a pairing URI, and an expired one', async () => {
    const phone = createPhone()
    await expect(phone.pair('https://phone.example/wc')).rejects.toMatchObject({
      code: 'sign.invalid_uri',
    })
    const { uri = '' } = await relay.create('app').connect({ optionalNamespaces: everything })
    const old = uri.replace(/expiryTimestamp=\d+/, 'expiryTimestamp=1700000000')
    await expect(phone.pair(old)).rejects.toMatchObject({ code: 'phone.code_expired' })
    expect(phone.pairingTopic).toBeUndefined()
  })

  test('cancels the requests of a session that the app ends', async () => {
    const { phone, app, topic, sign } = await connected()
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
    const { phone, request, sign } = await connected()
    const signature = await sign()
    expect(await verifyMessage({ address: mira, message: 'Hello', signature })).toBe(true)
    const value = parseEther('0.25')
    const transaction = { from: mira, to: tomas, value: toHex(value) }
    const hash = await request('eth_sendTransaction', [transaction], 'eip155:31338')
    const client = createPublicClient({ chain: gatefoldLocal(away.url), transport: http() })
    const receipt = await client.waitForTransactionReceipt({ hash })
    expect(receipt.status).toBe('success')
    expect((await client.getTransaction({ hash })).value).toBe(value)
    expect(phone.wallet.controls.chainId).toBe(31337)
  })

  test('error: answer with the code of the rejection, failure or unsupported method', async () => {
    const { phone, sign, request } = await connected()
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

  test('a hanging request does not block the next, and can be answered late', async () => {
    const { phone, sign } = await connected({
      phone: { sign: relay.create('phone', { disableRequestQueue: true }) },
    })
    const { controls } = phone.wallet
    controls.set({ hang: 'next' })
    const late = sign()
    await expect.poll(() => controls.pending.map(({ hung }) => hung)).toEqual([true])
    const signature = await sign()
    controls.pending[0]?.approve()
    expect(await late).toBe(signature)
  })

  test('a persisted answer is sent after a restart without a prompt', async () => {
    const stored = new Map<string, string>()
    const storage = {
      getItem: (key: string) => stored.get(key) ?? null,
      setItem: (key: string, value: string) => void stored.set(key, value),
    }
    const kept = { storage, storageKey: 'phone' }
    const { phone, sign } = await connected({ phone: kept })
    const { controls } = phone.wallet
    controls.set({ hang: 'next' })
    const answer = sign()
    await controls.waitFor('personal_sign')
    const [pending] = phone.sign.pendingRequests()
    phone.destroy()
    // The state of a wallet that signed and was closed before the relay accepted the answer.
    storage.setItem('phone', JSON.stringify({ answers: { [pending!.id]: { result: '0x51' } } }))
    const again = createPhoneWallet({ ...kept, sign: phone.sign, wallet: phone.wallet })
    onTestFinished(() => again.destroy())
    expect(await answer).toBe('0x51')
    expect(controls.requests.filter(({ method }) => method === 'personal_sign')).toHaveLength(1)
    await expect.poll(() => stored.get('phone')).not.toContain('0x51')
  })
})

describe('session updates', () => {
  test('switching the account updates the session and emits accountsChanged', async () => {
    const { phone, app, now } = await connected()
    const event = next((listener) => app.on('session_event', listener))
    phone.wallet.controls.switchAccount(1)
    expect(await event).toMatchObject({
      params: { chainId: 'eip155:31337', event: { name: 'accountsChanged', data: [tomas, mira] } },
    })
    expect(accountsOf(now())?.[0]).toBe(of(tomas, 31337)[0])
  })

  test('switching the chain adds it to the session and emits chainChanged', async () => {
    const one = { eip155: { ...everything.eip155, chains: ['eip155:31337'] } }
    const { phone, app, now } = await connected({}, { optionalNamespaces: one })
    const event = next((listener) => app.on('session_event', listener))
    phone.wallet.controls.switchChain(31338)
    expect(await event).toMatchObject({
      params: { chainId: 'eip155:31338', event: { name: 'chainChanged', data: 31338 } },
    })
    expect(now()?.namespaces.eip155?.chains).toEqual(['eip155:31337', 'eip155:31338'])
  })

  test('events while muted are never emitted', async () => {
    const { phone, app, sign } = await connected()
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
    const first = await connected()
    const deleted = next((listener) => first.app.on('session_delete', listener))
    await first.phone.disconnect(first.topic)
    expect(await deleted).toMatchObject({ topic: first.topic, reason: { code: 6000 } })
    expect(first.phone.sessions).toEqual([])
    const second = await connected()
    await second.app.disconnect({ topic: second.topic })
    await expect.poll(() => second.phone.sessions).toEqual([])
  })

  test('the wallet can update the namespaces', async () => {
    const { phone, topic, session, now } = await connected()
    const { eip155 } = session.namespaces
    await phone.update(topic, { eip155: { ...eip155!, methods: ['personal_sign'] } })
    expect(now()?.namespaces.eip155?.methods).toEqual(['personal_sign'])
  })
})

describe('one-click sign-in', () => {
  const terms = {
    chains: ['eip155:31337', 'eip155:31338', 'eip155:1'],
    domain: 'app.example',
    uri: 'https://app.example/login',
    nonce: 'a1b2c3d4e5f60718',
    methods: ['personal_sign'],
  }

  test('signs once per supported chain and creates a session', async () => {
    const phone = createPhone({ approval: 'window' })
    const { uri, approval } = await relay.create('app').authenticate(terms)
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
    expect(accountsOf(session)).toEqual([...of(mira, 31337), ...of(mira, 31338)])
    expect(phone.sessions).toHaveLength(1)
  })

  test('error: is blocked if its domain is not that of the attested origin', async () => {
    const client = relay.create('phone')
    // As the verify service attests it.
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
    const { uri, approval } = await relay.create('app').authenticate(terms)
    await phone.pair(uri ?? '')
    await expect(approval()).rejects.toMatchObject({ reason: { code: 4100 } })
    expect(phone.lastError).toMatchObject({ code: 'wallet.foreign_sign_in' })
    expect([phone.wallet.controls.pending, phone.sessions]).toEqual([[], []])
  })

  test('error: is rejected by the user, and for unsupported chains', async () => {
    const phone = createPhone()
    const app = relay.create('app')
    phone.wallet.controls.set({ reject: 'next' })
    for (const [chains, code] of [
      [terms.chains, 5000],
      [['eip155:1'], 5100],
    ] as const) {
      const { uri, approval } = await app.authenticate({ ...terms, chains })
      await phone.pair(uri ?? '')
      await expect(approval()).rejects.toMatchObject({ reason: { code } })
    }
  })
})

describe('faults', () => {
  test('settles for other chains than requested', async () => {
    const { session } = await connected({ phone: { faults: { settleChains: [1] } } })
    expect(accountsOf(session)).toEqual([...of(mira, 1), ...of(tomas, 1)])
  })

  test('shows a foreign account but signs with its own key', async () => {
    const stranger = '0x000000000000000000000000000000000000dEaD'
    const { session, request } = await connected({ faults: { lieAboutAccount: stranger } })
    expect(accountsOf(session)).toEqual(of(stranger, 31337, 31338))
    const signature = await request('personal_sign', [toHex('Hello'), stranger])
    expect(await verifyMessage({ address: mira, message: 'Hello', signature })).toBe(true)
  })

  test('answers twice: the app uses the first answer', async () => {
    const { phone, app, sign } = await connected({ phone: { faults: { answerTwice: true } } })
    const signature = await sign()
    expect(await verifyMessage({ address: mira, message: 'Hello', signature })).toBe(true)
    phone.set({ answerTwice: false })
    expect(await sign()).toBe(signature)
    expect(app.pendingOutgoing()).toEqual([])
  })

  test('drops a session without notifying the app, whose requests stay unanswered', async () => {
    const { phone, app, topic, sign, now } = await connected()
    phone.drop(topic)
    expect(phone.sessions).toEqual([])
    const answers: unknown[] = []
    void sign().then(
      (answer) => answers.push(answer),
      () => {},
    )
    await expect.poll(() => phone.sign.pendingRequests()).toHaveLength(1)
    expect(now()).toBeDefined()
    expect(phone.wallet.controls.requests.map(({ method }) => method)).not.toContain(
      'personal_sign',
    )
    expect(answers).toEqual([])
    await app.disconnect({ topic })
    await expect.poll(() => phone.sign.sessions()).toEqual([])
  })

  test('reports a switch but stays, and emits nothing', async () => {
    const { phone, request, now } = await connected()
    phone.wallet.controls.set({ wrongChain: 'stay' })
    expect(await request('wallet_switchEthereumChain', [{ chainId: '0x7a6a' }])).toBeNull()
    expect(phone.wallet.controls.chainId).toBe(31337)
    expect(now()).toBeDefined()
    phone.reset()
    expect(phone.wallet.controls.faults.wrongChain).toBe('off')
  })
})
