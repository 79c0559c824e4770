import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { fileURLToPath } from 'node:url'
import { createPublicClient, http, parseEther } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { accounts } from './accounts.ts'
import { gatefoldLocal, gatefoldSecond } from './chains.ts'
import { findAnvil } from './findAnvil.ts'
import { type Chain, startChain } from './startChain.ts'
import { startChains } from './startChains.ts'

const [mira] = accounts

describe('a running chain', () => {
  let chain: Chain
  beforeAll(async () => {
    const begun = performance.now()
    chain = await startChain()
    await createPublicClient({ transport: http(chain.url) }).getBlockNumber()
    console.log(`chain 31337 responded after ${Math.round(performance.now() - begun)} ms`)
  })
  afterAll(() => chain.stop())

  test('has its id, its history and funded accounts', async () => {
    const client = createPublicClient({ chain: gatefoldLocal(chain.url), transport: http() })
    expect(await client.getChainId()).toBe(31337)
    expect(await client.getBalance(mira)).toBeGreaterThan(parseEther('9990'))
    // The latest block has the current time. An empty block and the history precede it.
    const latest = await client.getBlockNumber()
    const blocks = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        client.getBlock({ blockNumber: latest - 2n - BigInt(index), includeTransactions: true }),
      ),
    )
    const receivers = blocks.flatMap(({ transactions }) => transactions.map(({ to }) => to))
    expect(receivers).toContain(mira.address.toLowerCase())
  })

  test('has a latest block with the current time', async () => {
    const { timestamp } = await createPublicClient({ transport: http(chain.url) }).getBlock()
    expect(Math.abs(Date.now() / 1000 - Number(timestamp))).toBeLessThan(60)
  })

  test('reverts to a snapshot once', async () => {
    const client = createPublicClient({ transport: http(chain.url), cacheTime: 0 })
    const before = await client.getBlockNumber()
    const id = await chain.snapshot()
    await client.request({ method: 'evm_mine' } as never)
    expect(await client.getBlockNumber()).toBe(before + 1n)
    await chain.revert(id)
    expect(await client.getBlockNumber()).toBe(before)
    await expect(chain.revert(id)).rejects.toMatchObject({ code: 'chain.request_failed' })
  })

  test('error: a second chain on the same port is rejected', async () => {
    await expect(startChain({ port: chain.port })).rejects.toMatchObject({
      code: 'chain.port_taken',
      port: chain.port,
    })
  })
})

test('the second chain has a different id and different balances', async () => {
  const chain = await startChain({ chainId: 31338 })
  try {
    const client = createPublicClient({ chain: gatefoldSecond(chain.url), transport: http() })
    expect(await client.getChainId()).toBe(31338)
    expect(await client.getBalance(mira)).toBe(parseEther('42.5'))
  } finally {
    await chain.stop()
  }
})

test('a chain can mine empty blocks at an interval', async () => {
  const chain = await startChain({ blockTimeSeconds: 1 })
  try {
    const client = createPublicClient({ transport: http(chain.url), cacheTime: 0 })
    const before = await client.getBlockNumber()
    await expect.poll(() => client.getBlockNumber()).toBeGreaterThan(before)
  } finally {
    await chain.stop()
  }
})

test('stop() stops the chain; a second call does nothing', async () => {
  const chain = await startChain()
  expect(await listens(chain.port)).toBe(true)
  await Promise.all([chain.stop(), chain.ended])
  expect(await listens(chain.port)).toBe(false)
  await chain.stop()
})

test('an abort signal stops the chain, both during and after startup', async () => {
  const late = new AbortController()
  const chain = await startChain({ signal: late.signal })
  late.abort()
  await chain.ended
  expect(await listens(chain.port)).toBe(false)

  const early = new AbortController()
  const starting = startChain({ signal: early.signal })
  early.abort(new Error('changed my mind'))
  await expect(starting).rejects.toThrow('changed my mind')
})

test('error: throws if there is no anvil for this platform', () => {
  expect(() => findAnvil('linux', 'mips')).toThrow(
    expect.objectContaining({
      code: 'chain.anvil_missing',
      message: expect.stringContaining('@foundry-rs/anvil-linux-mips'),
    }),
  )
})

describe('a chain exits with its parent after', () => {
  const program = `
    import { startChain } from ${JSON.stringify(new URL('./startChain.ts', import.meta.url))}
    const chain = await startChain()
    console.log(chain.port)
    process.on('message', () => process.exit(0))
  `
  test.each([
    ['kill -9', (child: ReturnType<typeof start>) => child.kill('SIGKILL')],
    ['SIGTERM', (child: ReturnType<typeof start>) => child.kill('SIGTERM')],
    ['process.exit', (child: ReturnType<typeof start>) => child.send('exit')],
  ])('%s', async (_, end) => {
    const child = start()
    const [output] = (await once(child.stdout!, 'data')) as [Buffer]
    const port = Number(output.toString())
    expect(await listens(port)).toBe(true)
    end(child)
    await expect.poll(() => listens(port)).toBe(false)
  })

  function start() {
    return spawn(
      process.execPath,
      ['--conditions=@gatefold/source', '--input-type=module', '--eval', program],
      {
        stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
        cwd: fileURLToPath(new URL('.', import.meta.url)),
      },
    )
  }
})

describe('both chains', () => {
  test('start on the next free ports and stop together', async () => {
    // Occupying one port is enough to show that the next one is used.
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    const { port } = other.address() as AddressInfo
    const chains = await startChains({ port, secondPort: 0 })
    try {
      expect(chains.local).toMatchObject({ chainId: 31337 })
      expect(chains.local.port).toBeGreaterThan(port)
      expect(chains.second).toMatchObject({ chainId: 31338 })
    } finally {
      await chains.stop()
      other.close()
    }
    expect(await listens(chains.local.port)).toBe(false)
    expect(await listens(chains.second.port)).toBe(false)
  })
})

/** Whether a port accepts connections. */
async function listens(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}
