import { limits } from '@gatefold/protocol'
import { toCoinType } from '@gatefold/protocol/gateway'
import { describe, expect, test, vi } from 'vitest'
import { mainnet, optimism, sepolia } from 'viem/chains'

import { getIdentity } from '../account/balance.ts'
import { resolveName } from '../account/sign.ts'
import { connect } from '../connection/connect.ts'
import type { GatewayClient } from '../features/GatewayClient.ts'
import { GatewayError } from '../kit/requestErrors.ts'
import { toyFamily, toyNetworks } from '../testing/toyFamily.ts'
import { useKits } from '../testing/useKits.ts'
import { checkName } from './checkName.ts'
import { getNames } from './names.ts'
import { registerName, signName, submitName } from './register.ts'

const { start } = useKits()

type Respond = (path: string, body?: Record<string, unknown>) => unknown

/** A connected site with a gateway that has names. @param more - responses to other requests */
async function connected(more: Respond = () => undefined, networks = [mainnet, optimism]) {
  const zone: Respond = (path) => (path.endsWith('/zone') ? { zone: 'harbor.alt' } : undefined)
  const reverse: Respond = (path) => (path.includes('/reverse/') ? [] : undefined)
  const requests: [path: string, options: Parameters<GatewayClient['request']>[1]][] = []
  const site = start(
    { networks: networks as [typeof mainnet] },
    {
      analyticsEnabled: async () => false,
      async request(path, options) {
        requests.push([path, options])
        const answer = more(path, options?.body) ?? zone(path) ?? reverse(path)
        if (answer instanceof Error) throw answer
        return answer as Record<string, unknown>
      },
    },
  )
  await connect(site.kit, { connectorId: site.wallets.ids[0] })
  site.wallets.signature = '0x51'
  return { ...site, requests, address: site.wallets.address(0) }
}

/** The gateway's error for a refused request. */
const refused = (status: number, reason?: string) =>
  new GatewayError('The reason.', { status, field: 'name', reason })
const registered: Respond = (path, body) =>
  path.endsWith('/account') ? JSON.parse(String(body?.message)) : undefined
const failing =
  (error: Error): Respond =>
  (path) =>
    path.endsWith('/account') ? error : undefined

