/**
 * Writes the pictures that the kit bundles, for pages without a gateway:
 *
 *     node scripts/pictures.ts
 *
 * The pictures are from the server's directory (packages/server/data). They are written as data URIs, in
 * modules that any bundler can load lazily. The repository checks compare the result with the committed files.
 *
 * @see docs/adr/0015-bundled-pictures.md
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const data = 'packages/server/data'
const target = 'packages/kit/src/data'

/**
 * Number of wallets in each module, in the directory's order: those in the Connect view, the rest of the wallet
 * grid's first page, and all others.
 */
const groupSizes = [4, 16, Infinity]

/** Number of chains in each module: Ethereum, its rollups that most sites have, and all others. */
const chainGroupSizes = [1, 4, Infinity]

/** The server's picture of each chain, by CAIP-2 id. */
const chains: Record<string, string> = {
  'eip155:1': 'ethereum',
  'eip155:8453': 'base',
  'eip155:42161': 'arbitrum-one',
  'eip155:10': 'optimism',
  'eip155:137': 'polygon',
  'eip155:56': 'binance-smart-chain',
  'eip155:100': 'gnosis',
  'eip155:130': 'unichain',
  'eip155:324': 'zksync',
  'eip155:5000': 'mantle',
  'eip155:42220': 'celo',
  'eip155:43114': 'avalanche',
  'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp': 'solana',
  'bip122:000000000019d6689c085ae165831e93': 'bitcoin',
}

/** Other ids for the same pictures: test networks, and wagmi connectors without a picture. */
const aliases: Record<string, string> = {
  'eip155:97': 'eip155:56',
  'eip155:300': 'eip155:324',
  'eip155:1301': 'eip155:130',
  'eip155:43113': 'eip155:43114',
  'eip155:80002': 'eip155:137',
  'eip155:84532': 'eip155:8453',
  'eip155:421614': 'eip155:42161',
  'eip155:11155111': 'eip155:1',
  'eip155:11155420': 'eip155:10',
  'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1': 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
  'bip122:000000000933ea01ad0ee984209779ba': 'bip122:000000000019d6689c085ae165831e93',
  baseAccount: 'Base (formerly Coinbase Wallet)',
  coinbaseWalletSDK: 'Base (formerly Coinbase Wallet)',
  metaMaskSDK: 'MetaMask',
  safe: 'Safe',
}

type Listing = { id: string; name: string; image_id?: string; icon: [number, number] | null }

/**
 * Generates the modules.
 *
 * @param root - the repository's root folder
 * @returns the text of each file by its path in the repository
 */
export function createPictures(root: string): Map<string, string> {
  const read = (path: string) => readFileSync(join(root, path))
  const bundled = read(`${target}/directory.ts`).toString()
  const { wallets } = JSON.parse(read(`${data}/wallets.json`).toString()) as { wallets: Listing[] }
  const icons = read(`${data}/walletIcons.bin`)
  const found = wallets.flatMap(({ id, name, image_id, icon }) =>
    icon && image_id && bundled.includes(`'${id}'`)
      ? [
          {
            name,
            key: keyOf(image_id),
            uri: toDataUri(icons.subarray(icon[0], icon[0] + icon[1])),
          },
        ]
      : [],
  )
  if (new Set(found.map(({ key }) => key)).size < found.length)
    throw new Error('two wallets have the same key')
  const pictures = Object.entries(chains).map(([key, file]) => ({
    key,
    uri: toDataUri(read(`${data}/images/networks/${file}.svg`)),
  }))
  const all = [
    ...toGroups('wallets', found, groupSizes),
    ...toGroups('chains', pictures, chainGroupSizes),
  ]
  const keyOfAlias = (other: string) => found.find(({ name }) => name === other)?.key ?? other
  const index = [
    '/** The modules with pictures, each with the keys of its pictures. */',
    'export const groups: readonly {',
    '  keys: readonly string[]',
    '  load: () => Promise<{ pictures: Record<string, string> }>',
    '}[] = [',
    ...all.map(
      ({ name, entries }) =>
        `  {\n    keys: '${entries.map(({ key }) => key).join(' ')}'.split(' '),\n    load: () => import('./${name}.ts'),\n  },`,
    ),
    ']',
    '',
    '/** Ids of test chains and connectors, with the key of their picture. */',
    'export const aliases: Record<string, string> = {',
    ...Object.entries(aliases).map(([id, other]) => `  '${id}': '${keyOfAlias(other)}',`),
    '}',
  ]
  return new Map([
    [`${target}/pictures/index.ts`, withHeader(index)],
    ...all.map(({ name, entries }): [string, string] => [
      `${target}/pictures/${name}.ts`,
      withHeader([
        'export const pictures: Record<string, string> = {',
        ...entries.map(({ key, uri }) => `  '${key}': ${JSON.stringify(uri)},`),
        '}',
      ]),
    ]),
  ])
}

/** Splits entries into numbered groups. */
function toGroups<entry>(name: string, entries: readonly entry[], sizes: readonly number[]) {
  return sizes.map((size, index) => {
    const start = sizes.slice(0, index).reduce((sum, each) => sum + each, 0)
    return { name: `${name}${index + 1}`, entries: entries.slice(start, start + size) }
  })
}

function withHeader(lines: readonly string[]): string {
  return [
    '// Generated by scripts/pictures.ts; change it there. Sources and licenses: NOTICE.md.',
    ...lines,
    '',
  ].join('\n')
}

/** A picture's key: the first part of an image id (a UUID). */
function keyOf(imageId: string): string {
  return imageId.split('-', 1)[0]!
}

/** SVG is not base64: as text, it compresses better with the other pictures of its module. */
function toDataUri(image: Buffer): string {
  if (image.toString('latin1', 0, 4) === 'RIFF')
    return `data:image/webp;base64,${image.toString('base64')}`
  const svg = image.toString().replaceAll('"', "'")
  const escaped = svg.replace(/[%#\n]/g, (char) => encodeURIComponent(char))
  return `data:image/svg+xml,${escaped}`
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const root = fileURLToPath(new URL('..', import.meta.url))
  rmSync(join(root, target, 'pictures'), { recursive: true, force: true })
  for (const [path, text] of createPictures(root)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
}
