import {
  accounts,
  addresses,
  chainData,
  safeAbi,
  safeProxyFactoryAbi,
  startChain,
  type Chain,
} from '@gatefold/chain'
import { limits } from '@gatefold/protocol'
import { toCoinType, type NameResponse } from '@gatefold/protocol/gateway'
import {
  createTestClient,
  encodeFunctionData,
  hashMessage,
  http,
  publicActions,
  zeroAddress,
  type Address,
  type Hex,
} from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { serializeErc6492Signature } from 'viem/utils'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { saveProject } from '../../storage/projects.ts'
import { createTestServer, type TestServer } from '../../testing/createTestGateway.ts'
import { createDatabase, engines, type TestDatabase } from '../../testing/databases.ts'
import { startCountingProxy } from '../../testing/startCountingProxy.ts'
import { testProject } from '../../testing/testProject.ts'

const id = 'eip155:31337'
const coinType = toCoinType(31_337)
/** A signature that only a contract can accept. */
const anySignature: Hex = `0x${'01'.repeat(65)}`
const newAccount = () => privateKeyToAccount(generatePrivateKey())
const mira = privateKeyToAccount(accounts[0].privateKey)
const tomas = privateKeyToAccount(accounts[1].privateKey)
/** Has no ENS name. */
const nameless = privateKeyToAccount(accounts[3].privateKey)

let chain: Chain
let proxy: Awaited<ReturnType<typeof startCountingProxy>>
const bodies: string[] = []
beforeAll(async () => {
  chain = await startChain()
  proxy = await startCountingProxy(chain.url)
  proxy.refuses = (body) => bodies.push(body) < 0
})
afterAll(async () => {
  await proxy?.stop()
  await chain?.stop()
})

let now = 1_800_000_000_000
const seconds = () => now / 1000

/**
 * Opens two processes on one database. Each test has a new client address, so that the limits of one do not affect
 * another. @returns functions that send requests to the processes.
 */
function useServers(engine: (typeof engines)[number]) {
  let database: TestDatabase
  const servers: TestServer[] = []
  let tests = 0
  beforeAll(async () => {
    database = await createDatabase(engine)
    const config = { ...database.config, rpcUrls: { [id]: [proxy.url] }, chains: chainData }
    for (let index = 0; index < 2; index += 1)
      servers[index] = await createTestServer(['money'], config, { now: () => now })
    const { db } = servers[0]!.context.storage
    await saveProject(db, testProject({ id: 'harbor', zone: 'harbor.eth' }), 1)
  })
  beforeEach(() => {
    tests += 1
  })
  afterAll(async () => {
    for (const server of servers) await server.stop()
    await database?.remove()
  })
  const server = (index = 0) => servers[index]!

  async function post(
    path: string,
    body: object,
    options: { origin?: string; process?: number } = {},
  ) {
    const { origin, process } = options
    const { status, body: answer } = await server(process).json(path, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: origin ? { origin } : {},
      address: `192.0.2.${tests}`,
    })
    return {
      status,
      answer: answer as NameResponse & { reasons?: { description: string; code?: string }[] },
    }
  }
  return {
    server,
    post,
    register: async (...signed: Parameters<typeof sign>) =>
      post('/v1/profile/account', await sign(...signed)),
    lookUp: async (name: string, query = '') =>
      server().json(`/v1/profile/account/${name}${query}`),
  }
}

/** The body of a registration, signed by a key. */
async function sign(name: string, account = newAccount(), more: { timestamp?: number } = {}) {
  const message = JSON.stringify({ name, attributes: {}, timestamp: seconds(), ...more })
  const signature = await account.signMessage({ message })
  return { coin_type: coinType, address: account.address, message, signature }
}

