import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { mainnet } from 'viem/chains'
import { afterEach, describe, expect, test, vi } from 'vitest'

import { evm } from '../../exports/evm.ts'
import { cookieStorage, createGatefold, memoryStorage } from '../../exports/index.ts'
import { setLocale } from '../../exports/core.ts'
import { viewNames } from '../view/viewNames.ts'
import type { ViewName } from '../view/ViewData.ts'
import { checkOptions, optionNames } from './checkOptions.ts'
import { OptionsError } from './kitErrors.ts'
import type { GatefoldOptions } from './options.ts'
import * as skipChecks from './skipChecks.ts'
import * as checks from './checkOptions.ts'

const base = {
  metadata: { name: 'Book', description: '', url: 'https://book.example', icons: [] },
  networks: [mainnet],
  storage: memoryStorage(),
} as const

/** Creates an instance without type checks, and returns the error message. */
function messageOf(options: object): string {
  try {
    createGatefold({ ...base, ...options }).destroy()
    return ''
  } catch (error) {
    if (error instanceof OptionsError) return error.message
    throw error
  }
}

afterEach(() => vi.unstubAllGlobals())

test.each<[string, object, string[]]>([
  ['an option of a later version', { bundler: {} }, ['no option `bundler`', 'no effect']],
  [
    'a token without an address',
    { tokens: { 'eip155:1': {} } },
    ['`tokens`', "{ address: '0x…' }"],
  ],
  ['sign-in', { siwx: {} }, ['no sign-in: remove `siwx` or `siweConfig`']],
  ['sign-in as in AppKit', { siweConfig: {} }, ['no sign-in']],
  ['a misspelled option', { thememode: 'dark' }, ['no option `thememode`', 'mean `themeMode`?']],
  ['a shortened option', { theme: 'dark' }, ['mean `themeMode`?']],
  ['a feature without an option', { features: { swaps: ['0x'] } }, ['no option `features.swaps`']],
  [
    'an endpoint without a use in this version',
    { endpoints: { bundler: 'https://a.b' } },
    ['`endpoints.bundler`'],
  ],
  ['an unknown theme mode', { themeMode: 'auto' }, ["'light', 'dark' or 'system'", "'auto'"]],
  ['an unknown value of prefetch', { prefetch: 'hover' }, ["'idle', 'intent' or 'none'"]],
  ['a string for a boolean', { enableReconnect: 'false' }, ['true or false', "Got 'false'."]],
  ['an adapter that was not called', { adapters: [evm] }, ['such as [evm()], not [evm]', 'Got']],
  ['an adapter that is not in an array', { adapters: evm() }, ['`adapters` must be an array']],
  ['a URL without a scheme', { metadata: { ...base.metadata, url: 'my.site' } }, ['its scheme']],
  ['no URL', { metadata: { name: 'Book' } }, ['`metadata.url`', 'undefined']],
  ['an icon path', { metadata: { ...base.metadata, icons: ['/a.png'] } }, ['`metadata.icons`']],
  ['an unknown theme variable', { themeVariables: { '--gf-akzent': 'red' } }, ['--gf-accent,']],
  ['a z-index with a unit', { themeVariables: { '--gf-z-index': '5px' } }, ['an integer']],
  [
    'an invalid mix strength',
    { themeVariables: { '--gf-color-mix-strength': 'half' } },
    ['a percentage'],
  ],
  [
    'a locale without a catalog',
    { locale: 'fr' },
    ["catalog for the locale 'fr'", "{ 'fr': () =>"],
  ],
  ['an invalid locale', { locale: 'de_DE' }, ["language tag, such as 'de'"]],
  ['a chain without its namespace', { customRpcUrls: { 1: [{ url: 'https://a.b' }] } }, ['CAIP-2']],
  ['an RPC URL without a scheme', { customRpcUrls: { 'eip155:1': [{ url: 'a.b' }] } }, ['CAIP-2']],
  ['a wallet without an id', { customWallets: [{ name: 'A' }] }, ['an `id` and a `name`']],
  ['ids that are not strings', { includeWalletIds: [1] }, ['an array of strings']],
  [
    'a storage function that was not called',
    { storage: cookieStorage },
    ['such as cookieStorage()'],
  ],
  ['a string for an array', { features: { connectorTypeOrder: 'recent' } }, ['array of strings']],
])('error: %s', (_, options, texts) => {
  const message = messageOf(options)
  for (const text of texts) expect(message).toContain(text)
})

