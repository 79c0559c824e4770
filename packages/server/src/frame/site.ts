import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { defaultOrigins } from '@gatefold/protocol/gateway'
import type { Context } from '../context.ts'
import { readHeader, type AccessContext, type HttpContext } from '../http/access.ts'
import type { Handler } from '../http/Role.ts'
import { toSources } from '../http/toSources.ts'
import { networks } from '../money/chainData/networks.ts'
import { defaultProjectId, type Project } from '../storage/projects.ts'
import { frameAnswers } from './answers.ts'

/** What the site needs of the server. */
export type SiteContext = Pick<AccessContext, 'projects'> & {
  config: Pick<Context['config'], 'chains' | 'frameSite' | 'rpcUrls'>
}

const contentTypes: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
}

/** The encodings of the copies beside a built file, in order of preference. */
const encodings = { br: '.br', gzip: '.gz' } as const

/** A file of the site, with its compressed copies. */
type SiteFile = { type: string; bodies: Map<string, Buffer<ArrayBuffer>> }

/** The text in the document that the configuration replaces. */
const placeholder = '%GATEFOLD_CONFIG%'

/**
 * Creates the handlers of the frame's site. Its files are read once.
 *
 * @see docs/contracts/frame-api.md#origin
 */
export function createSite(context: SiteContext): { document: Handler; asset: Handler } {
  const { frameSite } = context.config
  const template =
    frameSite !== undefined && existsSync(join(frameSite, 'index.html'))
      ? readFileSync(join(frameSite, 'index.html'), 'utf8')
      : undefined
  const files = frameSite === undefined ? new Map<string, SiteFile>() : readFiles(frameSite)

  return {
    async document(c) {
      if (template === undefined)
        return frameAnswers.refuse(503, {
          field: 'server',
          description: 'the site of the secure frame is not built; set GATEFOLD_FRAME_SITE',
        })
      const id = c.req.query('projectId') || defaultProjectId
      // Without the database, nobody may embed the frame.
      const project = await Promise.resolve(
        id.length <= 64 ? context.projects.get(id) : undefined,
      ).catch(() => undefined)
      if (!project?.active)
        return new Response('There is no project with this id.', {
          status: 404,
          headers: documentHeaders([]),
        })
      const origins = embeddingOrigins(project)
      const text = JSON.stringify(configOf(context, project, origins))
      // `<` would end the element.
      const page = template.replace(placeholder, () => text.replaceAll('<', String.raw`\u003c`))
      return new Response(page, { headers: documentHeaders(origins) })
    },
    asset(c) {
      const file = files.get(c.req.path)
      if (!file)
        return frameAnswers.refuse(404, {
          field: 'path',
          description: 'the frame has no file with this name',
        })
      const encoding = pickEncoding(c, file)
      return new Response(file.bodies.get(encoding), {
        headers: {
          'content-type': file.type,
          // The name has a hash of the content.
          'cache-control': 'public, max-age=31536000, immutable',
          'cross-origin-resource-policy': 'same-origin',
          'content-security-policy': workerPolicy,
          'x-content-type-options': 'nosniff',
          vary: 'accept-encoding',
          ...(encoding !== '' && { 'content-encoding': encoding }),
        },
      })
    },
  }
}

/** A worker has the policy of its own script. */
const workerPolicy = "default-src 'none'"

/** Origins that may embed the frame. */
function embeddingOrigins(project: Project): string[] {
  return [...project.allowedOrigins, ...(project.defaultOrigins ? defaultOrigins : [])]
}

/** @see docs/threats.md#embedding-pages */
function documentHeaders(origins: readonly string[]): Record<string, string> {
  return {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    // With these, cross-origin isolated pages can embed the frame.
    'cross-origin-embedder-policy': 'require-corp',
    'cross-origin-resource-policy': 'cross-origin',
    'permissions-policy': permissions,
    'content-security-policy': [
      "default-src 'none'",
      "script-src 'self'",
      "worker-src 'self'",
      "style-src 'self'",
      "img-src 'self'",
      "font-src 'self'",
      "connect-src 'self'",
      "base-uri 'none'",
      "form-action 'none'",
      "require-trusted-types-for 'script'",
      'trusted-types gatefold-worker',
      `frame-ancestors ${toSources(origins) || "'none'"}`,
    ].join('; '),
  }
}

const permissions = [
  'accelerometer',
  'camera',
  'display-capture',
  'geolocation',
  'gyroscope',
  'hid',
  'magnetometer',
  'microphone',
  'midi',
  'payment',
  'serial',
  'usb',
]
  .map((name) => `${name}=()`)
  .join(', ')

/** The configuration that the document contains; `FrameConfig` in the frame. */
function configOf({ config }: SiteContext, project: Project, origins: readonly string[]) {
  const known = { ...networks, ...config.chains }
  const chains = Object.keys(config.rpcUrls).flatMap((id) => {
    const data = known[id]
    return data ? [{ id, name: data.name, ...symbolOf(data.nativeCurrency) }] : []
  })
  return {
    version: '1',
    projectId: project.id,
    projectName: project.name,
    origins,
    recovery: 'automatic',
    chains,
  }
}

function symbolOf({ symbol, decimals }: { symbol: string; decimals: number }) {
  return { symbol, decimals }
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