describe.each(engines)('names on %s', (engine) => {
  const { server, post, register, lookUp } = useServers(engine)

  test('attack: a name in a zone that the database cannot store is refused', async () => {
    expect((await lookUp('mira.a%00b')).status).toBe(400)
  })

  test('§7.8.12 §7.8.13 §7.8.15 §7.9 a registered name is found by its name and by its account; a free one is not', async () => {
    expect((await lookUp('mira')).status).toBe(404)
    const { status, answer } = await register('Mira.reown.id', mira)
    expect(status).toBe(200)
    const record = {
      name: 'mira.gatefold.alt',
      addresses: { 60: { address: mira.address }, [coinType]: { address: mira.address } },
      attributes: {},
      registered_at: new Date(now).toISOString(),
      updated_at: new Date(now).toISOString(),
    }
    expect(answer).toEqual(record)
    for (const name of ['mira', 'MIRA', 'mira.reown.id', 'mira.gatefold.alt']) {
      const found = await lookUp(name, '?apiVersion=2')
      expect([found.status, found.body], name).toEqual([200, record])
    }
    const reverse = async (address: string, query: string) =>
      server().json(`/v1/profile/reverse/${address}${query}`)
    expect((await reverse(mira.address.toLowerCase(), '?apiVersion=2')).body).toEqual([record])
    expect((await reverse(tomas.address, '?apiVersion=2')).body).toEqual([])
    expect((await reverse(tomas.address, '')).status).toBe(404)
  })

  test('§3.13 §7.8.14 suggestions begin with the name itself, then are free names in the zone', async () => {
    await register('vera.reown.id')
    await register('vera-eth.reown.id')
    const suggest = async (name: string, query: string) =>
      (await server().json(`/v1/profile/suggestions/${name}${query}`)).body as {
        suggestions: { name: string; registered: boolean }[]
      }
    const { suggestions } = await suggest('vera', '?zone=reown.id')
    expect(suggestions).toHaveLength(limits.nameSuggestions)
    expect(suggestions[0]).toEqual({ name: 'vera.reown.id', registered: true })
    for (const { name } of suggestions.slice(1))
      expect((await register(name)).answer.name).toBeDefined()
    expect((await suggest('tomas', '?projectId=harbor')).suggestions[0]).toEqual({
      name: 'tomas.harbor.eth',
      registered: false,
    })
    expect((await suggest('support', '')).suggestions[0]!.registered).toBe(true)
    expect((await server().send('/v1/profile/suggestions/mira?zone=others.eth')).status).toBe(400)
  })

  test('attack: of two registrations of a name that arrive at once, one succeeds', async () => {
    const signed = await Promise.all([sign('once.reown.id'), sign('once.reown.id')])
    const results = await Promise.all(
      signed.map(async (body, process) => post('/v1/profile/account', body, { process })),
    )
    expect(results.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400])
    const again = await register('once.reown.id')
    expect(again.answer.reasons![0]).toMatchObject({
      description: 'once.gatefold.alt is already registered',
      code: 'name_taken',
    })
  })

  test('attack: an account has a limited number of names, also when many are registered at once', async () => {
    const account = newAccount()
    const signed = await Promise.all(
      Array.from({ length: limits.namesPerAccount + 3 }, async (_, index) =>
        sign(`many-${index}.reown.id`, account),
      ),
    )
    const results = await Promise.all(
      signed.map(async (body, index) => post('/v1/profile/account', body, { process: index % 2 })),
    )
    const granted = results.filter(({ status }) => status === 200)
    expect(granted).toHaveLength(limits.namesPerAccount)
    const refused = results.find(({ status }) => status !== 200)
    expect(refused?.answer.reasons![0]).toMatchObject({ field: 'address', code: 'too_many_names' })
  })

  test('the owner replaces addresses and attributes', async () => {
    const owner = newAccount()
    await register('owned.reown.id', owner)
    const set = async (records: object, account = owner) => {
      now += 1_000
      const message = JSON.stringify({
        name: 'owned.gatefold.alt',
        timestamp: seconds(),
        ...records,
      })
      const signature = await account.signMessage({ message })
      return post('/v1/profile/records', { message, signature })
    }
    const first = await set({ attributes: { bio: 'Keeps a lighthouse' } })
    expect(first.answer.attributes).toEqual({ bio: 'Keeps a lighthouse' })
    const second = await set({ addresses: { 60: tomas.address } })
    expect(second.answer).toMatchObject({
      addresses: { 60: { address: tomas.address } },
      attributes: { bio: 'Keeps a lighthouse' },
      updated_at: new Date(now).toISOString(),
    })
    // The name resolves to another account, so it is the primary name of
    // neither.
    for (const { address } of [owner, tomas]) {
      const { body } = await server().json(`/v1/profile/reverse/${address}?apiVersion=2`)
      expect(body).toEqual([])
    }
    expect((await set({ attributes: { bio: 'Mine' } }, tomas)).status).toBe(401)
    expect((await set({ attributes: { bio: '<b>' } })).status).toBe(400)
    expect((await set({ attributes: { avatar: 'https://x.example' } })).status).toBe(400)
    expect((await set({ addresses: { 0: owner.address } })).status).toBe(400)
  })

  test('attack: a replayed message does not undo a later change', async () => {
    const owner = newAccount()
    await register('replayed.reown.id', owner)
    const messages: object[] = []
    for (const bio of ['first', 'second']) {
      now += 1_000
      const name = 'replayed.gatefold.alt'
      const message = JSON.stringify({ name, attributes: { bio }, timestamp: seconds() })
      messages.push({ message, signature: await owner.signMessage({ message }) })
    }
    for (const body of messages) expect((await post('/v1/profile/records', body)).status).toBe(200)
    for (const body of messages) expect((await post('/v1/profile/records', body)).status).toBe(400)
    expect((await lookUp('replayed')).body).toMatchObject({ attributes: { bio: 'second' } })
  })

  test('error: a failed look-up does not mean that a name is free', async () => {
    expect((await lookUp('free')).status).toBe(404)
    // Must be the last test of this database.
    await server().context.storage.db.destroy()
    expect((await lookUp('free')).status).toBe(503)
    expect((await server().send('/v1/profile/suggestions/mira')).status).toBe(503)
    expect((await server().send(`/v1/profile/reverse/${mira.address}`)).status).toBe(503)
  })
})