describe('the names of an account', () => {
  test('§7.9 come with the zone of the site', async () => {
    const names = [{ name: 'mira.harbor.alt' }, { name: 7 }, null]
    const { kit, requests, address } = await connected((path) =>
      path.includes('/reverse/') ? names : undefined,
    )
    expect(await getNames(kit)).toEqual({ zone: 'harbor.alt', names: ['mira.harbor.alt'] })
    expect(requests.map(([path, options]) => [path, options?.query])).toEqual([
      ['/v1/profile/zone', undefined],
      [`/v1/profile/reverse/${address}`, { apiVersion: '2' }],
    ])
  })

  test('attack: a name that looks like another one is not shown', async () => {
    const names = [{ name: 'm\u0456ra.eth' }, { name: 'mira.eth\u202e' }, { name: 'Mira.eth' }]
    const plain = { name: 'mira-two-3.eth' }
    const { kit } = await connected((path) =>
      path.includes('/reverse/') ? [...names, plain] : undefined,
    )
    expect(await getNames(kit)).toEqual({ zone: 'harbor.alt', names: [plain.name] })
  })

  test('a gateway without names has no zone', async () => {
    const { kit } = await connected(() => refused(404))
    expect(await getNames(kit)).toEqual({ zone: undefined, names: [] })
  })

  test('an account without names has the zone', async () => {
    const { kit } = await connected((path) =>
      path.includes('/reverse/') ? refused(404) : undefined,
    )
    expect(await getNames(kit)).toEqual({ zone: 'harbor.alt', names: [] })
  })

  test('a site without a gateway has neither a zone nor names', async () => {
    const { kit, wallets } = start()
    await connect(kit, { connectorId: wallets.ids[0] })
    expect(await getNames(kit)).toEqual({ zone: undefined, names: [] })
    expect(await getIdentity(kit)).toEqual({ name: undefined, avatar: undefined })
    expect(await resolveName(kit, { name: 'mira.harbor.alt' })).toBeUndefined()
  })

  test('of another chain family: there are none, and none can be registered', async () => {
    const requests: string[] = []
    const { kit } = start(
      { networks: [toyNetworks[0]!], adapters: [toyFamily().factory] },
      {
        analyticsEnabled: async () => false,
        async request(path) {
          requests.push(path)
          return { zone: 'harbor.alt' }
        },
      },
    )
    await connect(kit, { connectorId: 'toy.wallet' })
    expect(await getNames(kit)).toEqual({ zone: undefined, names: [] })
    await expect(registerName(kit, { label: 'mira' })).rejects.toMatchObject({
      code: 'names.unavailable',
    })
    expect(requests).toEqual([])
  })

  test('are requested with the signal of the site', async () => {
    const { kit, requests } = await connected()
    const { signal } = new AbortController()
    await getNames(kit, { signal })
    await checkName(kit, { label: 'mira', signal }).catch(() => {})
    expect(requests.map(([, options]) => options?.signal)).toEqual([signal, signal, signal])
  })

  test.each<[string, string, unknown, object]>([
    [
      'a zone that is not text',
      '/zone',
      { zone: 7 },
      { shortMessage: 'The gateway sent no zone.' },
    ],
    [
      'a zone that looks like another',
      '/zone',
      { zone: 'h\u0430rbor.alt' },
      { shortMessage: 'The gateway sent no zone.' },
    ],
    [
      'no zone after a failure',
      '/zone',
      new GatewayError('No response.', { status: 503 }),
      { shortMessage: 'Error resolving name', status: 503 },
    ],
    ['no list', '/reverse/', {}, { shortMessage: 'The gateway sent a malformed list of names.' }],
  ])('error: a gateway that sends %s', async (_, part, answer, error) => {
    const { kit } = await connected((path) => (path.includes(part) ? answer : undefined))
    await expect(getNames(kit)).rejects.toMatchObject(error)
  })

  test('error: §8.5.1 a failed look-up is not the answer that the account has no name', async () => {
    const { kit } = await connected((path) =>
      path.includes('/reverse/') ? new GatewayError('No response.', { status: 503 }) : undefined,
    )
    await expect(getNames(kit)).rejects.toMatchObject({
      shortMessage: 'Error fetching names for address',
      status: 503,
    })
    await expect(getIdentity(kit)).rejects.toBeInstanceOf(GatewayError)
  })

  test('§5.8.1 are the identity of an account without an ENS name, except on test networks', async () => {
    const own: Respond = (path) =>
      path.includes('/reverse/') ? [{ name: 'mira.harbor.alt' }] : undefined
    const { kit, wallets, requests } = await connected(own)
    expect(await getIdentity(kit)).toEqual({ name: 'mira.harbor.alt', avatar: undefined })
    wallets.identity = { name: 'mira.eth', avatar: 'https://a.example/b.png' }
    requests.length = 0
    expect(await getIdentity(kit)).toEqual(wallets.identity)
    expect(requests.map(([path]) => path)).not.toContainEqual(expect.stringContaining('/reverse/'))
    const test = await connected(own, [sepolia] as never)
    expect(await getIdentity(test.kit)).toEqual({ name: undefined, avatar: undefined })
  })
})

