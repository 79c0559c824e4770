import { CaipNetworkId } from '@gatefold/protocol'

import type { ViewName } from '../view/ViewData.ts'
import { viewNames } from '../view/viewNames.ts'
import { themeVariableNames } from '../appearance/theme.ts'
import type { KitInstance } from './Kit.ts'
import { OptionsError } from './kitErrors.ts'
import { isCurrency } from './preferences.ts'
import type { GatefoldOptions } from './options.ts'
import type { Endpoints } from './site.ts'

export { checkRendering } from './checkRendering.ts'

// The checks in this file run in development, in tests and in Node. Production builds replace the file by
// skipChecks.ts. See docs/adr/0012-checks-in-development.md.

type Kind = {
  /** What the value must be, as in "`debug` must be true or false". */
  expected: string
  test: (value: unknown) => boolean
}

const boolean: Kind = { expected: 'true or false', test: (value) => typeof value === 'boolean' }
const string: Kind = { expected: 'a string', test: (value) => typeof value === 'string' }
const callback: Kind = { expected: 'a function', test: (value) => typeof value === 'function' }
const object: Kind = { expected: 'an object', test: isObject }
const texts: Kind = {
  expected: 'an array of strings',
  test: (value) => isArrayOf(value, string.test),
}
const url: Kind = {
  expected: 'a URL with its scheme, such as https://my.site',
  test(value) {
    const protocol = toUrl(value)?.protocol
    return protocol === 'https:' || protocol === 'http:'
  },
}
const anything: Kind = { expected: 'a value', test: () => true }

function oneOf(...values: readonly string[]): Kind {
  const quoted = values.map((value) => `'${value}'`)
  return {
    expected: `${quoted.slice(0, -1).join(', ')} or ${quoted.at(-1)}`,
    test: (value) => values.includes(value as string),
  }
}

function arrayOf(expected: string, test: (value: unknown) => boolean): Kind {
  return { expected, test: (value) => isArrayOf(value, test) }
}

function recordOf(expected: string, test: (value: unknown) => boolean): Kind {
  return {
    expected,
    test: (value) => isObject(value) && Object.values(value).every(test),
  }
}

/** Every option. An option that is not in this table does not exist. */
const kinds: Record<keyof GatefoldOptions, Kind> = {
  networks: anything, // checkNetworks checks it
  metadata: object,
  adapters: arrayOf(
    'an array of adapters, such as [evm()], not [evm]',
    (value) => isObject(value) && typeof value['create'] === 'function',
  ),
  connectors: arrayOf('an array of connector factories', callback.test),
  endpoints: anything, // resolveOptions checks it, in production too
  projectId: string,
  defaultNetwork: object,
  features: object,
  themeMode: oneOf('light', 'dark', 'system'),
  themeVariables: object,
  modalSize: oneOf('compact', 'wide'),
  termsConditionsUrl: string,
  privacyPolicyUrl: string,
  customWallets: arrayOf(
    'an array of wallets with an `id` and a `name`',
    (value) => isObject(value) && string.test(value['id']) && string.test(value['name']),
  ),
  includeWalletIds: texts,
  excludeWalletIds: texts,
  featuredWalletIds: texts,
  tokens: {
    expected: "tokens by CAIP-2 id, such as { 'eip155:1': { address: '0x…' } }",
    test: (value) =>
      isObject(value) &&
      Object.entries(value).every(
        ([id, token]) =>
          CaipNetworkId.pattern.test(id) &&
          isObject(token) &&
          string.test(token['address']) &&
          (token['image'] === undefined || string.test(token['image'])),
      ),
  },
  customRpcUrls: {
    expected: "lists of { url } by CAIP-2 id, such as { 'eip155:1': [{ url: 'https://…' }] }",
    test: (value) =>
      isObject(value) &&
      Object.entries(value).every(
        ([id, urls]) =>
          CaipNetworkId.pattern.test(id) &&
          isArrayOf(urls, (item) => isObject(item) && toUrl(item['url']) !== undefined),
      ),
  },
  chainImages: recordOf('URLs by chain id', string.test),
  basic: boolean,
  allWallets: oneOf('SHOW', 'HIDE', 'ONLY_MOBILE'),
  enableWalletConnect: boolean,
  enableWallets: boolean,
  enableWalletGuide: boolean,
  enableEIP6963: boolean,
  enableInjected: boolean,
  enableNetworkSwitch: boolean,
  enableReconnect: boolean,
  enableAuthLogger: boolean,
  allowUnsupportedChain: boolean,
  debug: boolean,
  manualWCControl: boolean,
  experimental_preferUniversalLinks: boolean,
  disableAppend: boolean,
  enableEmbedded: boolean,
  ssr: boolean,
  prefetch: oneOf('idle', 'intent', 'none'),
  storage: {
    expected: 'a storage, such as cookieStorage()',
    test: (value) => isObject(value) && callback.test(value['getItem']),
  },
  storageKey: string,
  currency: {
    expected: "an ISO 4217 code in capital letters, such as 'EUR'",
    test: isCurrency,
  },
  locale: {
    expected: "a BCP 47 language tag, such as 'de'",
    test: (value) => typeof value === 'string' && isLanguageTag(value),
  },
  messages: recordOf('strings by key', string.test),
  locales: recordOf('functions that load catalogs, by locale', callback.test),
  nonce: string,
  analytics: callback,
}

