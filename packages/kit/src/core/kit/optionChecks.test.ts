import { afterEach, describe, expect, test, vi } from 'vitest'

import { cookieStorage } from '../storage/storage.ts'
import { alertOptions, checkLocale, checkOptions, checkView } from './checkOptions.ts'
import { OptionsError } from './kitErrors.ts'
import { resolveOptions } from './options.ts'
import type { GatefoldOptions } from './options.ts'

// Imports few modules, because a mutation test runs this file for every mutant of the checks.

const base = {
  metadata: { name: 'Book', description: '', url: 'https://book.example', icons: [] },
  networks: [
    {
      id: 1,
      name: 'One',
      nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
      rpcUrls: { default: { http: ['https://rpc.example'] } },
    },
  ],
} as const
const adapter = { namespace: 'eip155', create: () => undefined }

afterEach(() => vi.unstubAllGlobals())

/** The error of a check, without its stack. */
function errorOf(check: () => void) {
  try {
    check()
    return undefined
  } catch (error) {
    if (!(error instanceof OptionsError)) throw error
    const { code, shortMessage, metaMessages } = error
    return { code, shortMessage, metaMessages }
  }
}
const errorFor = (options: object) => errorOf(() => checkOptions({ ...base, ...options }))

const customWallets = 'an array of wallets with an `id` and a `name`'
const tokens = "tokens by CAIP-2 id, such as { 'eip155:1': { address: '0x…' } }"
const customRpcUrls =
  "lists of { url } by CAIP-2 id, such as { 'eip155:1': [{ url: 'https://…' }] }"
const adapters = 'an array of adapters, such as [evm()], not [evm]'
const urls = [{ url: 'https://a.b' }]

test.each<[name: string, value: unknown, expected: string, shown: string]>([
  ['debug', 1, 'true or false', '1'],
  ['projectId', 5, 'a string', '5'],
  ['analytics', true, 'a function', 'true'],
  ['features', 'multiWallet', 'an object', "'multiWallet'"],
  ['features', null, 'an object', 'null'],
  ['featuredWalletIds', 'orrery', 'an array of strings', "'orrery'"],
  ['featuredWalletIds', ['orrery', 1], 'an array of strings', '["orrery",1]'],
  ['modalSize', 'large', "'compact' or 'wide'", "'large'"],
  ['allWallets', 'NONE', "'SHOW', 'HIDE' or 'ONLY_MOBILE'", "'NONE'"],
  ['themeMode', 5n, "'light', 'dark' or 'system'", '5'],
  ['projectId', Symbol('p1'), 'a string', 'Symbol(p1)'],
  ['adapters', [null], adapters, '[null]'],
  ['adapters', [{}], adapters, '[{}]'],
  ['connectors', [{}], 'an array of connector factories', '[{}]'],
  ['connectors', () => {}, 'an array of connector factories', 'a function'],
  ['customWallets', [null], customWallets, '[null]'],
  ['customWallets', [{ id: 'a' }], customWallets, '[{"id":"a"}]'],
  ['tokens', { 'eip155:1': '0x0' }, tokens, '{"eip155:1":"0x0"}'],
  ['tokens', { 1: { address: '0x0' } }, tokens, '{"1":{"address":"0x0"}}'],
  ['tokens', { 'eip155:1': { image: '/a.svg' } }, tokens, '{"eip155:1":{"image":"/a.svg"}}'],
  [
    'tokens',
    { 'eip155:1': { address: '0x0' }, 'eip155:10': {} },
    tokens,
    '{"eip155:1":{"address":"0x0"},"eip155:10":{}}',
  ],
  [
    'tokens',
    { 'eip155:1': { address: '0x0', image: 5 } },
    tokens,
    '{"eip155:1":{"address":"0x0","image":5}}',
  ],
  ['customRpcUrls', null, customRpcUrls, 'null'],
  ['customRpcUrls', { 'eip155:1': 'https://a.b' }, customRpcUrls, '{"eip155:1":"https://a.b"}'],
  ['customRpcUrls', { 'eip155:1': [{ url: 'a' }] }, customRpcUrls, '{"eip155:1":[{"url":"a"}]}'],
  ['customRpcUrls', { 'eip155:1': [null] }, customRpcUrls, '{"eip155:1":[null]}'],
  ['customRpcUrls', { 'eip155:1': [], x: [] }, customRpcUrls, '{"eip155:1":[],"x":[]}'],
  ['chainImages', 'base.svg', 'URLs by chain id', "'base.svg'"],
  ['chainImages', { 1: '/a.svg', 10: 5 }, 'URLs by chain id', '{"1":"/a.svg","10":5}'],
  ['messages', { a: 5 }, 'strings by key', '{"a":5}'],
  ['locales', { de: {} }, 'functions that load catalogs, by locale', '{"de":{}}'],
  ['storage', {}, 'a storage, such as cookieStorage()', '{}'],
  ['storage', null, 'a storage, such as cookieStorage()', 'null'],
  ['currency', 'eur', "an ISO 4217 code in capital letters, such as 'EUR'", "'eur'"],
  ['locale', ['de'], "a BCP 47 language tag, such as 'de'", '["de"]'],
])('error: `%s` is %o', (name, value, expected, shown) => {
  expect(errorFor({ [name]: value })).toEqual({
    code: 'options.invalid',
    shortMessage: `\`${name}\` must be ${expected}`,
    metaMessages: [`Got ${shown}.`],
  })
})

