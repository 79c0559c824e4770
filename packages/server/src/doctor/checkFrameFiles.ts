import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as v from 'valibot'
import { reasonOf, type Finding } from './Finding.ts'

const timeoutMs = 10_000

const Hashes = v.record(v.string(), v.string())

/** How many files a message names. */
const maxNamed = 5

/** The paths of the documents in which the server inserts the configuration. */
const documents: Readonly<Record<string, string>> = {
  'index.html': '/sdk?projectId=default',
  'page.html': '/settings?projectId=default',
}

/**
 * Compares the files that visitors get from the frame's public origin with the hashes of the build. They differ if only
 * some files were copied, if a proxy or a CDN has cached or changed files, or if somebody has replaced them.
 *
 * @param options.site - the folder of the built site.
 * @see docs/threats.md#embedding-pages
 */
export async function checkFrameFiles({
  url,
  site,
}: {
  url: string
  site: string
}): Promise<Omit<Finding, 'check'>> {
  const { host } = new URL(url)
  const list = join(site, 'hashes.json')
  const hashes = readHashes(list)
  if (!hashes)
    return {
      status: 'warning',
      message: `${list} is missing or damaged, so the served files cannot be checked.`,
      fix: 'Build the site again, and copy the whole folder packages/frame/dist.',
    }
  const found = await Promise.all(
    hashes.map(async ([file, hash]) => {
      try {
        const isSame = file in documents ? isSameDocument : isSameFile
        return (await isSame({ url, site, file, hash })) ? [] : [file]
      } catch (error) {
        return [`${file} (${reasonOf(error)})`]
      }
    }),
  )
  const differing = found.flat()
  if (differing.length === 0)
    return { status: 'ok', message: `${host} serves the ${hashes.length} files in hashes.json.` }
  const named = differing.slice(0, maxNamed).join(', ')
  const more = differing.length - maxNamed
  return {
    status: 'error',
    message: `${host} serves files that differ from hashes.json: ${named}${more > 0 ? ` and ${more} more` : ''}.`,
    fix: `Copy the whole folder of one build to ${site}, restart the server, and clear the caches of the proxy. If the files still differ, find out who has changed them, because changed files can take the keys of visitors.`,
  }
}

/** The hashes by file; `undefined` if the list cannot be read. */
function readHashes(list: string): [file: string, hash: string][] | undefined {
  try {
    return Object.entries(v.parse(Hashes, JSON.parse(readFileSync(list, 'utf8'))))
  } catch {
    return undefined
  }
}

type Served = { url: string; site: string; file: string; hash: string }

/** Compares a file, also its compressed copy, which browsers get. */
async function isSameFile({ url, file, hash }: Served): Promise<boolean> {
  const copies = await Promise.all(
    ['br', 'gzip', 'identity'].map(async (encoding) => {
      const response = await load(`${url}/${file}`, { 'accept-encoding': encoding })
      return hashOf(new Uint8Array(await response.arrayBuffer()))
    }),
  )
  return copies.every((copy) => copy === hash)
}

/** Compares a document, except the configuration in it. */
async function isSameDocument({ url, site, file, hash }: Served): Promise<boolean> {
  const template = readFileSync(join(site, file), 'utf8')
  const [start = '', end = ''] = template.split('%GATEFOLD_CONFIG%')
  const text = await (await load(url + documents[file], {})).text()
  const config = text.slice(start.length, text.length - end.length)
  // The configuration contains no `<`, so it cannot contain another script.
  const isInserted = text.startsWith(start) && text.endsWith(end) && /^\{[^<]*\}$/.test(config)
  return isInserted && hashOf(template) === hash
}

/** @throws if the file is not served */
async function load(url: string, headers: Record<string, string>): Promise<Response> {
  const signal = AbortSignal.timeout(timeoutMs)
  const response = await fetch(url, { headers, redirect: 'manual', signal })
  if (response.status === 200) return response
  await response.body?.cancel()
  throw new Error(`status ${response.status}`)
}

function hashOf(content: string | Uint8Array): string {
  return `sha256-${createHash('sha256').update(content).digest('base64')}`
}
