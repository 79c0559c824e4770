import { describe, expect, test } from 'vitest'

import { defaultFeatures } from './features.ts'
import { resolveFeatures } from './resolveFeatures.ts'

const undecided = [
  'social_login',
  'swap',
  'onramp',
  'activity',
  'reown_branding',
  'multi_wallet',
  'passkey_login',
].map((id) => ({ id, isEnabled: true, config: null }))

test('§3.21 without options and without a gateway, every feature is on', () => {
  expect(resolveFeatures({})).toEqual({
    features: {
      email: true,
      socials: ['google', 'x', 'farcaster', 'discord', 'apple', 'github', 'facebook'],
      passkey: true,
      swaps: ['1inch'],
      onramp: ['meld'],
      activity: true,
      reownBranding: true,
      multiWallet: true,
    },
    overridden: [],
  })
})

describe('local options', () => {
  test('§9.12.2/2 §9.7.2 email and the default providers are on by default and with `true`', () => {
    const { features } = resolveFeatures({ local: { socials: true, swaps: true } })
    expect(features).toEqual(defaultFeatures)
  })

  test('replace the defaults', () => {
    const local = {
      email: false,
      socials: ['x'],
      passkey: false,
      swaps: false,
      onramp: ['other'],
      activity: false,
      multiWallet: false,
    }
    expect(resolveFeatures({ local }).features).toEqual({ ...local, reownBranding: true })
  })

  test('§9.12.2/3 an empty list of providers disables the feature', () => {
    expect(resolveFeatures({ local: { socials: [] } }).features.socials).toBe(false)
  })

  test.each([[[1, 2]], [['meld', 1]], ['meld'], [[null]]])(
    '§5.5.1 invalid on-ramp providers %j disable the on-ramp',
    (onramp) => {
      expect(resolveFeatures({ local: { onramp: onramp as never } }).features.onramp).toBe(false)
    },
  )

  test('§6.4.1 in basic mode, every feature is off, regardless of the site’s options', () => {
    const { features } = resolveFeatures({ basic: true, local: { email: true }, remote: undecided })
    expect(Object.values(features).every((value) => value === false)).toBe(true)
  })
})

describe('§3.21 §6.4.1 the three states of a remote feature', () => {
  test('with `config: null`, the site’s option or the default applies', () => {
    expect(resolveFeatures({ remote: undecided }).features).toEqual(defaultFeatures)
    const local = { email: false, activity: false, swaps: false } as const
    expect(resolveFeatures({ local, remote: undecided }).features).toMatchObject(local)
  })

  test('a missing entry, or an entry without `config`, disables the feature', () => {
    const { features } = resolveFeatures({ remote: [{ id: 'activity', isEnabled: true }] })
    expect(features).toEqual({
      email: false,
      socials: false,
      passkey: false,
      swaps: false,
      onramp: false,
      activity: false,
      reownBranding: false,
      multiWallet: false,
    })
  })

  test('a disabled entry turns the feature off, even with `config: null`', () => {
    const remote = undecided.map((entry) => ({ ...entry, isEnabled: false }))
    const local = { email: true, swaps: true, activity: true }
    const { features, overridden } = resolveFeatures({ local, remote })
    expect(Object.values(features).every((value) => value === false)).toBe(true)
    expect(overridden).toEqual(['email', 'swaps', 'activity'])
  })

  test('a list overrides the options, even if it is empty', () => {
    const { features } = resolveFeatures({
      remote: [
        { id: 'social_login', isEnabled: true, config: ['email', 'google'] },
        { id: 'swap', isEnabled: true, config: ['1inch'] },
        { id: 'onramp', isEnabled: true, config: [] },
        { id: 'activity', isEnabled: true, config: [] },
        { id: 'reown_branding', isEnabled: true, config: [] },
        { id: 'multi_wallet', isEnabled: false, config: [] },
        { id: 'passkey_login', isEnabled: false, config: [] },
      ],
    })
    expect(features).toMatchObject({
      email: true,
      socials: ['google'],
      swaps: ['1inch'],
      onramp: false,
      activity: true,
      reownBranding: true,
      multiWallet: false,
      passkey: false,
    })
  })

  test('a disabled list turns the feature off; items that are not strings are ignored', () => {
    const { features } = resolveFeatures({
      remote: [
        { id: 'social_login', isEnabled: false, config: ['email', 'google'] },
        { id: 'swap', isEnabled: false, config: ['1inch'] },
        { id: 'onramp', isEnabled: true, config: [7 as never, 'meld'] },
      ],
    })
    expect(features).toMatchObject({ email: false, socials: false, swaps: false, onramp: ['meld'] })
  })

  test('a list with only email disables the providers', () => {
    const remote = [{ id: 'social_login', isEnabled: true, config: ['email'] }]
    expect(resolveFeatures({ remote }).features).toMatchObject({ email: true, socials: false })
  })
})

test('§6.4.2 the overridden options are returned, so that the caller can warn', () => {
  const remote = undecided.map((entry) =>
    entry.id === 'swap' ? { ...entry, config: ['1inch'] } : entry,
  )
  const local = { swaps: false, activity: false } as const
  const { features, overridden } = resolveFeatures({ local, remote })
  expect(overridden).toEqual(['swaps'])
  expect(features).toMatchObject({ swaps: ['1inch'], activity: false })
})

test('a list of social logins of the site is not overridden by another list', () => {
  const remote = [{ id: 'social_login', isEnabled: true, config: ['email', 'x', 'google'] }]
  const overridden = (local: Parameters<typeof resolveFeatures>[0]['local']) =>
    resolveFeatures({ local, remote }).overridden
  expect(overridden({ socials: ['google'] })).toEqual([])
  expect(overridden({ socials: ['google'], multiWallet: true })).toEqual(['multiWallet'])
})

test('§6.4.2 an option is overridden only if it is set and differs', () => {
  const set = {
    email: true,
    socials: ['x'],
    passkey: true,
    swaps: ['1inch'],
    onramp: ['meld'],
    activity: true,
    multiWallet: true,
  }
  const same = [
    { id: 'social_login', isEnabled: true, config: ['email', 'x'] },
    { id: 'swap', isEnabled: true, config: ['1inch'] },
    { id: 'onramp', isEnabled: true, config: ['meld'] },
    { id: 'activity', isEnabled: true, config: [] },
    { id: 'multi_wallet', isEnabled: true, config: [] },
    { id: 'passkey_login', isEnabled: true, config: [] },
  ]
  expect(resolveFeatures({ local: set, remote: [] }).overridden).toEqual(Object.keys(set))
  expect(resolveFeatures({ local: set, remote: same }).overridden).toEqual([])
  expect(resolveFeatures({ remote: [] }).overridden).toEqual([])
})
