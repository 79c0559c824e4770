import { describe, expect, test } from 'vitest'
import { framePrefix, parseAppMessage } from './appMessages.ts'

const send = (name: string, payload?: unknown) =>
  parseAppMessage({ type: `@w3m-app/${name}`, id: 'abcde', payload })

const siwxMessage = {
  serializedMessage: 'text',
  accountAddress: '0x1',
  chainId: 'eip155:1',
  domain: 'page.example',
  uri: 'https://page.example/',
  version: '1',
  nonce: 'n',
  statement: 's',
  resources: ['r'],
  requestId: 'q',
  issuedAt: 'a',
  expirationTime: 'b',
  notBefore: 'c',
}
const user = {
  chainId: 'eip155:1',
  preferredAccountType: 'smartAccount',
  siwxMessage,
  rpcUrl: 'https://node.example/',
}
const metadata = { name: 'n', description: 'd', url: 'u', icons: ['i'] }

/** Each row has a message with all members of its payload, and the names of the required ones. */
const messages: [name: string, payload: Record<string, unknown>, required: string[]][] = [
  ['SWITCH_NETWORK', { chainId: 1, rpcUrl: 'u' }, ['chainId']],
  ['CONNECT_EMAIL', { email: 'a@b.example' }, ['email']],
  ['CONNECT_OTP', { otp: '123456' }, ['otp']],
  ['CONNECT_SOCIAL', { uri: 'u', ...user }, ['uri']],
  ['GET_SOCIAL_REDIRECT_URI', { provider: 'google' }, ['provider']],
  ['GET_USER', { socialUri: 'u', ...user }, []],
  ['IS_CONNECTED', { token: 't' }, []],
  ['SET_PREFERRED_ACCOUNT', { type: 'eoa' }, ['type']],
  [
    'RPC_REQUEST',
    { method: 'eth_call', params: [1], chainNamespace: 'solana', chainId: 'a', rpcUrl: 'u' },
    ['method'],
  ],
  ['UPDATE_EMAIL', { email: 'a@b.example' }, ['email']],
  ['UPDATE_EMAIL_PRIMARY_OTP', { otp: '1' }, ['otp']],
  ['UPDATE_EMAIL_SECONDARY_OTP', { otp: '1' }, ['otp']],
  [
    'SYNC_THEME',
    { themeMode: 'dark', themeVariables: { a: 'b', c: 1 }, w3mThemeVariables: { d: 'e' } },
    [],
  ],
  ['SYNC_DAPP_DATA', { metadata, sdkVersion: 'v', sdkType: 't', projectId: 'p' }, ['projectId']],
]

test.each(messages)(
  '§3.16 §5.10.2 §7.17.1 §7.17.2 %s is read with all of its members',
  (name, payload, required) => {
    expect(send(name, payload)).toEqual({ name, id: 'abcde', payload })
    expect(send(name, { ...payload, other: 1 })).toEqual({ name, id: 'abcde', payload })
    for (const member of Object.keys(payload)) {
      const { [member]: _, ...rest } = payload
      expect([member, send(name, rest) === undefined]).toEqual([member, required.includes(member)])
    }
    // The params of a request can be anything.
    for (const member of Object.keys(payload).filter((one) => one !== 'params'))
      expect(send(name, { ...payload, [member]: true })).toBeUndefined()
  },
)

test.each([
  'CONNECT_DEVICE',
  'GET_FARCASTER_URI',
  'CONNECT_FARCASTER',
  'SIGN_OUT',
  'GET_CHAIN_ID',
  'GET_SMART_ACCOUNT_ENABLED_NETWORKS',
  'INIT_SMART_ACCOUNT',
  'RPC_ABORT',
  'RELOAD',
  'CONNECT_PASSKEY',
  'OPEN_PORT',
])('§7.17.1 §7.17.2 §7.17.3 %s has no payload; one that is sent is not read', (name) => {
  const message = { name, id: 'abcde', payload: undefined }
  expect(send(name)).toEqual(message)
  expect(send(name, { any: 1 })).toEqual(message)
})

test('messages of the frame have the prefix of the official client', () => {
  expect(framePrefix).toBe('@w3m-frame/')
})

test('missing optional members have their defaults', () => {
  expect(send('GET_USER')).toMatchObject({ payload: {} })
  expect(send('IS_CONNECTED')).toMatchObject({ payload: undefined })
  expect(send('RPC_REQUEST', { method: 'eth_call' })).toMatchObject({
    payload: { chainNamespace: 'eip155' },
  })
})

