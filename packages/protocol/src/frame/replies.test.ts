import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { CardMessage, FrameErrorReply, frameReplies, type FrameRequestName } from './replies.ts'

const siwxMessage = {
  accountAddress: '0x1',
  chainId: 'eip155:1',
  domain: 'page.example',
  uri: 'https://page.example/',
  version: '1',
  nonce: 'n',
}
const user = {
  email: 'a@b.example',
  address: '0x1',
  chainId: 1,
  userName: 'ada',
  smartAccountDeployed: true,
  accounts: [{ address: '0x1', type: 'eoa' }],
  preferredAccountType: 'smartAccount',
  signature: '0x',
  message: 'text',
  siwxMessage,
}
const optional = Object.keys(user).filter((member) => member !== 'address')

/** Each row has a reply with all of its members, and the names of the optional ones. */
const replies: [name: FrameRequestName, reply: Record<string, unknown>, optional?: string[]][] = [
  ['CONNECT_EMAIL', { action: 'VERIFY_OTP' }],
  ['CONNECT_SOCIAL', user, optional],
  ['GET_SOCIAL_REDIRECT_URI', { uri: 'u' }],
  ['GET_FARCASTER_URI', { url: 'u' }],
  ['CONNECT_FARCASTER', { userName: 'ada' }],
  ['GET_USER', user, optional],
  ['GET_SMART_ACCOUNT_ENABLED_NETWORKS', { smartAccountEnabledNetworks: [1] }],
  ['SET_PREFERRED_ACCOUNT', { type: 'eoa', address: '0x1' }],
  ['IS_CONNECTED', { isConnected: false }],
  ['UPDATE_EMAIL', { action: 'VERIFY_PRIMARY_OTP' }],
  ['UPDATE_EMAIL_SECONDARY_OTP', { newEmail: 'a@b.example' }],
]

test.each(replies)(
  'the reply to %s is read with all of its members',
  (name, reply, absent = []) => {
    const schema: v.GenericSchema = frameReplies[name]
    expect(v.parse(schema, reply)).toEqual(reply)
    for (const member of Object.keys(reply)) {
      const { [member]: _, ...rest } = reply
      expect([member, v.is(schema, rest)]).toEqual([member, absent.includes(member)])
      expect([member, v.is(schema, { ...reply, [member]: Symbol('other') })]).toEqual([
        member,
        false,
      ])
    }
  },
)

describe('the value of a member', () => {
  test.each<[FrameRequestName, string, unknown[]]>([
    ['CONNECT_EMAIL', 'action', ['VERIFY_DEVICE', 'VERIFY_OTP', 'CONNECT']],
    ['UPDATE_EMAIL', 'action', ['VERIFY_PRIMARY_OTP', 'VERIFY_SECONDARY_OTP']],
    ['GET_USER', 'chainId', [1, 'solana:1']],
    ['GET_USER', 'email', [null]],
    ['GET_USER', 'userName', [null]],
    ['GET_USER', 'accounts', [[], [{ address: '0x1', type: 'smartAccount' }]]],
  ])('%s: %s can be any of %j', (name, member, values) => {
    const [, reply] = replies.find(([one]) => one === name)!
    for (const value of values)
      expect(v.is(frameReplies[name], { ...reply, [member]: value })).toBe(true)
    expect(v.is(frameReplies[name], { ...reply, [member]: ['other'] })).toBe(false)
  })

  test.each([{ address: '0x1' }, { type: 'eoa' }])(
    'an account with only %j is refused',
    (account) => {
      expect(v.is(frameReplies.GET_USER, { ...user, accounts: [account] })).toBe(false)
    },
  )
})

test.each<FrameRequestName>([
  'CONNECT_DEVICE',
  'CONNECT_OTP',
  'CONNECT_PASSKEY',
  'SIGN_OUT',
  'RPC_REQUEST',
  'UPDATE_EMAIL_PRIMARY_OTP',
  'SYNC_THEME',
])('the reply to %s can be anything', (name) => {
  expect(v.is(frameReplies[name], undefined)).toBe(true)
})

test('an error has a message; only Gatefold’s frame adds a code', () => {
  expect(v.parse(FrameErrorReply, { message: 'm', code: 'c' })).toEqual({ message: 'm', code: 'c' })
  expect(v.is(FrameErrorReply, { message: 'm' })).toBe(true)
  expect(v.is(FrameErrorReply, { code: 'c' })).toBe(false)
})

test('the height of a card is a length, or null if no card is shown', () => {
  for (const height of [0, 320.5, null])
    expect(v.parse(CardMessage, { height })).toEqual({ height, kind: 'approval' })
  for (const height of [-1, Infinity, Number.NaN, '320', undefined])
    expect(v.is(CardMessage, { height })).toBe(false)
})
