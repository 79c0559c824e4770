/**
 * Writes the wallet directory under `data/`, and a small offline copy for the kit.
 *
 *     node packages/server/scripts/importDirectory.ts
 *
 * Downloads the source packages with `npm pack` into a temporary folder; they are not dependencies. The
 * result is committed, so the server fetches nothing at start. See data/NOTICE.md.
 */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { familyChains, walletFamilies } from './import/families.ts'
import {
  connectorImages,
  currencyFlags,
  networkImages,
  ownDrawings,
  tokenSymbols,
} from './import/images.ts'
import {
  additions,
  bestKnown,
  replacementIcons,
  explorerIds,
  notWallets,
} from './import/wallets.ts'

const packages = [
  'thirdweb@5.121.6',
  '@web3icons/core@4.0.56',
  '@rainbow-me/rainbowkit@2.2.8',
  'circle-flags@2.8.3',
]
const dataDir = join(import.meta.dirname, '../data')
const kitFile = join(import.meta.dirname, '../../kit/src/data/directory.ts')

type Source = {
  id: string
  name: string
  homepage: string
  image_id?: string | undefined
  rdns?: string | null
  app: Partial<Record<'browser' | 'ios' | 'android' | 'chrome', string | null>>
  mobile: { native: string | null; universal: string | null }
  desktop: { native: string | null; universal: string | null }
  image: Buffer | undefined
}

const work = mkdtempSync(join(tmpdir(), 'gatefold-import-'))
try {
  for (const name of packages) unpack(name)
  const icons = writeWallets(await readSources())
  const images = await writeImages()
  process.stdout.write(`${icons} wallets, ${images} other images\n`)
} finally {
  rmSync(work, { recursive: true, force: true })
}

function unpack(name: string) {
  const folder = join(work, packageFolder(name))
  mkdirSync(folder, { recursive: true })
  const file = execFileSync('npm', ['pack', name, '--silent'], { cwd: work, encoding: 'utf8' })
  execFileSync('tar', ['xzf', join(work, file.trim()), '-C', folder])
  // The sources are ES modules in `.js` files.
  writeFileSync(join(folder, 'package/package.json'), '{"type":"module"}')
}

function packageFolder(name: string) {
  return name.slice(0, name.lastIndexOf('@')).replace('/', '+')
}

function inPackage(name: string, path: string) {
  return join(
    work,
    packageFolder(packages.find((entry) => entry.startsWith(name))!),
    'package',
    path,
  )
}

async function importDefault(path: string): Promise<string> {
  return ((await import(pathToFileURL(path).href)) as { default: string }).default
}

async function readSources(): Promise<Source[]> {
  const folder = inPackage('thirdweb', 'dist/esm/wallets/__generated__')
  const infos = readFileSync(join(folder, 'wallet-infos.js'), 'utf8')
  const inOrder = [...infos.matchAll(/id: "([^"]+)"/g)].map((match) => match[1]!)
  const sources: Source[] = []
  for (const id of readdirSync(join(folder, 'wallet'))) {
    if (notWallets.has(id)) continue
    const path = join(folder, 'wallet', id)
    const { wallet } = (await import(pathToFileURL(join(path, 'index.js')).href)) as {
      wallet: Omit<Source, 'image'>
    }
    const replacement = replacementIcons[id]
    const image = replacement
      ? await readIcon(replacement)
      : decodeWebp(await importDefault(join(path, 'image.js')), id)
    sources.push({ ...wallet, image })
  }
  for (const id of Object.keys(replacementIcons))
    if (!sources.some((source) => source.id === id)) throw new Error(`${id}: no such wallet`)
  for (const { icon, ...wallet } of additions)
    sources.push({ ...wallet, image: icon ? await readIcon(icon) : undefined })
  const position = (id: string) => {
    const known = bestKnown.indexOf(id)
    if (known >= 0) return known
    const later = inOrder.indexOf(id)
    return bestKnown.length + (later >= 0 ? later : inOrder.length)
  }
  return sources.sort((a, b) => position(a.id) - position(b.id) || a.id.localeCompare(b.id))
}