test.each<[name: string, values: unknown[]]>([
  ['debug', [true, false]],
  ['projectId', ['p1']],
  ['analytics', [() => {}]],
  ['features', [{ multiWallet: true, legalCheckbox: false, connectorTypeOrder: ['recent'] }]],
  ['endpoints', ['https://a.b', { gateway: 'https://a.b', relay: 'https://a.b', verify: '' }]],
  ['featuredWalletIds', [['orrery'], []]],
  ['modalSize', ['compact', 'wide']],
  ['allWallets', ['SHOW', 'HIDE', 'ONLY_MOBILE']],
  ['themeMode', ['light', 'dark', 'system']],
  ['prefetch', ['idle', 'intent', 'none']],
  ['adapters', [[adapter], []]],
  ['connectors', [[() => undefined]]],
  ['customWallets', [[{ id: 'a', name: 'A' }]]],
  ['tokens', [{ 'eip155:1': { address: '0x0' } }, { 'eip155:1': { address: '0x0', image: '/a' } }]],
  ['chainImages', [{ 1: '/a.svg' }]],
  ['messages', [{ 'connect.or': 'or with' }]],
  ['storage', [cookieStorage()]],
  ['currency', ['EUR']],
  ['locale', ['en', 'en-GB']],
])('`%s` can be any of %o', (name, values) => {
  for (const value of values) expect(errorFor({ [name]: value })).toBeUndefined()
})

test.each([
  ['abc:1', true],
  ['-a8z0bcd:_aA-0Z', true],
  [`bip122:${'0'.repeat(32)}`, true],
  [`bip122:${'0'.repeat(33)}`, false],
  ['ab:1', false],
  ['abcdefghi:1', false],
  ['EIP155:1', false],
  ['eip155:', false],
  ['eip155:a.b', false],
  ['eip155:1 ', false],
  [' eip155:1', false],
])('CAIP-2 the chain id “%s” is valid: %s', (id, valid) => {
  expect(errorFor({ customRpcUrls: { [id]: urls } }) === undefined).toBe(valid)
})

test.each([
  ['theme-mode', 'themeMode'],
  ['THEMEMODE', 'themeMode'],
  ['them', 'themeMode'],
  ['SSR', 'ssr'],
  ['themeModes', 'themeMode'],
  ['the', undefined],
  ['mode', undefined],
  ['myLocale', undefined],
  ['constructor', undefined],
])('error: for the unknown option `%s`, suggests %s', (name, suggestion) => {
  expect(errorFor({ [name]: 'x' })).toEqual({
    code: 'options.unknown',
    shortMessage: `This version of Gatefold has no option \`${name}\``,
    metaMessages: [
      suggestion
        ? `Did you mean \`${suggestion}\`?`
        : 'Remove it, because it would have no effect. docs/kit.md lists the options.',
    ],
  })
})