describe('a registration', () => {
  const { server, post, register, lookUp } = useServers('sqlite')

  test('§5.4.1 attack: a label other than 4 to 63 letters, digits and single hyphens, or a reserved one, is refused', async () => {
    const labels = [
      'abc',
      'a'.repeat(64),
      '-mira',
      'mira-',
      'mi--ra',
      'xn--mira',
      'mi_ra',
      'mira ',
      // Cyrillic, and the Kelvin sign, whose lower case is k.
      'm\u0456ra',
      'mar\u212A',
      '0xdeadbeef',
      'support',
      'gatefold',
    ]
    for (const label of labels)
      expect((await register(`${label}.reown.id`)).status, label).toBe(400)
    expect((await register(`${'a'.repeat(63)}.reown.id`)).status).toBe(200)
  })

  test('a project with a zone has separate names', async () => {
    const inHarbor = '?projectId=harbor'
    const zone = async (query: string) => (await server().json(`/v1/profile/zone${query}`)).body
    expect(await zone('')).toEqual({ zone: 'gatefold.alt' })
    expect(await zone(inHarbor)).toEqual({ zone: 'harbor.eth' })
    const own = await post(`/v1/profile/account${inHarbor}`, await sign('mira.harbor.eth', mira))
    expect(own.answer.name).toBe('mira.harbor.eth')
    // The zone of official clients is the default project's, also in a project with a zone.
    expect((await lookUp('mira', inHarbor)).status).toBe(404)
    expect((await lookUp('mira.harbor.eth')).status).toBe(200)
    const { body } = await server().json(`/v1/profile/reverse/${mira.address}?apiVersion=2`)
    expect(body).toEqual([])
  })

  test('attack: a name in a zone of another project is refused', async () => {
    expect((await register('mira.harbor.eth')).status).toBe(400)
    expect((await register('mira')).status).toBe(400)
  })

  test('attack: a client address registers a limited number of names, with any number of accounts', async () => {
    const statuses: number[] = []
    for (let index = 0; index <= limits.nameBurst; index += 1) {
      statuses.push((await register(`name-${index}.reown.id`)).status)
    }
    expect(statuses).toEqual([...Array<number>(limits.nameBurst).fill(200), 429])
  })

  test('attack: a copied registration registers nothing for another account', async () => {
    const copied = { ...(await sign('copied.reown.id')), address: tomas.address }
    expect((await post('/v1/profile/account', copied)).status).toBe(401)
    expect((await lookUp('copied')).status).toBe(404)
  })

  test('attack: an altered registration is refused', async () => {
    const signed = await sign('altered.reown.id')
    const altered = { ...signed, message: signed.message.replace('altered', 'another') }
    const { status, answer } = await post('/v1/profile/account', altered)
    expect([status, answer.reasons?.[0]?.code]).toEqual([401, 'wrong_signature'])
  })

  test('attack: a registration that was not signed recently is refused', async () => {
    const past = seconds() - limits.nameMessageSeconds
    const future = seconds() + limits.nameClockSkewSeconds
    const late = await register('late-1.reown.id', undefined, { timestamp: past - 1 })
    expect([late.status, late.answer.reasons?.[0]]).toEqual([
      400,
      {
        field: 'message',
        description: expect.stringContaining('check the clock') as string,
        code: 'stale_message',
      },
    ])
    expect((await register('late-2.reown.id', undefined, { timestamp: future + 1 })).status).toBe(
      400,
    )
    expect((await register('late-3.reown.id', undefined, { timestamp: past })).status).toBe(200)
    expect((await register('late-4.reown.id', undefined, { timestamp: future })).status).toBe(200)
  })

  test('§7.8.2 an account without an ENS name is known by its registered name', async () => {
    const identity = async (address: string) =>
      (await server().json(`/v1/identity/${address}`)).body
    expect(await identity(nameless.address)).toEqual({ name: null, avatar: null })
    await register('keeper.reown.id', nameless)
    await register('mira-2.reown.id', mira)
    expect(await identity(nameless.address)).toEqual({ name: 'keeper.gatefold.alt', avatar: null })
    expect(await identity(mira.address)).toMatchObject({ name: 'mira.eth', avatar: null })
  })

  test('an official client, which sends no project id, registers from any origin', async () => {
    const from = async (origin: string, query = '') =>
      (
        await post(`/v1/profile/account${query}`, await sign(`site${query ? '-2' : ''}.reown.id`), {
          origin,
        })
      ).status
    expect(await from('https://my.site')).toBe(200)
    expect(await from('https://my.site', '?projectId=harbor')).toBe(401)
  })
})

