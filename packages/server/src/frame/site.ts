import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { CaipNetworkId } from '@gatefold/protocol'
import { readHeader, type HttpContext } from '../http/access.ts'
import type { Handler } from '../http/Role.ts'
import { networks } from '../money/chainData/networks.ts'
import { defaultProjectId, type Project } from '../storage/projects.ts'
import { refuse } from './answers.ts'
import { embeddingOrigins, frameHeaders, pageHeaders, windowHeaders } from './frameHeaders.ts'
import { frameNetworks } from './frameNetworks.ts'
import type { FrameService } from './service.ts'

const contentTypes: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
}

/** The encodings of a built file's compressed copies, in order of preference. */
const encodings = { br: '.br', gzip: '.gz' } as const

/** A file of the site, with its compressed copies. */
type SiteFile = { type: string; bodies: Map<string, Buffer<ArrayBuffer>> }

/** The placeholder in the document that is replaced by the configuration. */
const placeholder = '%GATEFOLD_CONFIG%'

/** `GET /sdk`: the frame's document, for the pages of a project. @see docs/contracts/frame-api.md#origin */
export function getDocument(service: FrameService): Handler {
  return serveDocument(service, 'index.html', frameHeaders)
}

/** `GET /settings` and `GET /restore`: pages of the frame's origin, which no page may embed. */
export function getPage(service: FrameService): Handler {
  return serveDocument(service, 'page.html', pageHeaders)
}

/** `GET /approve`: the window of an approval, which no page may embed. */
export function getApprovalWindow(service: FrameService): Handler {
  return serveDocument(service, 'page.html', windowHeaders)
}

function serveDocument(
  { context }: FrameService,
  name: string,
  toHeaders: (project: Project | undefined) => Record<string, string>,
): Handler {
  const { frameSite } = context.config
  const file = frameSite === undefined ? undefined : join(frameSite, name)
  const template = file !== undefined && existsSync(file) ? readFileSync(file, 'utf8') : undefined
  return async (c) => {
    if (template === undefined)
      return refuse(503, {
        field: 'server',
        description: 'the site of the secure frame is not built; set GATEFOLD_FRAME_SITE',
      })
    const id = c.req.query('projectId') || defaultProjectId
    const project = await context.projects.get(id)
    if (!project?.active)
      return new Response('There is no project with this id.', {
        status: 404,
        headers: toHeaders(undefined),
      })
    const text = JSON.stringify(configOf(context, project))
    // `<` would end the element.
    const page = template.replace(placeholder, () => text.replaceAll('<', String.raw`\u003c`))
    return new Response(page, { headers: toHeaders(project) })
  }
}

/** `GET /assets/{name}`: a script or style of the frame. */
export function getAsset({ context }: FrameService): Handler {
  const { frameSite } = context.config
  const files = frameSite === undefined ? new Map<string, SiteFile>() : readFiles(frameSite)
  return (c) => {
    const file = files.get(c.req.path)
    if (!file)
      return refuse(404, { field: 'path', description: 'the frame has no file with this name' })
    const encoding = pickEncoding(c, file)
    return new Response(file.bodies.get(encoding), {
      headers: {
        'content-type': file.type,
        // The name contains a hash of the content.
        'cache-control': 'public, max-age=31536000, immutable',
        // A worker has the policy of its script's response. It needs no network
        // access. Argon2id is WebAssembly.
        'content-security-policy':
          "default-src 'none'; script-src 'wasm-unsafe-eval'; frame-ancestors 'none'",
        // A document with this header can only start workers that have it too.
        'cross-origin-embedder-policy': 'require-corp',
        'cross-origin-resource-policy': 'same-origin',
        'x-content-type-options': 'nosniff',
        vary: 'accept-encoding',
        ...(encoding !== '' && { 'content-encoding': encoding }),
      },
    })
  }
}

/** The configuration that the document contains; `FrameConfig` in the frame. */
function configOf({ config }: FrameService['context'], project: Project) {
  const known = { ...frameNetworks, ...networks, ...config.chains }
  const chains = Object.keys(config.rpcUrls).flatMap((id) => {
    if (CaipNetworkId.parse(id).namespace === 'solana') return [solanaChain(id)]
    const data = known[id]
    if (!data) return []
    const { symbol, decimals } = data.nativeCurrency
    const swaps = 'uniswap' in data && data.wrapped !== undefined && data.uniswap
    const account = config.smartAccounts[id]
    return [
      {
        id,
        name: data.name,
        symbol,
        decimals,
        ...(swaps && { uniswap: { router: swaps.router, wrapped: data.wrapped } }),
        ...('zeroEx' in data && { zeroEx: data.zeroEx }),
        ...('oneInch' in data && { oneInch: data.oneInch }),
        ...(account && {
          smartAccount: {
            module: account.module,
            setup: account.setup,
            hasPaymaster: account.paymaster !== undefined && config.paymasterKey !== undefined,
          },
        }),
      },
    ]
  })
  return {
    version: '1',
    projectId: project.id,
    origins: embeddingOrigins(project),
    recovery: project.recovery,
    passkeyLogin: project.passkeyLogin,
    chains,
  }
}

/** The public clusters of Solana. */
const clusters: Readonly<Record<string, string>> = {
  'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp': 'Solana',
  'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1': 'Solana Devnet',
  'solana:4uhcVJyU9pJkvQyS88uRDiswHXSCkY3z': 'Solana Testnet',
}

/**
 * Other clusters are named by their genesis hash, so that none can be mistaken
 * for a public one.
 */
function solanaChain(id: string) {
  const name = clusters[id] ?? `Solana ${CaipNetworkId.parse(id).reference.slice(0, 8)}`
  return { id, name, symbol: 'SOL', decimals: 9 }
}

function readFiles(folder: string): Map<string, SiteFile> {
  const assets = join(folder, 'assets')
  const files = new Map<string, SiteFile>()
  if (!existsSync(assets)) return files
  for (const name of readdirSync(assets)) {
    const type = contentTypes[extname(name)]
    if (type === undefined) continue
    const bodies = new Map([['', readFileSync(join(assets, name))]])
    for (const [encoding, ending] of Object.entries(encodings)) {
      const copy = join(assets, `${name}${ending}`)
      if (existsSync(copy)) bodies.set(encoding, readFileSync(copy))
    }
    files.set(`/assets/${name}`, { type, bodies })
  }
  return files
}

function pickEncoding(c: HttpContext, { bodies }: SiteFile): string {
  const accepted = readHeader(c, 'accept-encoding') ?? ''
  return (
    Object.keys(encodings).find(
      (encoding) => accepted.includes(encoding) && bodies.has(encoding),
    ) ?? ''
  )
}