describe('the value of a member', () => {
  const other = ['', 'other']
  test.each<[string, string, unknown[], unknown[]]>([
    ['SWITCH_NETWORK', 'chainId', ['eip155:1', '1', 1, 0], [-1, 1.5]],
    ['SET_PREFERRED_ACCOUNT', 'type', ['eoa', 'smartAccount'], other],
    [
      'GET_SOCIAL_REDIRECT_URI',
      'provider',
      ['google', 'github', 'apple', 'facebook', 'x', 'discord'],
      other,
    ],
    ['RPC_REQUEST', 'chainNamespace', ['eip155', 'solana', 'polkadot', 'bip122', 'cosmos'], other],
    ['SYNC_THEME', 'themeMode', ['light', 'dark'], other],
  ])('%s: %s can be any of %j, but none of %j', (name, member, right, wrong) => {
    const [, payload] = messages.find(([one]) => one === name)!
    for (const value of right)
      expect(send(name, { ...payload, [member]: value })).toMatchObject({
        payload: { [member]: value },
      })
    for (const value of wrong) expect(send(name, { ...payload, [member]: value })).toBeUndefined()
  })

  test('§3.15 §5.10.4 the message to sign in with has text alone, and needs what EIP-4361 needs', () => {
    expect(send('GET_USER', { siwxMessage })).toMatchObject({ payload: { siwxMessage } })
    const required = ['accountAddress', 'chainId', 'domain', 'uri', 'version', 'nonce']
    for (const member of Object.keys(siwxMessage)) {
      const { [member as 'uri']: _, ...rest } = siwxMessage
      const isRead = send('GET_USER', { siwxMessage: rest }) !== undefined
      expect([member, isRead]).toEqual([member, !required.includes(member)])
      expect(send('GET_USER', { siwxMessage: { ...siwxMessage, [member]: 1 } })).toBeUndefined()
    }
  })

  test('the metadata of a page requires all of its members', () => {
    for (const member of Object.keys(metadata)) {
      const { [member as 'url']: _, ...rest } = metadata
      expect(send('SYNC_DAPP_DATA', { projectId: 'p', metadata: rest })).toBeUndefined()
    }
  })
})

describe('attack: §5.10.10 a page sends', () => {
  test.each([
    ['text', 'RELOAD'],
    ['null', null],
    ['no type', { id: 'a' }],
    ['no id', { type: '@w3m-app/RELOAD' }],
    ['an empty id', { type: '@w3m-app/RELOAD', id: '' }],
    ['a long id', { type: '@w3m-app/RELOAD', id: 'a'.repeat(65) }],
    ['an id that is not text', { type: '@w3m-app/RELOAD', id: 1 }],
    ['a message of the frame', { type: '@w3m-frame/RELOAD', id: 'a' }],
    ['an unknown name', { type: '@w3m-app/STEAL', id: 'a' }],
    ['a name of Object.prototype', { type: '@w3m-app/toString', id: 'a' }],
    ['a name without the prefix', { type: 'RELOAD', id: 'a' }],
  ])('%s, which is not read', (_what, message) => {
    expect(parseAppMessage(message)).toBeUndefined()
  })

  test.each<[string, string, (text: string) => unknown, number]>([
    ['CONNECT_EMAIL', 'email', (text) => ({ email: text }), 320],
    ['CONNECT_OTP', 'otp', (text) => ({ otp: text }), 20],
    ['CONNECT_SOCIAL', 'uri', (text) => ({ uri: text }), 8_000],
    ['RPC_REQUEST', 'method', (text) => ({ method: text }), 100],
    ['SWITCH_NETWORK', 'chainId', (text) => ({ chainId: text }), 80],
    ['SYNC_THEME', 'variable', (text) => ({ themeVariables: { [text]: 1 } }), 100],
    ['SYNC_THEME', 'value', (text) => ({ w3mThemeVariables: { a: text } }), 300],
    ['SYNC_DAPP_DATA', 'project', (text) => ({ projectId: text }), 64],
  ])('%s with a long %s, which is not read', (name, _member, payload, limit) => {
    expect(send(name, payload('x'.repeat(limit)))).toBeDefined()
    expect(send(name, payload('x'.repeat(limit + 1)))).toBeUndefined()
  })

  test('long lists, which are not read', () => {
    const resources = Array<string>(50).fill('r')
    const icons = Array<string>(20).fill('i')
    const signIn = (list: string[]) =>
      send('GET_USER', { siwxMessage: { ...siwxMessage, resources: list } })
    const describePage = (list: string[]) =>
      send('SYNC_DAPP_DATA', { projectId: 'p', metadata: { ...metadata, icons: list } })
    expect([signIn(resources), describePage(icons)]).not.toContain(undefined)
    expect(signIn([...resources, 'r'])).toBeUndefined()
    expect(describePage([...icons, 'i'])).toBeUndefined()
  })
})

test('attack: the validation stops at the first issue', () => {
  let reads = 0
  const resources: unknown[] = [0, 0]
  Object.defineProperty(resources, 1, { get: () => (reads += 1) })
  expect(send('GET_USER', { siwxMessage: { ...siwxMessage, resources } })).toBeUndefined()
  expect(reads).toBe(0)
})