describe('the identity of an account', () => {
  const url = 'https://a.example/b.png'
  const offer = (identity: unknown) =>
    connected((path) => (path.startsWith('/v1/identity/') ? identity : undefined))

  test('§7.8.2 is what the gateway has found, in one request', async () => {
    const { kit, wallets, requests, address } = await offer({ name: 'mira.eth', avatar: url })
    wallets.identity = { name: 'tomas.eth', avatar: undefined }
    requests.length = 0
    expect(await getIdentity(kit)).toEqual({ name: 'mira.eth', avatar: url })
    expect(requests.map(([path]) => path)).toEqual([`/v1/identity/${address}`])
  })

  test('may have an avatar of 2,000 characters', async () => {
    const found = { name: 'mira.eth', avatar: `${url}?`.padEnd(2_000, 'a') }
    const { kit } = await offer(found)
    expect(await getIdentity(kit)).toEqual(found)
  })

  test('an account without a name needs no further request', async () => {
    const { kit, wallets, requests } = await offer({ name: null, avatar: null })
    wallets.identity = { name: 'tomas.eth', avatar: undefined }
    requests.length = 0
    expect(await getIdentity(kit)).toEqual({ name: undefined, avatar: undefined })
    expect(requests).toHaveLength(1)
  })

  test.each([
    ['the gateway could not read all of it', { name: null, avatar: null, missing: ['name'] }],
    ['the gateway does not serve it', new GatewayError('Not found.', { status: 404 })],
    ['the gateway failed', new GatewayError('No response.', { status: 503 })],
    ['the response has no name', {}],
    ['the name is not text', { name: ['a.eth'], avatar: null }],
    ['the avatar is too long', { name: 'a.eth', avatar: `${url}?`.padEnd(2_001, 'a') }],
  ])('is read from the chain if %s', async (_, identity) => {
    const { kit, wallets } = await offer(identity)
    wallets.identity = { name: 'tomas.eth', avatar: url }
    expect(await getIdentity(kit)).toEqual(wallets.identity)
  })
})

describe('the check of a name', () => {
  const list = (registered: unknown): Respond => {
    const suggestions = [
      { name: 'mira.harbor.alt', registered },
      { name: 'mira-1.harbor.alt', registered: false },
      { name: 'mira-2.harbor.alt', registered: true },
    ]
    return (path) => (path.includes('/suggestions/') ? { suggestions } : undefined)
  }

  test('§3.13 reports whether it is available, and similar names that are', async () => {
    const free = await connected(list(false))
    expect(await checkName(free.kit, { label: 'Mira' })).toEqual({
      name: 'mira.harbor.alt',
      isAvailable: true,
      suggestions: ['mira-1.harbor.alt'],
    })
    expect(free.requests[0]?.[0]).toBe('/v1/profile/suggestions/mira')
    const taken = await connected(list(true))
    expect((await checkName(taken.kit, { label: 'mira' })).isAvailable).toBe(false)
  })

  test.each([
    [
      'a failure',
      new GatewayError('No response.', { status: 503 }),
      'Error fetching name suggestions',
    ],
    ['a failure with a reason', refused(503), 'The reason.'],
    ['a list of nothing', { suggestions: [null] }, 'malformed'],
    ['no list', {}, 'The gateway sent a malformed list of names.'],
    ['another name', { suggestions: [{ name: 'm.harbor.alt', registered: false }] }, 'malformed'],
    ['a response without a boolean', { suggestions: [{ name: 'mira.harbor.alt' }] }, 'malformed'],
  ])('error: §8.5.1 never reports a name as available after %s', async (_, answer, message) => {
    const { kit } = await connected((path) => (path.includes('/suggestions/') ? answer : undefined))
    await expect(checkName(kit, { label: 'mira' })).rejects.toThrow(message)
  })

  test('error: §5.4.1 a label that cannot be a name is not sent', async () => {
    const { kit, requests } = await connected()
    await expect(checkName(kit, { label: 'mi_ra' })).rejects.toMatchObject({
      problem: 'characters',
      code: 'names.label',
    })
    expect(requests).toEqual([])
  })
})

