import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildBook } from '@gatefold/book'
import {
  addresses,
  type Chain,
  chainData,
  faucet,
  fundFaucet,
  gatefoldLocal,
  gatefoldSecond,
  movePrices,
  pricePauseMs,
  smartAccounts,
  sponsor,
  startBundler,
  type Solana,
  solanaLocal,
  startChain,
  startSolana,
  startSolanaOnFreePort,
  startSwapVendor,
  type SwapVendor,
} from '@gatefold/chain'
import { buildFrame, frameFolder } from '@gatefold/frame/build'
import { buildPhone } from '@gatefold/wallets/phone'
import { connectNames } from './connectNames.ts'
import { sponsorOperations } from './sponsorOperations.ts'
import { freePort, startProgram, type Program } from './program.ts'
import {
  startFarcaster,
  startOpenIdProvider,
  startSocials,
  type Farcaster,
} from './socials/index.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

export type StackOptions = {
  /** The parts to run; all by default. */
  chains?: boolean
  /** Whether to start the local Solana chain, for which the server is then configured; off by default. */
  solana?: boolean
  server?: boolean
  book?: boolean
  /** Whether the server serves the secure frame; off by default. */
  frame?: boolean
  /**
   * The social logins of the frame, with local providers: only Google, or all
   * providers and Farcaster; none by default.
   */
  socials?: 'google' | 'all'
  /** Whether chain 31337 has a bundler, so that wallets of the frame have smart accounts; off by default. */
  bundler?: boolean
  /** Whether to start the phone wallet; off by default. */
  phone?: boolean
  /** Whether the names that the server registers resolve on chain 31337; off by default. */
  names?: boolean
  /** Whether the chains start with the history of `generateHistory`; off by default. */
  history?: boolean
  /**
   * A swap vendor on chain 31337, simulated by a local server; by default,
   * swaps use the chain's pools.
   */
  swaps?: '0x' | '1inch'
  /** Whether the prices in the chains' pools move while the stack runs; off by default. */
  prices?: boolean
  /** Environment of the server and the Book; overrides the stack's. */
  env?: Record<string, string>
  /** Preferred ports. If one is taken, the next free port is used. By default, any free ports. */
  ports?: {
    chains?: [number, number]
    /** The next port has the subscriptions. */
    solana?: number
    server?: number
    frame?: number
    google?: number
    book?: number
    phone?: number
  }
  /** The server's data folder; by default a temporary folder. */
  dataDir?: string
  /**
   * Whether to serve the Book from its sources with hot module replacement instead of from its
   * build.
   */
  dev?: boolean
  /** Whether to show the output of the server, the Book and the phone wallet. */
  showOutput?: boolean
  /** Called for each part once it responds. */
  onReady?: (name: string, url: string) => void
}

type ProgramName = 'server' | 'book' | 'phone'

