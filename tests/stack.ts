import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildBook } from '@gatefold/book'
import { type Chain, gatefoldLocal, gatefoldSecond, startChain } from '@gatefold/chain'
import { buildPhone } from '@gatefold/wallets/phone'
import { withLock } from '../scripts/launcher/lock.mjs'
import { freePort, startProgram, type Program } from './program.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

export type StackOptions = {
  /** Which parts run; each unless told otherwise. */
  chains?: boolean
  server?: boolean
  book?: boolean
  /** The wallet on a phone; only where it is asked for, since most have no use for it. */
  phone?: boolean
  /** Added to the environment of the server and the book, over what the stack sets. */
  env?: Record<string, string>
  /** Ports to try first, the next free one where taken; any free one unless told. */
  ports?: { chains?: [number, number]; server?: number; book?: number; phone?: number }
  /** Where the server keeps its data; a folder that is removed at the end unless told. */
  dataDir?: string
  /** The book from its sources with hot replacement, not from its build. */
  dev?: boolean
  /** Shows what the server and the book write. */
  showOutput?: boolean
  /** Told of each part as soon as it answers. */
  onReady?: (part: string, url: string) => void
}

type Part = 'server' | 'book' | 'phone'

export type Stack = {
  /** Chains 31337 and 31338, or nothing. */
  chains: Chain[]
  server: Program | undefined
  book: Program | undefined
  phone: Program | undefined
  /** Ends a part as a crash would. */
  kill(part: Part): Promise<void>
  /** Starts a part again on its port, with its data. */
  restart(part: Part): Promise<void>
  /** Stops everything, the book first, and removes what was kept for this stack alone. */
  stop(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

/**
 * Starts local chains, server and book, wired to one another, and waits until all answer. When one
 * does not start, those that did are stopped again.
 *
 * @example
 * const stack = await startStack()
 * afterAll(() => stack.stop())
 * await page.goto(stack.book!.url)
 */
export async function startStack(options: StackOptions = {}): Promise<Stack> {
  const { ports = {}, env = {}, showOutput = false, onReady = () => {} } = options
  const undo: (() => Promise<unknown>)[] = []
  const stop = async () => {
    for (let last = undo.pop(); last; last = undo.pop()) await last()
  }

  try {
    const built = options.book === false || options.dev ? undefined : buildOnce()
    built?.catch(() => {}) // reported where it is awaited
    const phoneBuilt = options.phone ? buildPhone() : undefined
    phoneBuilt?.catch(() => {})

    const chains: Chain[] = []
    if (options.chains !== false) {
      for (const [index, chainId] of ([31337, 31338] as const).entries()) {
        const port = ports.chains ? await freePort(ports.chains[index]) : 0
        const chain = await startChain({ chainId, port })
        undo.push(() => chain.stop())
        chains.push(chain)
        onReady(`chain ${chainId}`, chain.url)
      }
    }

    let server: Program | undefined
    if (options.server !== false) {
      const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), 'gatefold-data-')))
      if (!options.dataDir) undo.push(() => rm(dataDir, { recursive: true, force: true }))
      const port = await freePort(ports.server)
      server = await startProgram({
        name: 'server',
        args: [join(root, 'packages/server/src/bin.ts'), 'serve'],
        port,
        env: { ...serverEnvironment(port, dataDir, chains), ...env },
        health: '/health',
        showOutput,
      })
      const started = server
      undo.push(() => started.stop())
      onReady('gateway', server.url)
    }

    let book: Program | undefined
    if (options.book !== false) {
      await built
      const port = await freePort(ports.book)
      book = await startProgram({
        name: 'book',
        args: [join(root, `apps/book/src/${options.dev ? 'dev' : 'main'}.ts`)],
        port,
        env: { ...bookEnvironment(port, server, chains, options.dev), ...env },
        health: '/health',
        showOutput,
      })
      const started = book
      undo.push(() => started.stop())
      onReady('book', book.url)
    }

    let phone: Program | undefined
    if (options.phone) {
      await phoneBuilt
      const port = await freePort(ports.phone)
      phone = await startProgram({
        name: 'phone',
        args: [join(root, 'apps/wallets/phone/server/main.ts')],
        port,
        env: phoneEnvironment(port, server, chains),
        health: '/health',
        showOutput,
      })
      const started = phone
      undo.push(() => started.stop())
      onReady('phone', phone.url)
    }

    const part = (name: Part) => {
      const program = { server, book, phone }[name]
      if (!program) throw new Error(`This stack was started without its ${name}.`)
      return program
    }
    return {
      chains,
      server,
      book,
      phone,
      kill: async (name) => part(name).kill(),
      restart: async (name) => part(name).restart(),
      stop,
      [Symbol.asyncDispose]: stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

/** Builds the book where its sources changed; of several test files at once only the first does. */
function buildOnce() {
  return withLock(join(root, '.tools/book.lock'), 'builds the book', buildBook)
}

function serverEnvironment(port: number, dataDir: string, chains: Chain[]) {
  const upstreams = chains.map(({ chainId, url }) => [`eip155:${chainId}`, [url]])
  return {
    GATEFOLD_PORT: String(port),
    GATEFOLD_DATA_DIR: dataDir,
    GATEFOLD_LOG_LEVEL: 'warn',
    ...(chains.length > 0 && { GATEFOLD_RPC_URLS: JSON.stringify(Object.fromEntries(upstreams)) }),
  }
}

function bookEnvironment(port: number, server: Program | undefined, chains: Chain[], dev = false) {
  const networks = chains.map(({ chainId, url }) => {
    const chain = chainId === 31337 ? gatefoldLocal(url) : gatefoldSecond(url)
    const contracts = Object.entries(chain.contracts).map(([name, { address }]) => [name, address])
    return {
      id: chain.id,
      name: chain.name,
      rpcUrl: url,
      image: chainId === 31337 ? '/networks/local.svg' : '/networks/second.svg',
      contracts: Object.fromEntries(contracts),
    }
  })
  return {
    PORT: String(port),
    NODE_ENV: dev ? 'development' : 'production',
    BOOK_DEMO_WALLETS: 'true',
    ...(server && { BOOK_GATEWAY_URL: server.url }),
    ...(networks.length > 0 && { BOOK_NETWORKS: JSON.stringify(networks) }),
  }
}

function phoneEnvironment(port: number, server: Program | undefined, chains: Chain[]) {
  const known = chains.map(({ chainId, url }) => {
    const { id, name } = chainId === 31337 ? gatefoldLocal(url) : gatefoldSecond(url)
    return { id, name, rpcUrl: url }
  })
  return {
    PORT: String(port),
    ...(server && {
      PHONE_RELAY_URL: server.url.replace(/^http/, 'ws'),
      PHONE_VERIFY_URL: `${server.url}/v3`,
    }),
    ...(known.length > 0 && { PHONE_CHAINS: JSON.stringify(known) }),
  }
}