test.each([
  ['features.swaps', { features: { swaps: ['0x'] } }],
  ['endpoints.bundler', { endpoints: { bundler: 'https://a.b' } }],
])('error: there is no option `%s`', (name, options) => {
  expect(errorFor(options)).toMatchObject({
    code: 'options.unknown',
    shortMessage: `This version of Gatefold has no option \`${name}\``,
  })
})

test('`features.socials` can be a list or a switch', () => {
  for (const socials of [['google'], [], true, false])
    expect(errorFor({ features: { socials } })).toBeUndefined()
  for (const socials of ['google', [5]])
    expect(errorFor({ features: { socials } })?.shortMessage).toBe(
      '`features.socials` must be an array of strings, true or false',
    )
})

test('an unknown option may be `false` or `undefined`', () => {
  const options = { bundler: undefined, enableCloud: false, features: { email: false } }
  expect(errorFor({ ...options, themeMode: undefined })).toBeUndefined()
})

test('the locale needs a catalog', () => {
  expect(errorFor({ locale: 'fr', locales: {} })?.code).toBe('options.locale')
  const locales = { fr: async () => ({ default: {} }) }
  expect(errorFor({ locale: 'fr', locales })).toBeUndefined()
})

describe('the metadata', () => {
  const errorWith = (change: object) => errorFor({ metadata: { ...base.metadata, ...change } })

  test.each(['https://book.example', 'http://localhost:5173'])('can have the URL %s', (url) => {
    expect(errorWith({ url, icons: [url] })).toBeUndefined()
    expect(errorWith({ url, icons: undefined })).toBeUndefined()
  })

  test.each(['book.example', 'ftp://book.example', new URL('https://book.example'), undefined])(
    'error: cannot have the URL %o',
    (url) => {
      expect(errorWith({ url })).toMatchObject({
        code: 'options.metadata',
        shortMessage: '`metadata.url` must be a URL with its scheme, such as https://my.site',
        metaMessages: [expect.stringContaining('origin')],
      })
      expect(errorWith({ icons: [url] })).toMatchObject({
        code: 'options.metadata',
        shortMessage: '`metadata.icons` must be an array of URLs with their schemes',
        metaMessages: [expect.stringContaining('paths')],
      })
    },
  )

  test('error: without a name, only the name is reported', () => {
    for (const metadata of [{}, undefined])
      expect(errorFor({ metadata })?.shortMessage).toBe('`metadata` needs the name of the site')
  })
})

describe('theme variables', () => {
  const errorWith = (name: string, value: unknown) =>
    errorFor({ themeVariables: { [name]: value } })
  const inBrowser = () =>
    vi.stubGlobal('CSS', {
      supports: (property: string, value: string) =>
        ({ color: 'red', width: '16px', 'font-family': 'Inter' })[property] === value,
    })

  test.each([
    ['--gf-accent', ['red', undefined]],
    ['--gf-background', ['red']],
    ['--w3m-color-mix', ['red']],
    ['--gf-font-size-master', ['16px', 5]],
    ['--gf-border-radius-master', ['16px', 5]],
    ['--gf-font-family', ['Inter']],
    ['--gf-z-index', [5, '5']],
    ['--gf-color-mix-strength', [5, '50', '50%', '12.25%', 0.5]],
  ])('%s can be any of %j', (name, values) => {
    for (const value of values) expect(errorWith(name, value)).toBeUndefined()
    inBrowser()
    for (const value of values) expect(errorWith(name, value)).toBeUndefined()
  })

  test.each([
    ['--gf-accent', 5, 'a CSS color', '5'],
    ['--gf-background', 5, 'a CSS color', '5'],
    ['--w3m-color-mix', 5, 'a CSS color', '5'],
    ['--gf-font-family', 5, 'a CSS font family', '5'],
    ['--gf-z-index', 1.5, 'an integer', '1.5'],
    ['--gf-color-mix-strength', 'x5', 'a percentage', "'x5'"],
    ['--gf-color-mix-strength', '5%x', 'a percentage', "'5%x'"],
    ['--gf-color-mix-strength', '5.%', 'a percentage', "'5.%'"],
  ])('error: on a server too, %s cannot be %o', (name, value, expected, shown) => {
    expect(errorWith(name, value)).toEqual({
      code: 'options.theme',
      shortMessage: `\`themeVariables['${name}']\` must be ${expected}`,
      metaMessages: [`Got ${shown}.`],
    })
  })

  test.each([
    ['--gf-accent', '16px'],
    ['--gf-border-radius-master', 'red'],
    ['--gf-font-family', 'red'],
  ])('error: in a browser, %s cannot be “%s”', (name, value) => {
    expect(errorWith(name, value)).toBeUndefined()
    inBrowser()
    expect(errorWith(name, value)).toMatchObject({ code: 'options.theme' })
  })

  test('error: an unknown variable is reported', () => {
    expect(errorWith('--gf-akzent', 'red')).toMatchObject({
      code: 'options.theme',
      shortMessage: 'There is no theme variable `--gf-akzent`',
      metaMessages: [expect.stringContaining('--gf-accent, ')],
    })
  })
})

