import { describe, test } from 'vitest'
import {
  account,
  address,
  requested,
  createStore,
  granted,
  next,
  rejectionOf,
  userRejected,
  wallets,
  type Client,
  type Version,
} from './clients.ts'
import { openProvider } from './officialClients.ts'
import { useRelay, type OnFinished } from './relay.ts'

const relay = useRelay()

type Provider = Awaited<ReturnType<typeof openProvider>>['provider']

async function open(wallet: Version, onFinished: OnFinished) {
  const store = createStore()
  const { url: relayUrl, httpUrl: verifyUrl } = relay
  const start = async () => {
    const opened = await openProvider({ relayUrl, verifyUrl, name: 'App', store })
    onFinished(opened.close)
    return opened
  }
  return {
    ...(await start()),
    start,
    wallet: await relay.open(wallet, onFinished, { name: 'Wallet' }),
  }
}

/** Passes the provider's URI to the wallet and waits for the proposal. */
async function propose(provider: Provider, wallet: Client) {
  const shown = nextEvent<string>(provider, 'display_uri')
  const connecting = provider.connect({ optionalNamespaces: requested })
  const proposed = next(wallet, 'session_proposal')
  await wallet.pair({ uri: await shown })
  return { connecting, id: (await proposed).id }
}

async function settle(provider: Provider, wallet: Client) {
  const { connecting, id } = await propose(provider, wallet)
  const { acknowledged } = await wallet.approve({ id, namespaces: granted })
  const [session] = await Promise.all([connecting, acknowledged()])
  return session!
}

function nextEvent<data>(provider: Provider, event: string) {
  return new Promise<data>((resolve) => provider.once(event, resolve))
}

async function signWith(provider: Provider, wallet: Client) {
  const received = next(wallet, 'session_request')
  const params = ['0x68656c6c6f', address]
  const answer = provider.request({ method: 'personal_sign', params }, 'eip155:1')
  const { id, topic } = await received
  await wallet.respond({ topic, response: { id, jsonrpc: '2.0', result: '0xsigned' } })
  return answer
}

describe.each(wallets)('universal provider 2.21.8, wallet %s', { concurrent: true }, (version) => {
  test('connects and sends requests', async ({ expect, onTestFinished }) => {
    const { provider, wallet } = await open(version, onTestFinished)
    const session = await settle(provider, wallet)
    expect(session.namespaces).toEqual(granted)
    const accounts = await provider.request({ method: 'eth_requestAccounts' }, 'eip155:1')
    expect(accounts).toEqual([address])
    expect(await provider.request({ method: 'eth_chainId' }, 'eip155:1')).toBe(1)
    expect(await signWith(provider, wallet)).toBe('0xsigned')
  })

  test('receives a transaction hash and a rejection', async ({ expect, onTestFinished }) => {
    const { provider, wallet } = await open(version, onTestFinished)
    await settle(provider, wallet)
    const hash = `0x${'ab'.repeat(32)}`
    const to = '0xdAC17F958D2ee523a2206206994597C13D831ec7'
    const request = {
      method: 'eth_sendTransaction',
      params: [{ from: address, to, data: `0xa9059cbb${'0'.repeat(128)}` }],
    }
    const received = next(wallet, 'session_request')
    const answer = provider.request(request, 'eip155:1')
    const { id, topic, params } = await received
    expect(params.request.params).toEqual(request.params)
    await wallet.respond({ topic, response: { id, jsonrpc: '2.0', result: hash } })
    expect(await answer).toBe(hash)

    const again = next(wallet, 'session_request')
    const refused = rejectionOf(provider.request(request, 'eip155:1'))
    const error = { code: 5000, message: 'User rejected.' }
    await wallet.respond({ topic, response: { id: (await again).id, jsonrpc: '2.0', error } })
    expect(await refused).toMatchObject(error)
  })

  test('receives changes of accounts, chain and permissions', async ({
    expect,
    onTestFinished,
  }) => {
    const { provider, wallet } = await open(version, onTestFinished)
    const { topic } = await settle(provider, wallet)
    const other = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
    const namespaces = {
      eip155: { ...requested.eip155, accounts: [account, `eip155:10:${other}`] },
    }
    const updated = nextEvent<{ params: unknown }>(provider, 'session_update')
    await wallet.update({ topic, namespaces })
    expect((await updated).params).toEqual({ namespaces })
    const accounts = nextEvent(provider, 'accountsChanged')
    const emit = (chainId: string, name: string, data: unknown) =>
      wallet.emit({ topic, chainId, event: { name, data } })
    await emit('eip155:1', 'accountsChanged', [account])
    expect(await accounts).toEqual([address])
    const chain = nextEvent(provider, 'chainChanged')
    await emit('eip155:10', 'chainChanged', 10)
    expect(await chain).toBe('10')
    expect(await provider.request({ method: 'eth_chainId' }, 'eip155:10')).toBe(10)
  })

  test('restarts with its session and disconnects', async ({ expect, onTestFinished }) => {
    const { provider, wallet, close, start } = await open(version, onTestFinished)
    const { topic } = await settle(provider, wallet)
    await close()
    const again = (await start()).provider
    expect(again.session?.topic).toBe(topic)
    expect(await signWith(again, wallet)).toBe('0xsigned')
    await again.disconnect()
    expect(again.session).toBeUndefined()
    await expect.poll(() => wallet.sessions()).toEqual([])
  })

  test('receives the wallet’s disconnect', async ({ expect, onTestFinished }) => {
    const { provider, wallet } = await open(version, onTestFinished)
    const { topic } = await settle(provider, wallet)
    const deleted = nextEvent<{ topic: string }>(provider, 'session_delete')
    await wallet.disconnect({ topic })
    expect(await deleted).toMatchObject({ topic })
    await expect.poll(() => provider.session).toBeUndefined()
  })

  test('fails to connect if the wallet rejects the proposal', async ({
    expect,
    onTestFinished,
  }) => {
    const { provider, wallet } = await open(version, onTestFinished)
    const { connecting, id } = await propose(provider, wallet)
    const refused = rejectionOf(connecting)
    await wallet.reject({ id, reason: userRejected })
    expect(await refused).toMatchObject({ message: userRejected.message })
    expect(provider.session).toBeUndefined()
  })
})
