import {
  accounts,
  addresses,
  chainData,
  ensResolverAbi,
  receiptOf,
  startChain,
  type Chain,
} from '@gatefold/chain'
import { createTestClient, http, namehash, publicActions, walletActions } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestServer, type TestServer } from '../testing/createTestGateway.ts'
import { startCountingProxy } from '../testing/startCountingProxy.ts'

const id = 'eip155:31337'
const [mira, tomas, , nameless] = accounts

let chain: Chain
let proxy: Awaited<ReturnType<typeof startCountingProxy>>
let server: TestServer
let now = Date.now()
beforeAll(async () => {
  chain = await startChain()
  proxy = await startCountingProxy(chain.url)
  const config = { rpcUrls: { [id]: [proxy.url] }, chains: chainData }
  server = await createTestServer(['money'], config, { now: () => now })
})
afterAll(async () => {
  await server?.stop()
  await proxy?.stop()
  await chain?.stop()
})

/** Sets the avatar of tomas.eth, and lets the cache of the server expire. */
async function setAvatar(avatar: string) {
  const node = createTestClient({ mode: 'anvil', transport: http(chain.url) })
    .extend(publicActions)
    .extend(walletActions)
  const hash = await node.writeContract({
    address: addresses.ensResolver,
    abi: ensResolverAbi,
    functionName: 'setText',
    args: [namehash('tomas.eth'), 'avatar', avatar],
    account: tomas.address,
    chain: null,
  })
  await receiptOf(node, hash)
  now += 10 * 60_000
}

const readTomas = async (): Promise<unknown> =>
  (await server.json(`/v1/identity/${tomas.address}`)).body

describe('§7.8.2 an identity', () => {
  test('is the primary name of an account', async () => {
    const { status, body } = await server.json(
      `/v1/identity/${mira.address}?sender=${mira.address}&projectId=default`,
    )
    expect(status).toBe(200)
    // Her avatar is an NFT, whose picture a client reads from the chain.
    expect(body).toEqual({ name: 'mira.eth', avatar: null, missing: ['avatar'] })
  })

  test('has the avatar of the name if that is an https URL of up to 2,000 characters', async () => {
    const url = 'https://tomas.example/'.padEnd(2_000, 'a')
    await setAvatar(url)
    expect(await readTomas()).toEqual({ name: 'tomas.eth', avatar: url })
    for (const other of [`${url}a`, 'http://tomas.example/', 'https://']) {
      await setAvatar(other)
      expect(await readTomas()).toEqual({ name: 'tomas.eth', avatar: null, missing: ['avatar'] })
    }
    await setAvatar('')
    expect(await readTomas()).toEqual({ name: 'tomas.eth', avatar: null })
  })

  test('whose avatar could not be read is read again by the next request', async () => {
    const url = 'https://tomas.example/me.png'
    await setAvatar(url)
    // The selector of `text(bytes32,string)`.
    proxy.refuses = (body) => body.includes('59d1d43c')
    const first = await readTomas()
    proxy.refuses = () => false
    expect(first).toEqual({ name: 'tomas.eth', avatar: null, missing: ['avatar'] })
    now += 2
    expect(await readTomas()).toEqual({ name: 'tomas.eth', avatar: url })
  })

  test.each([nameless.address, 'So11111111111111111111111111111111111111112'])(
    'of %s is empty',
    async (address) => {
      const { status, body } = await server.json(`/v1/identity/${address}`)
      expect(status).toBe(200)
      expect(body).toEqual({ name: null, avatar: null })
      // A browser must not cache this: the account can register a name.
      const { headers } = await server.send(`/v1/identity/${address}`)
      expect(headers.get('cache-control')).not.toMatch(/max-age=[1-9]/)
    },
  )

  test('§9.1.3/1 is cached for five minutes', async () => {
    const read = async () => server.json(`/v1/identity/${mira.address.toLowerCase()}`)
    now += 10 * 60_000
    await read()
    const calls = proxy.methods.length
    now += 299_000
    await read()
    expect(proxy.methods).toHaveLength(calls)
    now += 2_000
    await read()
    expect(proxy.methods.length).toBeGreaterThan(calls)
  })

  test('error: a value that is not an account is refused', async () => {
    const { status, body } = await server.json('/v1/identity/mira')
    expect(status).toBe(400)
    expect(body).toEqual({
      status: 'FAILED',
      reasons: [{ field: 'address', description: 'address is not an account' }],
    })
  })

  test('error: a chain that cannot be read does not mean that there is no name', async () => {
    now += 10 * 60_000
    proxy.refuses = () => true
    const { status } = await server.json(`/v1/identity/${mira.address}`)
    proxy.refuses = () => false
    expect(status).toBe(503)
  })
})
