import * as v from 'valibot'
import type { FooterLink, Network, PublicConfig } from '../app/config.ts'

export type Config = {
  public: Omit<PublicConfig, 'origin'> & { origin: string | undefined }
  /** Origins that pages may connect to, in addition to their own. */
  connect: string[]
  /** Origins of the font service's stylesheet and files. */
  fonts: string[]
  /** Origins that may embed the Book in a frame; none by default. */
  frameAncestors: string[]
}

export type Environment = Record<string, string | undefined>

const httpUrl = v.pipe(
  v.string(),
  v.trim(),
  v.check(isHttp, 'expected a URL that starts with http:// or https://'),
)
const link = v.union(
  [v.literal(''), httpUrl],
  'expected an http(s) URL, or an empty value to hide the link',
)
const origin = v.pipe(
  v.string(),
  v.trim(),
  v.check(
    (text) => isHttp(text) && new URL(text).href === `${new URL(text).origin}/`,
    'expected an origin such as https://book.example, without a path',
  ),
  v.transform((text) => new URL(text).origin),
)
const origins = v.pipe(
  v.string(),
  v.transform((text) => text.split(/[\s,]+/).filter(Boolean)),
  v.array(origin),
)
const contract = v.pipe(
  v.custom<`0x${string}`>((value) => typeof value === 'string', 'expected a contract address'),
  v.check((text) => /^0x[0-9a-fA-F]{40}$/.test(text), 'expected 0x and 40 hex digits'),
)
const network = v.strictObject({
  id: v.pipe(v.number(), v.integer(), v.minValue(1)),
  name: v.pipe(v.string(), v.nonEmpty()),
  rpcUrl: httpUrl,
  symbol: v.optional(v.pipe(v.string(), v.nonEmpty()), 'ETH'),
  decimals: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(36)), 18),
  testnet: v.optional(v.boolean(), false),
  explorerUrl: v.optional(httpUrl),
  image: v.optional(
    v.pipe(
      v.string(),
      v.regex(/^\/[\w./-]+$/, 'expected a path on this site, such as /networks/local.svg'),
    ),
  ),
  contracts: v.optional(
    v.strictObject({
      multicall3: v.optional(contract),
      ensUniversalResolver: v.optional(contract),
    }),
  ),
  swapContracts: v.optional(v.array(contract)),
})
const networkList = v.pipe(
  v.array(network),
  v.minLength(1, 'expected at least one network'),
  v.check(
    (list) => new Set(list.map(({ id }) => id)).size === list.length,
    'expected unique network ids',
  ),
)
const networks = v.pipe(
  v.string(),
  v.parseJson(undefined, 'expected JSON: a list of networks'),
  networkList,
)

/** Names of social logins, separated by commas. */
const socials = v.pipe(
  v.string(),
  v.transform((text) => text.split(',').map((name) => name.trim())),
  v.transform((names) => names.filter(Boolean)),
  v.array(v.pipe(v.string(), v.regex(/^[a-z]+$/, 'expected names such as google,github'))),
)

const environment = v.object({
  BOOK_ORIGIN: v.optional(origin),
  BOOK_GATEWAY_URL: v.optional(origin, 'http://localhost:3001'),
  BOOK_FRAME_URL: v.optional(v.union([v.literal(''), origin], 'expected an origin'), ''),
  BOOK_SOCIALS: v.optional(socials, ''),
  BOOK_PASSKEY: v.optional(v.picklist(['true', 'false'], 'expected true or false'), 'false'),
  BOOK_PROJECT_ID: v.optional(v.pipe(v.string(), v.nonEmpty()), 'default'),
  BOOK_NETWORKS: v.optional(networks, JSON.stringify(localNetworks())),
  BOOK_DEMO_WALLETS: v.optional(v.picklist(['true', 'false'], 'expected true or false'), 'false'),
  BOOK_LINK_JOIN: v.optional(link, 'https://discord.gg/ethereum-org'),
  BOOK_LINK_WEBSITE: v.optional(link, 'https://ethereum.org'),
  BOOK_LINK_FOLLOW: v.optional(link, 'https://x.com/ethereum'),
  BOOK_FONT_CSS: v.optional(
    v.union([v.literal(''), httpUrl], 'expected the http(s) URL of a stylesheet'),
    '',
  ),
  BOOK_FONT_FILES: v.optional(origins, ''),
  BOOK_FRAME_ANCESTORS: v.optional(origins, ''),
})

/**
 * Reads the Book's configuration from the environment.
 *
 * @throws {ConfigError} Lists all invalid variables with the expected values.
 * @see ../README.md for the variables
 */
export function readConfig(env: Environment): Config {
  const parsed = v.safeParse(environment, env)
  if (!parsed.success) throw new ConfigError(parsed.issues.map(sentence))
  const given = parsed.output
  const gateway = given.BOOK_GATEWAY_URL
  const fontStylesheet = given.BOOK_FONT_CSS || undefined
  return {
    public: {
      origin: given.BOOK_ORIGIN,
      gateway,
      frame: given.BOOK_FRAME_URL || undefined,
      socials: given.BOOK_SOCIALS,
      passkey: given.BOOK_PASSKEY === 'true',
      projectId: given.BOOK_PROJECT_ID,
      networks: given.BOOK_NETWORKS as [Network, ...Network[]],
      demoWallets: given.BOOK_DEMO_WALLETS === 'true',
      links: footerLinks(given),
      fontStylesheet,
    },
    connect: [gateway, ...given.BOOK_NETWORKS.map((network) => network.rpcUrl)].map(originOf),
    fonts: fontStylesheet ? [originOf(fontStylesheet), ...given.BOOK_FONT_FILES] : [],
    frameAncestors: given.BOOK_FRAME_ANCESTORS,
  }
}

/** Thrown if the environment has invalid values. */
export class ConfigError extends Error {
  override name = 'ConfigError'
  constructor(problems: string[]) {
    super(`The Book cannot start:\n${problems.map((problem) => `  ${problem}`).join('\n')}`)
  }
}

function footerLinks(given: {
  BOOK_LINK_JOIN: string
  BOOK_LINK_WEBSITE: string
  BOOK_LINK_FOLLOW: string
}): FooterLink[] {
  const links: FooterLink[] = [
    { kind: 'join', label: 'Join the conversation', href: given.BOOK_LINK_JOIN },
    { kind: 'website', label: 'Visit the website', href: given.BOOK_LINK_WEBSITE },
    { kind: 'follow', label: 'Follow the saga', href: given.BOOK_LINK_FOLLOW },
  ]
  return links.filter(({ href }) => href !== '')
}

/** The two local chains. */
function localNetworks() {
  // Uniswap's router on the local chains.
  const swapContracts = ['0x13766f114e9d7fE79EAa8fB981e056Ed299d2289']
  return [
    {
      id: 31337,
      name: 'Gatefold Local',
      rpcUrl: 'http://localhost:8545',
      image: '/networks/local.svg',
      swapContracts,
    },
    {
      id: 31338,
      name: 'Gatefold Second',
      rpcUrl: 'http://localhost:8546',
      image: '/networks/second.svg',
      swapContracts,
    },
  ]
}

function isHttp(text: string) {
  return /^https?:\/\//.test(text) && URL.canParse(text)
}

function originOf(url: string) {
  return new URL(url).origin
}

function sentence(issue: v.BaseIssue<unknown>) {
  return `${v.getDotPath(issue) ?? 'environment'}: ${issue.message}`
}