/** The names of all options. */
export const optionNames: readonly string[] = Object.keys(kinds)

const featureKinds: Record<keyof NonNullable<GatefoldOptions['features']>, Kind> = {
  multiWallet: boolean,
  analytics: boolean,
  legalCheckbox: boolean,
  connectorTypeOrder: texts,
  email: boolean,
  socials: {
    expected: 'an array of strings, true or false',
    test: (value) => boolean.test(value) || texts.test(value),
  },
  passkey: boolean,
  connectMethodsOrder: texts,
  collapseWallets: boolean,
  send: boolean,
  receive: boolean,
  walletFeaturesOrder: texts,
}

const endpointKinds: Record<keyof Endpoints, Kind> = {
  gateway: anything, // resolveOptions checks the values, in production too
  relay: anything,
  verify: anything,
  frame: anything,
}

const colors = ['--gf-accent', '--gf-background', '--gf-color-mix']
const lengths = ['--gf-font-size-master', '--gf-border-radius-master']

/**
 * Checks that every option exists and has a valid value. An unknown option is accepted if it is `false` or
 * `undefined`.
 *
 * @throws {OptionsError} whose message names the option, the value and what was expected
 * @see docs/kit.md
 */
export function checkOptions(options: GatefoldOptions): void {
  checkEntries(options, kinds, '')
  checkEntries(options.features ?? {}, featureKinds, 'features.')
  if (isObject(options.endpoints)) checkEntries(options.endpoints, endpointKinds, 'endpoints.')
  checkNetworks(options.networks)
  checkMetadata(options.metadata)
  checkTheme(options.themeVariables)
  if (options.locale !== undefined) checkLocale(options.locale, options.locales)
}

/**
 * Raises alerts for options that are valid but do not fit the page or the other options.
 *
 * @see docs/troubleshooting.md
 */
export function alertOptions(kit: Pick<KitInstance, 'options' | 'alert'>): void {
  const { projectId, endpoints, metadata } = kit.options
  if (projectId && !endpoints.gateway && !endpoints.relay) kit.alert('PROJECT_ID_UNUSED')
  const page = globalThis.location?.origin
  // The origin is `null` in a sandboxed frame and for a `file:` URL.
  if (page && page !== 'null' && new URL(metadata.url).origin !== page)
    kit.alert('METADATA_URL_MISMATCH')
}

function checkEntries(values: object, known: Record<string, Kind>, prefix: string) {
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined) continue
    const kind = Object.hasOwn(known, name) ? known[name] : undefined
    if (!kind) {
      if (value === false) continue
      throw new OptionsError(`This version of Gatefold has no option \`${prefix}${name}\``, {
        code: 'options.unknown',
        metaMessages: [hintFor(name, Object.keys(known))],
      })
    }
    if (kind.test(value)) continue
    throw new OptionsError(`\`${prefix}${name}\` must be ${kind.expected}`, {
      code: 'options.invalid',
      metaMessages: [`Got ${show(value)}.`],
    })
  }
}

/** Suggests an option whose name differs only in case or hyphens, or is a prefix or an extension of the name. */
function hintFor(name: string, known: readonly string[]): string {
  const normalize = (text: string) => text.toLowerCase().replaceAll(/[^a-z]/g, '')
  const suggestion = known.find(
    (option) =>
      normalize(option) === normalize(name) ||
      (name.length > 3 &&
        (normalize(option).startsWith(normalize(name)) ||
          normalize(name).startsWith(normalize(option)))),
  )
  return suggestion
    ? `Did you mean \`${suggestion}\`?`
    : 'Remove it, because it would have no effect. docs/kit.md lists the options.'
}