function decodeWebp(dataUrl: string, id: string) {
  const bytes = Buffer.from(dataUrl.slice(dataUrl.indexOf(',') + 1), 'base64')
  if (bytes.toString('latin1', 0, 4) !== 'RIFF' || bytes.toString('latin1', 8, 12) !== 'WEBP')
    throw new Error(`${id}: the icon is not WebP`)
  return bytes
}

async function readIcon(name: string) {
  const [kind, file] = name.split('/')
  if (kind && file) return Buffer.from(cleanSvg(await importDefault(web3icon(kind, file))))
  const folder = inPackage('@rainbow-me/rainbowkit', 'dist')
  const chunk = readdirSync(folder).find((each) => each.startsWith(`${name}Wallet-`))
  if (!chunk) throw new Error(`${name}: no such SVG`)
  const dataUrl = await importDefault(join(folder, chunk))
  return Buffer.from(cleanSvg(decodeURIComponent(dataUrl.slice(dataUrl.indexOf(',') + 1))))
}

function toWallet(source: Source, index: number) {
  const url = (value: string | null | undefined) => {
    const text = value?.trim() ?? ''
    return /^[a-z][a-z0-9+.-]*:/i.test(text) && !/[\s"<>]/.test(text) ? text : null
  }
  const web = (value: string | null | undefined) => {
    const text = url(value)
    return text && /^https:\/\//i.test(text) ? text : null
  }
  const store = (value: string | null | undefined, host: RegExp) => {
    const text = web(value)
    return text && host.test(new URL(text).host) ? text : null
  }
  const page = web(source.app.browser)
  const families = (walletFamilies[source.id] ?? 'eip155').split(' ')
  const wallet = {
    id: explorerIds[source.id] ?? createHash('sha256').update(source.id).digest('hex'),
    name: source.name.trim(),
    image_id: source.image && source.image_id,
    homepage: web(source.homepage) ?? url(source.homepage) ?? undefined,
    order: (index + 1) * 10,
    mobile_link: url(source.mobile.native) ?? web(source.mobile.universal),
    desktop_link: url(source.desktop.native),
    // For wallets without a homepage, the source has a store page here.
    webapp_link:
      page && !/(^|\.)(chrome|chromewebstore)\.google\.com$/.test(new URL(page).host) ? page : null,
    link_mode: null,
    app_store: store(source.app.ios, /(^|\.)apple\.com$/),
    play_store: store(source.app.android, /(^|\.)google\.com$/),
    chrome_store: store(source.app.chrome, /(^|\.)google\.com$/),
    rdns: source.rdns || null,
    injected: source.rdns
      ? families
          .filter((family) => ['eip155', 'solana', 'bip122'].includes(family))
          .map((namespace) => ({ namespace, injected_id: source.rdns! }))
      : null,
    badge_type: 'none',
    families,
  }
  if (isCertified(wallet)) wallet.badge_type = 'certified'
  return wallet
}

/**
 * Whether a wallet gets the certified badge. Requires a homepage over https, a mobile link or an EIP-6963 name
 * (rdns), and at least three of these: App Store, Google Play, Chrome Web Store, EIP-6963 name, a desktop or web
 * app.
 */
function isCertified(wallet: ReturnType<typeof toWallet>) {
  const { app_store, play_store, chrome_store, rdns, desktop_link, webapp_link } = wallet
  if (!wallet.homepage?.startsWith('https://') || !(wallet.mobile_link ?? rdns)) return false
  const points = [app_store, play_store, chrome_store, rdns, desktop_link ?? webapp_link]
  return points.filter(Boolean).length >= 3
}

function writeWallets(sources: Source[]) {
  mkdirSync(dataDir, { recursive: true })
  const parts: Buffer[] = []
  let offset = 0
  const lines = sources.map((source, index) => {
    const icon = source.image ? [offset, source.image.length] : null
    if (source.image) {
      parts.push(source.image)
      offset += source.image.length
    }
    return JSON.stringify({ ...toWallet(source, index), icon })
  })
  writeFileSync(join(dataDir, 'walletIcons.bin'), Buffer.concat(parts))
  writeFileSync(
    join(dataDir, 'wallets.json'),
    `{"families":${JSON.stringify(familyChains)},\n"wallets":[\n${lines.join(',\n')}\n]}\n`,
  )
  writeKitDirectory(sources)
  return lines.length
}

function writeKitDirectory(sources: Source[]) {
  const wallets = sources
    .map(toWallet)
    .filter((_, index) => bestKnown.includes(sources[index]!.id))
    .map(({ families, ...wallet }) => {
      const omitted = ['injected', 'link_mode', 'order']
      const filled = Object.entries(wallet).filter(
        ([key, value]) => value !== null && value !== undefined && !omitted.includes(key),
      )
      const fields = filled.map(([key, value]) => `    ${key}: ${literal(value)},\n`).join('')
      const chains = families.map((family) => `...${family}`).join(', ')
      return `  {\n${fields}    chains: [${chains}],\n  },\n`
    })
  const used = [
    ...new Set(
      sources
        .filter(({ id }) => bestKnown.includes(id))
        .flatMap(({ id }) => (walletFamilies[id] ?? 'eip155').split(' ')),
    ),
  ].sort()
  const constants = used.map((family) => `const ${family} = ${literal(familyChains[family])}\n`)
  mkdirSync(join(kitFile, '..'), { recursive: true })
  writeFileSync(
    kitFile,
    `// Generated by packages/server/scripts/importDirectory.ts; change it there.
// Wallet data from thirdweb 5.121.6 (Apache-2.0), see packages/server/data/NOTICE.md.
import type { WalletListing } from '@gatefold/protocol/gateway'

${constants.join('')}
/** The best-known wallets, for pages without a gateway. Icons are not included. */
export const directory: readonly WalletListing[] = [
${wallets.join('')}]
`,
  )
}

function literal(value: unknown): string {
  return JSON.stringify(value).replaceAll("'", "\\'").replaceAll('"', "'")
}

function web3icon(kind: string, name: string) {
  return inPackage('@web3icons/core', `dist/svgs/${kind}/background/${name}.svg.js`)
}

async function writeImages() {
  const folder = join(dataDir, 'images')
  rmSync(folder, { recursive: true, force: true })
  const assets: Record<string, string> = {}
  const written = new Set<string>()
  const write = (path: string, svg: string) => {
    mkdirSync(join(folder, path, '..'), { recursive: true })
    writeFileSync(join(folder, path), cleanSvg(svg))
    written.add(path)
  }
  for (const [id, name] of Object.entries(networkImages)) {
    const path = `networks/${name}.svg`
    assets[id] = path
    if (!written.has(path))
      write(path, ownDrawings[name] ?? (await importDefault(web3icon('networks', name))))
  }
  for (const [id, name] of Object.entries(connectorImages)) {
    const own = name.startsWith('own:') ? name.slice(4) : undefined
    const path = `connectors/${own ?? name}.svg`
    assets[id] = path
    write(path, own ? ownDrawings[own]! : await importDefault(web3icon('wallets', name)))
  }
  for (const entry of tokenSymbols) {
    const [symbol = '', from = `tokens/${symbol}`] = entry.split('=')
    const [kind = '', name = ''] = from.split('/')
    write(`tokens/${symbol}.svg`, await importDefault(web3icon(kind, name)))
  }
  for (const [code, flag] of Object.entries(currencyFlags))
    write(
      `currencies/${code}.svg`,
      readFileSync(inPackage('circle-flags', `flags/${flag}.svg`), 'utf8'),
    )
  writeFileSync(join(dataDir, 'assets.json'), `${JSON.stringify(assets, null, 1)}\n`)
  return written.size
}

/** Minifies an SVG. @throws if it is larger than 64 KB, could run scripts or could load other files */
function cleanSvg(svg: string): string {
  const text = svg
    .replace(/<\?xml[^>]*>|<!--[\s\S]*?-->/g, '')
    .replace(/ class="web3icons"/g, '')
    .replace(/\s*\n\s*/g, ' ')
    .replace(/> </g, '><')
    .trim()
  const active =
    /<(script|foreignObject|iframe|image|a|style|animate|set)\b|\son\w+=|(?:href|src)=["'](?!#)|url\((?!#)/i
  const found = active.exec(text)
  if (found) throw new Error(`an SVG contains ${found[0]}: ${text.slice(0, 200)}`)
  if (text.length > 64 * 1024) throw new Error(`an SVG of ${text.length} bytes is too large`)
  return text
}