test.each<[locale: string, locales: GatefoldOptions['locales'], meta: string]>([
  ['fr', undefined, "Pass one, for example locales: { 'fr': () => import('./fr.ts') }."],
  ['eng', {}, "Pass one, for example locales: { 'eng': () => import('./eng.ts') }."],
  ['ten', {}, "Pass one, for example locales: { 'ten': () => import('./ten.ts') }."],
  ['en-', {}, "Pass one, for example locales: { 'en-': () => import('./en-.ts') }."],
  [
    'fr',
    { de: async () => ({ default: {} }), 'pt-BR': async () => ({ default: {} }) },
    "Pass one, for example locales: { 'fr': () => import('./fr.ts') }. `locales` has 'de', 'pt-BR'.",
  ],
])('error: there is no catalog for the locale %s in %o', (locale, locales, meta) => {
  expect(errorOf(() => checkLocale(locale, locales))).toEqual({
    code: 'options.locale',
    shortMessage: `There is no catalog for the locale '${locale}'`,
    metaMessages: [meta],
  })
})

test('error: the unknown view is reported', () => {
  expect(errorOf(() => checkView('SmartSessionList' as never))).toMatchObject({
    code: 'options.view',
    metaMessages: [expect.stringContaining('Account, ')],
  })
  expect(errorOf(() => checkView('Account'))).toBeUndefined()
  expect(errorOf(() => checkView(undefined))).toBeUndefined()
})

test.each<[string, object, string[]]>([
  [
    'a URL of another origin',
    { metadata: { ...base.metadata, url: 'https://other.example' } },
    ['METADATA_URL_MISMATCH'],
  ],
  ['a project id without a server', { projectId: 'p1' }, ['PROJECT_ID_UNUSED']],
  [
    'a URL below the page’s origin',
    { metadata: { ...base.metadata, url: 'https://book.example/en' } },
    [],
  ],
  [
    'a project id with a gateway',
    { projectId: 'p1', endpoints: { gateway: 'https://gate.example' } },
    [],
  ],
  [
    'a project id with a relay',
    { projectId: 'p1', endpoints: { relay: 'https://gate.example' } },
    [],
  ],
])('%s raises %j', (_, options, codes) => {
  vi.stubGlobal('location', new URL('https://book.example/read'))
  const raised: string[] = []
  const resolved = resolveOptions({ ...base, ...options })
  alertOptions({ options: resolved, alert: (code) => raised.push(code) })
  expect(raised).toEqual(codes)
})

test('the URL is not compared on a server or with an opaque origin', () => {
  const raised: string[] = []
  const options = resolveOptions({ ...base })
  alertOptions({ options, alert: (code) => raised.push(code) })
  vi.stubGlobal('location', { origin: 'null' })
  alertOptions({ options, alert: (code) => raised.push(code) })
  expect(raised).toEqual([])
})