function checkNetworks(networks: unknown) {
  if (!Array.isArray(networks) || networks.length === 0)
    throw new OptionsError('`networks` needs at least one network', {
      code: 'options.networks',
      metaMessages: ["For example: import { mainnet } from 'viem/chains' and networks: [mainnet]."],
    })
}

function checkMetadata(metadata: GatefoldOptions['metadata'] | undefined) {
  if (!metadata?.name)
    throw new OptionsError('`metadata` needs the name of the site', {
      code: 'options.metadata',
      metaMessages: ['Wallets show it in the connection request.'],
    })
  if (!url.test(metadata.url))
    throw new OptionsError(`\`metadata.url\` must be ${url.expected}`, {
      code: 'options.metadata',
      metaMessages: [`Got ${show(metadata.url)}. Wallets compare it with the site's origin.`],
    })
  if (metadata.icons !== undefined && !isArrayOf(metadata.icons, url.test))
    throw new OptionsError('`metadata.icons` must be an array of URLs with their schemes', {
      code: 'options.metadata',
      metaMessages: [
        `Got ${show(metadata.icons)}. Wallets load the icons, so paths are not enough.`,
      ],
    })
}

function checkTheme(variables: object | undefined) {
  for (const [name, value] of Object.entries(variables ?? {}) as [string, unknown][]) {
    if (value === undefined) continue
    const canonicalName = name.replace('--w3m-', '--gf-')
    if (!themeVariableNames.includes(canonicalName))
      throw new OptionsError(`There is no theme variable \`${name}\``, {
        code: 'options.theme',
        metaMessages: [`The theme variables are ${themeVariableNames.join(', ')}.`],
      })
    const expected = expectedOf(canonicalName, value)
    if (expected)
      throw new OptionsError(`\`themeVariables['${name}']\` must be ${expected}`, {
        code: 'options.theme',
        metaMessages: [`Got ${show(value)}.`],
      })
  }
}

/** What a theme variable must be; undefined if its value is valid. Only browsers can parse CSS values. */
function expectedOf(name: string, value: unknown): string | undefined {
  const supports = (property: string) =>
    typeof CSS === 'undefined' || CSS.supports(property, String(value))
  if (colors.includes(name))
    return typeof value === 'string' && supports('color') ? undefined : 'a CSS color'
  if (lengths.includes(name))
    return typeof value === 'number' || supports('width') ? undefined : 'a number or a CSS length'
  if (name === '--gf-z-index') return Number.isInteger(Number(value)) ? undefined : 'an integer'
  if (name === '--gf-color-mix-strength')
    return /^\d+(\.\d+)?%?$/.test(String(value)) ? undefined : 'a percentage'
  return typeof value === 'string' && supports('font-family') ? undefined : 'a CSS font family'
}

/** @throws {OptionsError} if there is no catalog for the locale */
export function checkLocale(locale: string, locales: GatefoldOptions['locales'] = {}): void {
  if (isLanguageTag(locale) && (/^en(-|$)/.test(locale) || locales[locale])) return
  const meta = Object.keys(locales).length > 0 ? `\`locales\` has ${list(locales)}.` : ''
  throw new OptionsError(`There is no catalog for the locale '${locale}'`, {
    code: 'options.locale',
    metaMessages: [
      `Pass one, for example locales: { ${show(locale)}: () => import('./${locale}.ts') }. ${meta}`.trim(),
    ],
  })
}

/** @throws {OptionsError} if this version has no view with this name */
export function checkView(name: ViewName | undefined): void {
  if (name === undefined || viewNames.includes(name)) return
  throw new OptionsError(`This version of Gatefold has no view \`${name}\``, {
    code: 'options.view',
    metaMessages: [`The views are ${viewNames.join(', ')}.`],
  })
}

function list(record: object) {
  return Object.keys(record)
    .map((name) => `'${name}'`)
    .join(', ')
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

function isArrayOf(value: unknown, test: (item: unknown) => boolean): value is readonly unknown[] {
  return Array.isArray(value) && value.every(test)
}

function toUrl(value: unknown): URL | undefined {
  return typeof value === 'string' && URL.canParse(value) ? new URL(value) : undefined
}

function isLanguageTag(value: string): boolean {
  try {
    Intl.getCanonicalLocales(value)
    return true
  } catch {
    return false
  }
}

function show(value: unknown): string {
  if (typeof value === 'string') return `'${value}'`
  if (typeof value === 'function') return 'a function'
  try {
    return JSON.stringify(value) ?? String(value)
  } catch {
    return String(value) // JSON has no bigints and no cycles
  }
}