export type Stack = {
  /** Chains 31337 and 31338, if started. */
  chains: Chain[]
  solana: Solana | undefined
  server: Program | undefined
  book: Program | undefined
  phone: Program | undefined
  /** Origin of the secure frame, if the server serves it. */
  frameUrl: string | undefined
  /** The local relay and registries of Farcaster, with all social logins. */
  farcaster: Farcaster | undefined
  /** Sends SIGKILL to a program. */
  kill(name: ProgramName): Promise<void>
  /** Restarts a program on the same port, with its data. */
  restart(name: ProgramName): Promise<void>
  /** Stops all parts in reverse order of their start, and removes the temporary data folder. */
  stop(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

/**
 * Starts local chains, server and Book, configured for each other, and waits until all of them
 * respond. If one fails to start, stops the others.
 *
 * @example
 * const stack = await startStack()
 * afterAll(() => stack.stop())
 * await page.goto(stack.book!.url)
 */
export async function startStack(options: StackOptions = {}): Promise<Stack> {
  const { ports = {}, env = {}, showOutput = false, onReady = () => {} } = options
  const cleanups: (() => Promise<unknown>)[] = []
  const stop = async () => {
    for (let last = cleanups.pop(); last; last = cleanups.pop()) await last()
  }

  try {
    const built = options.book === false || options.dev ? undefined : buildBook()
    built?.catch(() => {}) // an error is reported where the build is awaited
    const frameBuilt = options.frame ? buildFrame() : undefined
    frameBuilt?.catch(() => {})
    const phoneBuilt = options.phone ? buildPhone() : undefined
    phoneBuilt?.catch(() => {})

    const chains: Chain[] = []
    if (options.chains !== false) {
      for (const [index, chainId] of ([31337, 31338] as const).entries()) {
        const port = ports.chains ? await freePort(ports.chains[index]) : 0
        const chain = await startChain({ chainId, port, ...(options.history && { history: {} }) })
        cleanups.push(() => chain.stop())
        await fundFaucet(chain)
        if (options.prices) cleanups.push(keepMoving(chain))
        chains.push(chain)
        onReady(`chain ${chainId}`, chain.url)
      }
    }

    let bundlerEnv: Record<string, string> | undefined
    if (options.bundler && chains[0]) {
      const bundler = await startBundler(chains[0])
      cleanups.push(() => bundler.stop())
      bundlerEnv = bundlerEnvironment(bundler.url)
      onReady('bundler', bundler.url)
    }
    let solana: Solana | undefined
    if (options.solana) {
      const { solana: port } = ports
      const started = await (port === undefined ? startSolana() : startSolanaOnFreePort(port))
      solana = started
      cleanups.push(() => started.stop())
      onReady('solana', started.url)
    }

    let swapEnv: { server: Record<string, string>; contracts: string[] } | undefined
    if (options.swaps && chains[0]) {
      const vendor = await startSwapVendor(chains[0])
      cleanups.push(() => vendor.stop())
      swapEnv = swapEnvironment(options.swaps, vendor)
    }

    const socials = options.socials && (await startLocalSocials(options.socials, chains, ports))
    if (socials) {
      cleanups.push(() => socials.stop())
      onReady('google', socials.google)
    }

    let server: Program | undefined
    let frameUrl: string | undefined
    if (options.server !== false) {
      const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), 'gatefold-data-')))
      if (!options.dataDir) cleanups.push(() => rm(dataDir, { recursive: true, force: true }))
      const port = await freePort(ports.server)
      const framePort = await freePort(ports.frame)
      if (options.frame) frameUrl = `http://localhost:${framePort}`
      const serverEnv = {
        ...serverEnvironment({ port, framePort, dataDir, chains, solana }),
        ...(options.frame && { GATEFOLD_FRAME_SITE: frameFolder }),
        ...bundlerEnv,
        ...swapEnv?.server,
        ...(socials && { GATEFOLD_SOCIALS: JSON.stringify(socials.settings) }),
        ...env,
      }
      await frameBuilt
      if (bundlerEnv) await sponsorOperations({ ...process.env, ...serverEnv })
      server = await startProgram({
        name: 'server',
        args: [join(root, 'packages/server/src/bin.ts'), 'serve'],
        port,
        env: serverEnv,
        health: '/health',
        showOutput,
      })
      const started = server
      cleanups.push(() => started.stop())
      const [chain] = chains
      if (options.names && chain)
        await connectNames({ chain, url: server.url, env: { ...process.env, ...serverEnv } })
      onReady('gateway', server.url)
      if (frameUrl) {
        onReady('frame', frameUrl)
        onReady('mail', `${server.url}/dev/mail`)
      }
    }

    let book: Program | undefined
    if (options.book !== false) {
      await built
      const port = await freePort(ports.book)
      book = await startProgram({
        name: 'book',
        args: [join(root, `apps/book/src/${options.dev ? 'dev' : 'main'}.ts`)],
        port,
        env: {
          ...bookEnvironment(port, server, chains, {
            isDev: options.dev,
            frameUrl,
            swapContracts: swapEnv?.contracts,
            socials: socials && Object.keys(socials.settings),
          }),
          ...env,
        },
        health: '/health',
        showOutput,
      })
      const started = book
      cleanups.push(() => started.stop())
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
      cleanups.push(() => started.stop())
      onReady('phone', phone.url)
    }

    const program = (name: ProgramName) => {
      const found = { server, book, phone }[name]
      if (!found) throw new Error(`This stack was started without its ${name}.`)
      return found
    }
    return {
      chains,
      solana,
      server,
      book,
      phone,
      frameUrl,
      farcaster: socials?.farcaster,
      kill: async (name) => program(name).kill(),
      restart: async (name) => program(name).restart(),
      stop,
      [Symbol.asyncDispose]: stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

/** Moves the prices of a chain. @returns a function that stops it */
function keepMoving(chain: Chain): () => Promise<unknown> {
  const stopping = new AbortController()
  const { signal } = stopping
  const moving = movePrices(chain, { steps: Infinity, pauseMs: pricePauseMs, signal })
  // A stopped chain has no prices to move.
  moving.catch(() => {})
  return async () => {
    stopping.abort()
    await Promise.allSettled([moving])
  }
}

/** Starts local providers of social logins. @returns the server's settings for them */
async function startLocalSocials(
  which: 'google' | 'all',
  chains: Chain[],
  ports: NonNullable<StackOptions['ports']>,
) {
  if (which === 'google') {
    const google = { clientId: 'local', clientSecret: 'only for this machine' }
    const port = ports.google === undefined ? 0 : await freePort(ports.google)
    const provider = await startOpenIdProvider({ name: 'Google', ...google, port })
    const { issuer } = provider
    return {
      settings: { google: { ...google, issuer } },
      google: issuer,
      farcaster: undefined,
      stop: () => provider.stop(),
    }
  }
  const socials = await startSocials()
  const farcaster = chains[0] && (await startFarcaster(chains[0]))
  return {
    settings: { ...socials.settings, ...(farcaster && { farcaster: farcaster.settings }) },
    google: socials.google.issuer,
    farcaster,
    async stop() {
      await Promise.all([socials.stop(), farcaster?.stop()])
    },
  }
}

function serverEnvironment(options: {
  port: number
  framePort: number
  dataDir: string
  chains: Chain[]
  solana: Solana | undefined
}) {
  const { port, framePort, dataDir, chains, solana } = options
  const upstreams = chains.map(({ chainId, url }) => [`eip155:${chainId}`, [url]])
  if (solana) upstreams.push([solanaLocal.id, [solana.url]])
  return {
    GATEFOLD_PORT: String(port),
    GATEFOLD_FRAME_PORT: String(framePort),
    GATEFOLD_DATA_DIR: dataDir,
    GATEFOLD_LOG_LEVEL: 'warn',
    ...(upstreams.length > 0 && {
      GATEFOLD_RPC_URLS: JSON.stringify(Object.fromEntries(upstreams)),
    }),
    ...(chains.length > 0 && {
      GATEFOLD_CHAINS: JSON.stringify(chainData),
      GATEFOLD_ONRAMP: JSON.stringify({ sandbox: { faucetKey: faucet.privateKey } }),
    }),
  }
}

/** Gives wallets of the frame smart accounts on chain 31337, with a paymaster. */
function bundlerEnvironment(url: string) {
  const id = 'eip155:31337'
  return {
    GATEFOLD_BUNDLER_URLS: JSON.stringify({ [id]: [url] }),
    GATEFOLD_SMART_ACCOUNTS: JSON.stringify({ [id]: smartAccounts[id] }),
    GATEFOLD_PAYMASTER_KEY: sponsor.privateKey,
  }
}

/** Makes a vendor the source of the swaps on chain 31337. */
function swapEnvironment(name: '0x' | '1inch', { url, key, contracts }: SwapVendor) {
  const { allowanceHolder, settlers, settler, router } = contracts
  const local = {
    ...chainData['eip155:31337'],
    zeroEx: { allowanceHolder, settlers },
    oneInch: { router },
  }
  return {
    server: {
      GATEFOLD_CHAINS: JSON.stringify({ ...chainData, 'eip155:31337': local }),
      GATEFOLD_SWAPS: JSON.stringify({ chains: { 'eip155:31337': name }, [name]: { url, key } }),
    },
    contracts: name === '0x' ? [allowanceHolder, settler] : [router],
  }
}

function bookEnvironment(
  port: number,
  server: Program | undefined,
  chains: Chain[],
  options: {
    isDev?: boolean | undefined
    frameUrl?: string | undefined
    swapContracts?: string[] | undefined
    socials?: string[] | undefined
  } = {},
) {
  const { isDev = false, frameUrl, swapContracts, socials } = options
  const networks = chains.map(({ chainId, url }) => {
    const chain = chainId === 31337 ? gatefoldLocal(url) : gatefoldSecond(url)
    const contracts = Object.entries(chain.contracts).map(([name, { address }]) => [name, address])
    return {
      id: chain.id,
      name: chain.name,
      rpcUrl: url,
      image: chainId === 31337 ? '/networks/local.svg' : '/networks/second.svg',
      contracts: Object.fromEntries(contracts),
      swapContracts: (chainId === 31337 && swapContracts) || [addresses.uniswapSwapRouter02],
    }
  })
  return {
    PORT: String(port),
    NODE_ENV: isDev ? 'development' : 'production',
    BOOK_DEMO_WALLETS: 'true',
    ...(server && { BOOK_GATEWAY_URL: server.url }),
    ...(frameUrl && { BOOK_FRAME_URL: frameUrl, BOOK_PASSKEY: 'true' }),
    ...(socials && { BOOK_SOCIALS: socials.join(',') }),
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
