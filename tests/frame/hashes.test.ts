import { createHash } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { frameFolder } from '@gatefold/frame/build'
import { runBin } from '@gatefold/site'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { checkFrameFiles } from '../../packages/server/src/doctor/checkFrameFiles.ts'
import { startFrame, type FrameStack } from './startFrame.ts'

let frame: FrameStack
let hashes: Record<string, string>

const readHashes = async (folder: string) =>
  JSON.parse(await readFile(join(folder, 'hashes.json'), 'utf8')) as Record<string, string>

const hashOf = (text: string | Uint8Array) =>
  `sha256-${createHash('sha256').update(text).digest('base64')}`

beforeAll(async () => {
  frame = await startFrame()
  hashes = await readHashes(frameFolder)
})
afterAll(async () => {
  await frame?.stop()
})

it('attack: the files that are served are those that the build lists', async () => {
  const files = Object.keys(hashes)
  expect(files.length).toBeGreaterThan(20)
  for (const file of files.filter((one) => !one.endsWith('.html'))) {
    const response = await fetch(`${frame.url}/${file}`)
    expect(hashOf(new Uint8Array(await response.arrayBuffer())), file).toBe(hashes[file])
  }
  for (const [path, file] of [
    ['/sdk', 'index.html'],
    ['/settings', 'page.html'],
  ] as const) {
    const html = await (await fetch(frame.url + path)).text()
    // Only the configuration is inserted.
    const template = html.replace(
      /(<script type="application\/json" id="gatefold-config">\s*)\{.*\}(\s*<\/script>)/,
      '$1%GATEFOLD_CONFIG%$2',
    )
    expect(hashOf(template), file).toBe(hashes[file])
  }
})

it('gatefold doctor finds no file that differs', async () => {
  const { status } = await checkFrameFiles({ url: frame.url, site: frameFolder })
  expect(status).toBe('ok')
})

it('attack: another build of the same sources is equal', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'gatefold-build-'))
  try {
    const cwd = join(import.meta.dirname, '../../packages/frame')
    await runBin({ package: 'vite', bin: 'vite', args: ['build', '--outDir', folder], cwd })
    expect(await readHashes(folder)).toEqual(hashes)
  } finally {
    await rm(folder, { recursive: true })
  }
})
