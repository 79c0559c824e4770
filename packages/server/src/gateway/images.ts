import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { HttpContext } from '../http/access.ts'
import { headers, refuse } from './answers.ts'
import { dataDir, type DirectoryFile } from './directory.ts'

type Image = { bytes: Uint8Array<ArrayBuffer>; headers: Record<string, string> }

/** Images by the id in their route. The ids of tokens and currencies are upper case. */
export type Images = Record<'wallets' | 'assets' | 'currencies' | 'tokens', Map<string, Image>>

/** Maximum size of an image, in bytes. */
const maxBytes = 512 * 1024

/** Reads all bundled images. */
export function readImages(directory: DirectoryFile): Images {
  const icons = readFileSync(join(dataDir, 'walletIcons.bin'))
  const assets = JSON.parse(readFileSync(join(dataDir, 'assets.json'), 'utf8')) as Record<
    string,
    string
  >
  const folder = join(dataDir, 'images')
  const byName = (name: string) =>
    new Map(
      readdirSync(join(folder, name)).map((file) => [
        basename(file, '.svg'),
        toImage(readFileSync(join(folder, name, file))),
      ]),
    )
  return {
    wallets: new Map(
      directory.wallets.flatMap(({ image_id, icon }) =>
        image_id && icon
          ? [[image_id, toImage(icons.subarray(icon[0], icon[0] + icon[1]))] as const]
          : [],
      ),
    ),
    assets: new Map(
      Object.entries(assets).map(([id, file]) => [id, toImage(readFileSync(join(folder, file)))]),
    ),
    currencies: byName('currencies'),
    tokens: byName('tokens'),
  }
}

function toImage(bytes: Buffer): Image {
  if (bytes.length > maxBytes)
    throw new Error(`an image has ${bytes.length} bytes; the limit is ${maxBytes}`)
  const isSvg = bytes.toString('latin1', 0, 4) === '<svg'
  return {
    bytes: new Uint8Array(bytes),
    headers: {
      ...headers,
      'content-type': isSvg ? 'image/svg+xml' : 'image/webp',
      // The image for an id never changes.
      'cache-control': 'public, max-age=31536000, immutable',
      etag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`,
      // An SVG that is opened directly is a document, and could run scripts.
      ...(isSvg && {
        'content-security-policy':
          "default-src 'none'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'none'",
      }),
    },
  }
}

/**
 * Handles an image route. Any page may show these images, so no project is needed.
 *
 * @see docs/contracts/gateway.md#images; spec §7.5
 */
export function getImage(images: Map<string, Image>, options: { ignoreCase?: boolean } = {}) {
  return (c: HttpContext) => {
    const id = c.req.param('id') ?? ''
    const image = images.get(options.ignoreCase ? id.toUpperCase() : id)
    if (!image) return refuse(404, { field: 'id', description: 'there is no image with this id' })
    if (isCached(c.req.header('if-none-match'), image.headers['etag']!))
      return new Response(null, { status: 304, headers: image.headers })
    return new Response(image.bytes, { headers: image.headers })
  }
}

function isCached(header: string | undefined, etag: string): boolean {
  if (!header) return false
  return header.split(',').some((tag) => ['*', etag].includes(tag.trim().replace(/^W\//, '')))
}
