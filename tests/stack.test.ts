import { connect, createServer } from 'node:net'
import { networkInterfaces } from 'node:os'
import { accounts, fundSolana, gatefoldLocal, solanaLocal } from '@gatefold/chain'
import { toCoinType } from '@gatefold/protocol/gateway'
import { Connection, Keypair, SystemProgram, Transaction } from '@solana/web3.js'
import { createPublicClient, http } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freePort } from './program.ts'
import { startStack, type Stack } from './stack.ts'

/** The status of a GET request, or 'no answer'. */
async function statusOf(url: string) {
  try {
    return (await fetch(url)).status
  } catch {
    return 'no answer'
  }
}

/** Addresses of this machine that a loopback listener must not accept. */
function otherAddresses() {
  const all = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? [])
  const outside = all.filter(({ internal }) => !internal).map(({ address }) => address)
  // On Linux, a socket that is bound to 0.0.0.0 accepts every 127.x address, with or without a
  // network.
  return process.platform === 'linux' ? ['127.0.0.2', ...outside] : outside
}

function canConnect(host: string, port: number) {
  return new Promise<boolean>((resolve) => {
    const socket = connect({ host, port })
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })
}

describe('the stack', () => {
  let stack: Stack
  beforeAll(async () => {
    stack = await startStack({ phone: true, names: true })
  })
  afterAll(() => stack?.stop())

  it('has both chains, and a server and a Book that respond', async () => {
    expect(stack.chains.map(({ chainId }) => chainId)).toEqual([31337, 31338])
    expect(await statusOf(`${stack.server?.url}/health`)).toBe(200)
    expect(await statusOf(`${stack.book?.url}/`)).toBe(200)
  })

  it('attack: listens only on the loopback interface', async () => {
    const { chains, server, book, phone } = stack
    for (const part of [...chains, server, book, phone]) {
      const port = part?.port ?? 0
      expect(await canConnect('127.0.0.1', port)).toBe(true)
      for (const host of otherAddresses()) {
        expect(await canConnect(host, port), `${host}:${port}`).toBe(false)
      }
    }
  })

  it('configures the Book with the gateway and the networks', async () => {
    const page = await fetch(`${stack.book?.url}/`)
    const policy = page.headers.get('content-security-policy') ?? ''
    const origins = [stack.server?.url, ...stack.chains.map(({ url }) => url)]
    for (const origin of origins) expect(policy).toContain(origin)
  })

  it('configures the gateway with the chains', async () => {
    const response = await fetch(`${stack.server?.url}/v1?chainId=eip155:31338&projectId=default`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] }),
    })
    expect(await response.json()).toMatchObject({ result: '0x7a6a' })
  })

  it('resolves a name that the server has registered', async () => {
    const [{ address, privateKey }] = accounts
    const [chain] = stack.chains
    const timestamp = Math.floor(Date.now() / 1000)
    const message = JSON.stringify({ name: 'mira.reown.id', attributes: {}, timestamp })
    const signature = await privateKeyToAccount(privateKey).signMessage({ message })
    const response = await fetch(`${stack.server?.url}/v1/profile/account`, {
      method: 'POST',
      body: JSON.stringify({ coin_type: toCoinType(31_337), address, message, signature }),
    })
    expect(response.status).toBe(200)
    const client = createPublicClient({ chain: gatefoldLocal(chain?.url), transport: http() })
    expect(await client.getEnsAddress({ name: 'mira.offchain.eth' })).toBe(address)
  })

  it('keeps the Book running while the server restarts on the same port', async () => {
    const health = `${stack.server?.url}/health`
    await stack.kill('server')
    expect(await statusOf(health)).toBe('no answer')
    expect(await statusOf(`${stack.book?.url}/`)).toBe(200)
    await stack.restart('server')
    expect(await statusOf(health)).toBe(200)
  })
})

it('configures the phone wallet with relay, verify service and chains, without the Book', async () => {
  await using stack = await startStack({ book: false, phone: true })
  const page = await (await fetch(`${stack.phone?.url}/`)).text()
  const config: unknown = JSON.parse(/id="config">([^<]+)/.exec(page)?.[1] ?? '')
  expect(config).toMatchObject({
    relayUrl: stack.server?.url.replace('http', 'ws'),
    verifyUrl: `${stack.server?.url}/v3`,
    chains: stack.chains.map(({ chainId, url }) => ({ id: chainId, rpcUrl: url })),
  })
})

it('has a Solana chain, which the official client uses through the gateway', async () => {
  await using stack = await startStack({ book: false, solana: true })
  const query = new URLSearchParams({ chainId: solanaLocal.id, projectId: 'default' })
  const connection = new Connection(`${stack.server?.url}/v1?${query}`, 'confirmed')
  expect(await connection.getGenesisHash()).toBe(solanaLocal.genesisHash)
  const payer = Keypair.generate()
  const receiver = Keypair.generate().publicKey
  await fundSolana(stack.solana!.url, {
    owner: payer.publicKey.toBase58() as never,
    lamports: 2_000_000_000n,
  })
  const transfer = SystemProgram.transfer({
    fromPubkey: payer.publicKey,
    toPubkey: receiver,
    lamports: 1_000_000_000,
  })
  await connection.sendTransaction(new Transaction().add(transfer), [payer])
  expect(await connection.getBalance(receiver)).toBe(1_000_000_000)
  // The gateway does not forward requests to the faucet.
  await expect(connection.requestAirdrop(receiver, 1)).rejects.toThrow('not')
})

it('starts and stops only the selected parts', async () => {
  const stack = await startStack({ book: false, server: false })
  const [chain] = stack.chains
  expect(stack.server).toBeUndefined()
  await expect(stack.kill('server')).rejects.toThrow('without its server')
  await stack.stop()
  expect(await statusOf(chain?.url ?? '')).toBe('no answer')
})

it('error: reports why a part failed to start, and stops the other parts', async () => {
  const ready: string[] = []
  const started = startStack({
    book: false,
    env: { GATEFOLD_IP_RATE: 'many' },
    onReady: (_name, url) => ready.push(url),
  })
  await expect(started).rejects.toThrow(/server did not start.*GATEFOLD_IP_RATE/s)
  expect(await Promise.all(ready.map(statusOf))).toEqual(['no answer', 'no answer'])
})

it('freePort returns the next free port if the preferred port is taken', async () => {
  const taken = createServer()
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve))
  const address = taken.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const found = await freePort(port)
  expect(found).toBeGreaterThan(port)
  expect(found).toBeLessThanOrEqual(port + 20)
  await new Promise((resolve) => taken.close(resolve))
})