describe('a registration', () => {
  test('§4.10.1 §5.4.2 sends the signed name with the coin type of the network', async () => {
    const { kit, wallets, requests, address } = await connected(registered)
    wallets.emit({
      type: 'chainChanged',
      connectorId: wallets.ids[0],
      caipNetworkId: 'eip155:10',
    })
    expect(await registerName(kit, { label: 'Mira' })).toBe('mira.harbor.alt')
    const timestamp = Math.floor(Date.now() / 1000)
    const message = JSON.stringify({ name: 'mira.harbor.alt', attributes: {}, timestamp })
    expect(wallets.signed).toEqual([message])
    expect(requests.at(-1)).toEqual([
      '/v1/profile/account',
      {
        body: { coin_type: toCoinType(10), address, message, signature: '0x51' },
        signal: undefined,
      },
    ])
  })

  test('error: §5.4.1 a label that cannot be a name is not signed', async () => {
    const { kit, wallets, requests } = await connected(registered)
    await expect(registerName(kit, { label: 'mi_ra' })).rejects.toMatchObject({
      problem: 'characters',
    })
    expect([wallets.signed, requests]).toEqual([[], []])
  })

  test('error: §6.2 §8.4/7 needs a connected wallet', async () => {
    const { kit } = start()
    await expect(registerName(kit, { label: 'mira' })).rejects.toMatchObject({
      code: 'wallet.not_connected',
      shortMessage: 'Address or auth connector not found',
    })
  })

  test('error: needs a gateway that has names; the wallet is not asked otherwise', async () => {
    const { kit, wallets } = await connected(() => refused(404))
    await expect(registerName(kit, { label: 'mira' })).rejects.toMatchObject({
      code: 'names.unavailable',
    })
    expect(wallets.signed).toEqual([])
  })

  test.each([
    ['name_taken', 'names.taken'],
    ['name_reserved', 'names.taken'],
    ['too_many_names', 'names.too_many'],
    ['wrong_signature', 'names.signature'],
    ['stale_message', 'names.clock'],
  ])('error: the refusal %s is the error %s', async (reason, code) => {
    const { kit } = await connected(failing(refused(400, reason)))
    await expect(registerName(kit, { label: 'mira' })).rejects.toMatchObject({
      code,
      cause: { reason },
    })
  })

  test('error: a refusal for another reason is final, whatever names the account has', async () => {
    const { kit } = await connected((path) =>
      path.includes('/reverse/')
        ? [{ name: 'mira.harbor.alt' }]
        : failing(refused(400, 'name_reserved'))(path),
    )
    await expect(registerName(kit, { label: 'mira' })).rejects.toMatchObject({
      code: 'names.taken',
    })
  })

  test('error: an aborted registration sends no further requests', async () => {
    const abort = new DOMException('Aborted.', 'AbortError')
    const { kit, requests } = await connected(failing(abort))
    await expect(registerName(kit, { label: 'mira' })).rejects.toBe(abort)
    expect(requests.map(([path]) => path)).toEqual(['/v1/profile/zone', '/v1/profile/account'])
  })

  test('error: a lost response, and no response about the account’s names either', async () => {
    const { kit } = await connected((path) =>
      path.endsWith('/zone') ? undefined : new GatewayError('No response.', { status: 500 }),
    )
    await expect(registerName(kit, { label: 'mira' })).rejects.toMatchObject({
      shortMessage: 'Error registering name mira.harbor.alt',
    })
  })

  test('error: §8.5.1 a failure without a reason names the name', async () => {
    const { kit } = await connected(failing(new GatewayError('No response.')))
    await expect(registerName(kit, { label: 'mira' })).rejects.toMatchObject({
      shortMessage: 'Error registering name mira.harbor.alt',
    })
  })

  test('error: a gateway that registers another name', async () => {
    const { kit } = await connected((path) =>
      path.endsWith('/account') ? { name: 'tomas.harbor.alt' } : undefined,
    )
    await expect(registerName(kit, { label: 'mira' })).rejects.toThrow('a name other than')
  })

  test.each([
    ['a lost response', new GatewayError('No response.')],
    ['a failure of the gateway', new GatewayError('Failed.', { status: 500 })],
    ['a name that this account has registered in another tab', refused(400, 'name_taken')],
  ])('after %s, the account’s names decide', async (_, error) => {
    const { kit } = await connected((path) =>
      path.includes('/reverse/') ? [{ name: 'mira.harbor.alt' }] : failing(error)(path),
    )
    expect(await registerName(kit, { label: 'mira' })).toBe('mira.harbor.alt')
  })

  test('error: a wallet that signs too late; nothing is sent', async () => {
    const { kit, wallets, requests } = await connected(registered)
    wallets.faults.hang = true
    const signing = signName(kit, { label: 'mira' })
    const failure = signing.catch((error: unknown) => error)
    await vi.advanceTimersByTimeAsync(limits.nameMessageSeconds * 1000 + 1)
    wallets.release()
    expect(await failure).toMatchObject({ code: 'names.expired' })
    expect(requests.map(([path]) => path)).toEqual(['/v1/profile/zone'])
  })

  test('a wallet that signs just in time', async () => {
    const { kit, wallets } = await connected(registered)
    wallets.faults.hang = true
    const signing = signName(kit, { label: 'mira' })
    await vi.advanceTimersByTimeAsync(limits.nameMessageSeconds * 1000)
    wallets.release()
    expect((await signing).name).toBe('mira.harbor.alt')
  })

  test('error: a signature that is sent just in time has not expired', async () => {
    const { kit } = await connected(failing(refused(400, 'stale_message')))
    vi.setSystemTime(1_800_000_000_000)
    const signed = await signName(kit, { label: 'mira' })
    vi.setSystemTime(1_800_000_000_000 + limits.nameMessageSeconds * 1000)
    await expect(submitName(kit, signed)).rejects.toMatchObject({ code: 'names.clock' })
  })

  test('error: a signature that is sent too late is expired, not a wrong clock', async () => {
    const { kit } = await connected(failing(refused(400, 'stale_message')))
    const signed = await signName(kit, { label: 'mira' })
    vi.setSystemTime(Date.now() + limits.nameMessageSeconds * 1000 + 1_000)
    await expect(submitName(kit, signed)).rejects.toMatchObject({ code: 'names.expired' })
  })

  test.each(['yes', '51', '0x', '0x5', 'x0x51', '0x51 ', '0xzz'])(
    'error: a wallet that returns %j instead of a signature',
    async (signature) => {
      const { kit, wallets } = await connected(registered)
      wallets.signature = signature
      await expect(registerName(kit, { label: 'mira' })).rejects.toMatchObject({
        code: 'names.signature',
      })
    },
  )

  test('can have a signature of a contract account, which is longer', async () => {
    const { kit, wallets } = await connected(registered)
    wallets.signature = '0x51aAfF'
    expect(await registerName(kit, { label: 'mira' })).toBe('mira.harbor.alt')
  })

  test.each([
    ['declines', 'reject', { name: 'UserRejectedError' }],
    ['fails', 'fail', { details: 'The wallet failed.' }],
  ] as const)('error: a wallet that %s; nothing is sent', async (_, fault, error) => {
    const { kit, wallets, requests } = await connected(registered)
    wallets.faults[fault] = true
    await expect(registerName(kit, { label: 'mira' })).rejects.toMatchObject(error)
    expect(requests.map(([path]) => path)).toEqual(['/v1/profile/zone'])
  })

  test('error: a wallet that disconnects while it shows the request; nothing is sent', async () => {
    const { kit, wallets, requests } = await connected(registered)
    wallets.faults.hang = true
    const failure = registerName(kit, { label: 'mira' }).catch((error: unknown) => error)
    await vi.advanceTimersByTimeAsync(0)
    wallets.emit({ type: 'disconnected', connectorId: wallets.ids[0] })
    wallets.release()
    expect(await failure).toMatchObject({ code: 'names.account_changed' })
    expect(requests.map(([path]) => path)).not.toContain('/v1/profile/account')
  })

  test('keeps its initial network if the wallet switches the network while it shows the request', async () => {
    const { kit, wallets, requests } = await connected(registered)
    wallets.faults.hang = true
    const registering = registerName(kit, { label: 'mira' })
    await vi.advanceTimersByTimeAsync(0)
    wallets.emit({
      type: 'chainChanged',
      connectorId: wallets.ids[0],
      caipNetworkId: 'eip155:10',
    })
    wallets.release()
    await registering
    expect(requests.at(-1)?.[1]?.body).toMatchObject({ coin_type: toCoinType(1) })
  })

  test('error: the account changes while the wallet shows the request', async () => {
    const { kit, wallets, requests } = await connected(registered)
    wallets.faults.hang = true
    const signing = registerName(kit, { label: 'mira' })
    const failure = signing.catch((error: unknown) => error)
    await vi.advanceTimersByTimeAsync(0)
    wallets.emit({
      type: 'accountsChanged',
      connectorId: wallets.ids[0],
      accounts: [{ namespace: 'eip155', address: wallets.address(1), type: 'eoa' }],
    })
    wallets.release()
    expect(await failure).toMatchObject({ code: 'names.account_changed' })
    expect(requests.map(([path]) => path)).not.toContain('/v1/profile/account')
  })

  test('a cancelled registration does not use a signature that arrives later', async () => {
    const { kit, wallets, requests } = await connected(registered)
    wallets.faults.hang = true
    const controller = new AbortController()
    const signing = registerName(kit, { label: 'mira', signal: controller.signal })
    const failure = signing.catch((error: unknown) => error)
    await vi.advanceTimersByTimeAsync(0)
    controller.abort()
    wallets.release()
    expect(await failure).toMatchObject({ name: 'AbortError' })
    expect(requests.map(([path]) => path)).not.toContain('/v1/profile/account')
  })
})