describe('a contract registers a name', () => {
  let server: TestServer
  const client = () =>
    createTestClient({ mode: 'anvil', transport: http(chain.url) }).extend(publicActions)
  beforeEach(async () => {
    const config = { rpcUrls: { [id]: [proxy.url] }, chains: chainData, ipBurst: 120 }
    server = await createTestServer(['money'], config, { now: () => now })
    bodies.length = 0
  })
  afterEach(async () => {
    proxy.refuses = (body) => bodies.push(body) < 0
    await server.stop()
  })

  async function register(address: Address, signature: Hex, message: string, more = {}) {
    const body = { coin_type: coinType, address, message, signature, ...more }
    return server.json('/v1/profile/account', { method: 'POST', body: JSON.stringify(body) })
  }
  const messageFor = (name: string) =>
    JSON.stringify({ name: `${name}.reown.id`, attributes: {}, timestamp: seconds() })

  test('attack: a contract, deployed or not (ERC-6492), gets the address of its chain only', async () => {
    const create = {
      address: addresses.safeProxyFactory,
      abi: safeProxyFactoryAbi,
      functionName: 'createProxyWithNonce',
      args: [
        addresses.safe,
        encodeFunctionData({
          abi: safeAbi,
          functionName: 'setup',
          args: [
            [mira.address],
            1n,
            zeroAddress,
            '0x',
            addresses.safeFallbackHandler,
            zeroAddress,
            0n,
            zeroAddress,
          ],
        }),
        77n,
      ],
    } as const
    const { result: safe } = await client().simulateContract(create)
    const message = messageFor('the-safe')
    const signSafe = async (text: string) =>
      serializeErc6492Signature({
        address: addresses.safeProxyFactory,
        data: encodeFunctionData(create),
        signature: await mira.signTypedData({
          domain: { chainId: 31_337, verifyingContract: safe },
          types: { SafeMessage: [{ name: 'message', type: 'bytes' }] },
          primaryType: 'SafeMessage',
          message: { message: hashMessage(text) },
        }),
      })
    const { status, body } = await register(safe, await signSafe(message), message)
    expect(status).toBe(200)
    expect(body).toMatchObject({ addresses: { [coinType]: { address: safe } } })
    expect((body as NameResponse).addresses).not.toHaveProperty('60')

    // Its signature changes the records too.
    now += 1_000
    const change = JSON.stringify({
      name: 'the-safe.reown.id',
      attributes: { bio: 'Two of three' },
      timestamp: seconds(),
    })
    const changed = await server.json('/v1/profile/records', {
      method: 'POST',
      body: JSON.stringify({ message: change, signature: await signSafe(change) }),
    })
    expect(changed.body).toMatchObject({ attributes: { bio: 'Two of three' } })
  })

  test('attack: a contract that burns gas is refused; the node gets a gas limit, and the client is charged', async () => {
    const burner = '0x00000000000000000000000000000000000b0bb1'
    // JUMPDEST, PUSH1 0, JUMP
    await client().setCode({ address: burner, bytecode: '0x5b600056' })
    const attempt = async () => (await register(burner, anySignature, messageFor('burner'))).status
    expect(await attempt()).toBe(401)
    const calls = bodies
      .map((body) => JSON.parse(body) as { method: string; params: { to?: Hex; gas?: Hex }[] })
      .filter(({ method, params }) => method === 'eth_call' && !params[0]!.to)
    expect(calls.map(({ params }) => Number(params[0]!.gas))).toEqual([5_000_000])
    expect([await attempt(), await attempt()]).toEqual([401, 429])
  })

  test('attack: a contract at the address of a key does not change the names of the key', async () => {
    const key = newAccount()
    const message = messageFor('the-key')
    expect((await register(key.address, await key.signMessage({ message }), message)).status).toBe(
      200,
    )
    // Returns ERC-1271's magic value for every signature.
    const bytecode = '0x631626ba7e60e01b60005260206000f3'
    await client().setCode({ address: key.address, bytecode })
    now += 1_000
    const change = messageFor('the-key')
    const { status } = await server.json('/v1/profile/records', {
      method: 'POST',
      body: JSON.stringify({ message: change, signature: anySignature }),
    })
    expect(status).toBe(401)
    expect((await register(key.address, anySignature, messageFor('the-code'))).status).toBe(200)
  })

  test('error: a signature that cannot be verified is not reported as wrong', async () => {
    proxy.refuses = () => true
    const { status } = await register(tomas.address, anySignature, messageFor('tomas'))
    expect(status).toBe(503)
  })

  test('error: a contract on a chain without an upstream is refused, and the response names the chain', async () => {
    const { status, body } = await register(tomas.address, anySignature, messageFor('tomas'), {
      coin_type: toCoinType(10),
    })
    expect(status).toBe(401)
    expect(body).toMatchObject({
      reasons: [{ description: expect.stringContaining('eip155:10') as string }],
    })
  })
})
