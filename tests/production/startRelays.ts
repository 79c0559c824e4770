import { execFile, spawn } from 'node:child_process'
import { connect } from 'node:net'
import { readFile, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { createDatabase } from '../../packages/server/src/testing/databases.ts'
import { findProgram, whyMissing } from '../debian.ts'
import { freePort, startProgram, type Program } from '../program.ts'
import { startRedis, whyNoRedis } from '../redis.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const name = 'relay.example'

const nginxPackage = { packages: ['nginx-light'], file: 'usr/sbin/nginx' }

/** The reason why the setup cannot run on this machine; undefined if it can. @see whyMissing */
export async function whyNoProduction(): Promise<string | undefined> {
  return (await whyNoRedis()) ?? whyMissing('nginx', nginxPackage)
}

/** The code blocks of docs/relay-production.md that have a file name, by file name. */
export async function readBlocks(): Promise<Record<string, string>> {
  const page = await readFile(join(root, 'docs/relay-production.md'), 'utf8')
  const blocks = page.matchAll(/^```\w+ file=(\S+)\n([\s\S]*?)^```$/gm)
  return Object.fromEntries(Array.from(blocks, ([, file, text]) => [file, text]))
}

/**
 * Starts the setup in docs/relay-production.md from the configuration blocks on that page. Only
 * ports, paths and addresses are replaced, so that tests do not interfere with the machine.
 */
export async function startProduction() {
  const undo: (() => Promise<unknown>)[] = []
  const stop = async () => {
    for (let last = undo.pop(); last; last = undo.pop()) await last()
  }
  try {
    const blocks = await readBlocks()
    const folder = await mkdtemp(join(tmpdir(), 'gatefold-production-'))
    undo.push(() => rm(folder, { recursive: true, force: true }))
    const redis = await startRedis({
      configuration: fill(blocks['redis.conf']!, { '/var/lib/redis': folder }),
    })
    undo.push(() => redis.stop())
    const database = await createDatabase('postgres')
    undo.push(() => database.remove())

    const [publicPort, one, two] = [await freePort(), await freePort(), await freePort()]
    const publicUrl = `wss://${name}:${publicPort}`
    const env = fill(readEnv(blocks['relay.env']!), {
      'wss://relay.example': publicUrl,
      'redis://127.0.0.1:6379': redis.url,
      'postgres://gatefold:secret@127.0.0.1:5432/gatefold': database.config.databaseUrl!,
    })
    const relays: Program[] = []
    for (const port of [one, two]) {
      const relay = await startProgram({
        name: 'relay',
        args: [join(root, 'packages/server/src/bin.ts'), 'serve', '--port', String(port)],
        port,
        env,
        health: '/health',
      })
      undo.push(() => relay.stop())
      relays.push(relay)
    }

    const certificate = await makeCertificate(folder)
    const text = fill(blocks['nginx.conf']!, {
      'listen 443 ssl': `listen 127.0.0.1:${publicPort} ssl`,
      '127.0.0.1:3011': `127.0.0.1:${one}`,
      '127.0.0.1:3012': `127.0.0.1:${two}`,
      '/etc/letsencrypt/live/relay.example/fullchain.pem': certificate.cert,
      '/etc/letsencrypt/live/relay.example/privkey.pem': certificate.key,
      // nginx writes temporary files into the test's folder.
      'events {': `pid ${folder}/pid; daemon off; error_log stderr; events {`,
      'http {': `http { ${temporary(folder)}`,
    })
    await writeFile(join(folder, 'nginx.conf'), text)
    await startNginx(folder, publicPort, undo)
    return { redis, relays, publicPort, publicUrl, ca: await readFile(certificate.cert), stop }
  } catch (error) {
    await stop()
    throw error
  }
}

function readEnv(text: string): Record<string, string> {
  const lines = text.trim().split('\n')
  return Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  )
}

/**
 * Replaces each key of `changes` in a text. @throws if a key does not occur, because then the page
 * has changed
 */
function fill<Value extends string | Record<string, string>>(
  value: Value,
  changes: Record<string, string>,
): Value {
  let text = JSON.stringify(value)
  for (const [from, to] of Object.entries(changes)) {
    if (!text.includes(from))
      throw new Error(`docs/relay-production.md does not contain “${from}”.`)
    text = text.replaceAll(from, () => to)
  }
  return JSON.parse(text) as Value
}

function temporary(folder: string) {
  return ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((kind) => `${kind}_temp_path ${folder}/${kind};`)
    .join(' ')
}

async function makeCertificate(folder: string) {
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  const subject = ['-subj', `/CN=${name}`, '-addext', `subjectAltName=DNS:${name}`]
  await promisify(execFile)('openssl', [
    'req',
    '-x509',
    '-nodes',
    ...subject,
    ...Object.entries({ newkey: 'rsa:2048', days: '2', keyout: key, out: cert }).flatMap(
      ([option, value]) => [`-${option}`, value],
    ),
  ])
  return { key, cert }
}

async function startNginx(folder: string, port: number, undo: (() => Promise<unknown>)[]) {
  const nginx = await findProgram('nginx', nginxPackage)
  const child = spawn(nginx.path, ['-p', folder, '-c', join(folder, 'nginx.conf')], {
    env: { ...process.env, ...nginx.env },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let stderr = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
  const exited = new Promise((resolve) => child.once('exit', resolve))
  undo.push(() => {
    child.kill('SIGTERM')
    return exited
  })
  const ended = exited.then(() => {
    throw new Error(`nginx did not start:\n${stderr}`)
  })
  ended.catch(() => {}) // the loop below reports a failed start; a later exit is expected
  while (!(await Promise.race([isOpen(port), ended]))) continue
}

/** Waits before returning false, because a refused connection fails immediately. */
function isOpen(port: number) {
  return new Promise<boolean>((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(Boolean(socket.end())))
    socket.once('error', () => setTimeout(() => resolve(false), 20))
  })
}