describe('the address of a name', () => {
  const [key, contract] = ['0x' + '1'.repeat(40), '0x' + '2'.repeat(40)]
  const record = (addresses: object): Respond => {
    const found = { name: 'mira.harbor.alt', addresses }
    return (path) => (path.includes('/account/') ? found : undefined)
  }

  test('in a zone below .alt comes from the gateway: of the network, or of Ethereum', async () => {
    const own = { 60: { address: key }, [toCoinType(1)]: { address: contract } }
    const { kit, requests } = await connected(record(own))
    expect(await resolveName(kit, { name: 'Mira.harbor.alt' })).toBe(contract)
    expect(requests.at(-1)).toEqual([
      '/v1/profile/account/mira.harbor.alt',
      { query: { apiVersion: '2' } },
    ])
    const ether = await connected(record({ 60: { address: key } }))
    expect(await resolveName(ether.kit, { name: 'mira.harbor.alt' })).toBe(key)
  })

  test('of a contract account is unknown on other networks', async () => {
    const { kit } = await connected(record({ [toCoinType(10)]: { address: contract } }))
    expect(await resolveName(kit, { name: 'mira.harbor.alt' })).toBeUndefined()
  })

  test.each([
    ['nobody has registered it', 404],
    ['nobody can', 400],
  ])('is unknown if %s', async (_, status) => {
    const { kit } = await connected(() => refused(status))
    expect(await resolveName(kit, { name: 'mira.harbor.alt' })).toBeUndefined()
  })

  test.each([7, '0x1', `x${key}`, `${key}0`, `0x${'g'.repeat(40)}`])(
    'attack: is unknown if the gateway sends %j',
    async (address) => {
      const { kit } = await connected(record({ 60: { address } }))
      expect(await resolveName(kit, { name: 'mira.harbor.alt' })).toBeUndefined()
    },
  )

  test('is not requested for a text that is longer than a name, or no name', async () => {
    const { kit, requests } = await connected(record({ 60: { address: key } }))
    const longest = `${'a'.repeat(253 - '.harbor.alt'.length)}.harbor.alt`
    expect(await resolveName(kit, { name: longest })).toBe(key)
    requests.length = 0
    expect(await resolveName(kit, { name: `a${longest}` })).toBeUndefined()
    expect(await resolveName(kit, { name: 'mi ra.harbor.alt' })).toBeUndefined()
    expect(requests).toEqual([])
  })

  test('attack: the gateway does not answer for names in ENS', async () => {
    const { kit, wallets, requests } = await connected(record({ 60: { address: contract } }))
    wallets.names['mira.eth'] = key
    expect(await resolveName(kit, { name: 'mira.eth' })).toBe(key)
    expect(await resolveName(kit, { name: 'nobody.eth' })).toBeUndefined()
    expect(requests).toEqual([])
  })

  test('error: a failed look-up is not the answer that the name has no address', async () => {
    const { kit } = await connected(() => new GatewayError('No response.', { status: 503 }))
    await expect(resolveName(kit, { name: 'mira.harbor.alt' })).rejects.toMatchObject({
      shortMessage: 'Error resolving name',
    })
  })
})