test.each([
  ['undefined options', { debug: undefined, themeMode: undefined }],
  ['AppKit options that are false', { enableAuthLogger: false, enableCoinbase: false }],
  ['a locale with a catalog', { locale: 'de', locales: { de: async () => ({ default: {} }) } }],
  ['a regional variant of English', { locale: 'en-GB' }],
  ['AppKit’s theme variables', { themeVariables: { '--w3m-accent': 'var(--brand)' } }],
  [
    'RPC URLs of other chain families',
    { customRpcUrls: { 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp': [{ url: 'https://a.b' }] } },
  ],
])('accepts %s', (_, options) => expect(messageOf(options)).toBe(''))

describe('in a browser, CSS values are checked', () => {
  test.each([
    ['--gf-accent', 'reddish', 'a CSS color'],
    ['--gf-color-mix', 5, 'a CSS color'],
    ['--w3m-font-size-master', 'big', 'a number or a CSS length'],
    ['--gf-font-family', '5px;', 'a CSS font family'],
  ])('%s: %s', (name, value, expected) => {
    const supports = vi.fn<(property: string, value: string) => boolean>(() => false)
    vi.stubGlobal('CSS', { supports })
    expect(messageOf({ themeVariables: { [name]: value } })).toContain(`must be ${expected}`)
    supports.mockReturnValue(true)
    const isColorNumber = typeof value === 'number'
    expect(messageOf({ themeVariables: { [name]: value } }) === '').toBe(!isColorNumber)
  })
})

test('error: a language without a catalog is not selected', () => {
  const kit = createGatefold(base)
  expect(() => setLocale(kit, 'fr')).toThrow("There is no catalog for the locale 'fr'")
  expect(kit.getState().locale).toBe('en')
  kit.destroy()
})

test('error: a view of a later version is not opened', async () => {
  const kit = createGatefold(base)
  await expect(kit.open({ view: 'SmartSessionList' as ViewName & 'Account' })).rejects.toThrow(
    'This version of Gatefold has no view `SmartSessionList`',
  )
  expect(kit.getState().view.open).toBe(false)
  kit.destroy()
})

describe('every option and view of the types is used', () => {
  const folder = fileURLToPath(new URL('../..', import.meta.url))
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (file) => /\.tsx?$/.test(file) && !/\.test\.|checkOptions|kit\/options\.ts$/.test(file),
  )
  const sources = files.map((file) => readFileSync(join(folder, file), 'utf8')).join('\n')
  const own = readFileSync(join(folder, 'core/kit/options.ts'), 'utf8')

  test.each(optionNames)('option %s', (name) => {
    const isRead = new RegExp(`options\\??\\.${name}\\b|[{,] *${name}\\b[^:;]*\\} = [^;]*options`)
    expect(isRead.test(sources) || isRead.test(own)).toBe(true)
  })

  test.each(viewNames)('view %s', (name) => {
    // Connect is loaded with the table, so it has no loader.
    expect(sources).toMatch(
      new RegExp(`^  ${name}: (async \\(\\) =>|view\\()|^  \\['${name}', \\{ View`, 'm'),
    )
  })
})

test('production builds skip the checks', () => {
  expect(Object.keys(skipChecks).toSorted()).toEqual(
    Object.keys(checks)
      .filter((name) => /^(check|alert)/.test(name))
      .toSorted(),
  )
  const wrong = { ...base, thememode: 'dark' } as GatefoldOptions
  expect(() => checkOptions(wrong)).toThrow('thememode')
  expect(() => skipChecks.checkOptions(wrong)).not.toThrow()
})
