import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  type Address,
  type Hex,
  createPublicClient,
  createWalletClient,
  decodeFunctionData,
  encodeAbiParameters,
  encodeFunctionData,
  http,
  labelhash,
  namehash,
  parseAbi,
} from 'viem'
import { privateKeyToAccount, sign } from 'viem/accounts'
import { normalize } from 'viem/ens'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  ensGatewayResolverAbi,
  ensRegistryAbi,
  ensResolverAbi,
  ensReverseRegistrarAbi,
} from './abis.ts'
import { accounts, deployer } from './accounts.ts'
import { addresses } from './addresses.ts'
import { gatefoldLocal } from './chains.ts'
import { type Chain, startChain } from './startChain.ts'
import { receiptOf } from './receiptOf.ts'

const [mira, tomas, keeper, nameless, stranger] = accounts

let chain: Chain
let client: ReturnType<typeof createClient>
beforeAll(async () => {
  chain = await startChain()
  client = createClient(chain.url)
})
afterAll(() => chain.stop())

describe('viem resolves', () => {
  test.each([
    ['mira.eth', mira.address],
    ['tomas.eth', tomas.address],
    ['the-lighthouse-keeper-of-skagen.eth', keeper.address],
  ])('%s to its address and back', async (name, address) => {
    expect(await client.getEnsAddress({ name: normalize(name) })).toBe(address)
    expect(await client.getEnsName({ address })).toBe(name)
  })

  test('neither accounts without a name nor unregistered names', async () => {
    expect(await client.getEnsName(nameless)).toBeNull()
    expect(await client.getEnsAddress({ name: 'unregistered.eth' })).toBeNull()
    expect(await client.getEnsAddress({ name: 'below.mira.eth' })).toBeNull()
    expect(await client.getEnsAddress({ name: 'unheard-of' })).toBeNull()
  })

  test('an NFT avatar with a data URI image', async () => {
    const svg = await fetchPicture(await client.getEnsAvatar({ name: 'mira.eth' }))
    expect(svg).toMatch(/^<svg .*<\/svg>$/s)
  })

  test('a data URI avatar, and no avatar for a name without an avatar record', async () => {
    const name = 'the-lighthouse-keeper-of-skagen.eth'
    expect(await fetchPicture(await client.getEnsAvatar({ name }))).toMatch(/^<svg .*<\/svg>$/s)
    expect(await client.getEnsAvatar({ name: 'tomas.eth' })).toBeNull()
  })

  test('text records, and the address of a resolver', async () => {
    const text = (key: string) => client.getEnsText({ name: 'mira.eth', key })
    expect(await text('url')).toBe('https://mira.example')
    expect(await text('com.unknown')).toBeNull()
    expect(await client.getEnsResolver({ name: 'mira.eth' })).toBe(addresses.ensResolver)
  })
})

test('viem ignores a reverse record whose name resolves to another address', async () => {
  await write(stranger.privateKey, {
    address: addresses.ensReverseRegistrar,
    abi: ensReverseRegistrarAbi,
    functionName: 'setName',
    args: [addresses.ensResolver, 'mira.eth'],
  })
  expect(await client.getEnsName(stranger)).toBeNull()
})

test('only the owner of a name can write its records', async () => {
  const record = {
    address: addresses.ensResolver,
    abi: ensResolverAbi,
    functionName: 'setText',
    args: [namehash('tomas.eth'), 'url', 'https://tomas.example'],
  } as const
  await expect(write(mira.privateKey, record)).rejects.toThrow('reverted')
  await write(tomas.privateKey, record)
  expect(await client.getEnsText({ name: 'tomas.eth', key: 'url' })).toBe('https://tomas.example')
})

test('the resolver stores addresses on other chains as bytes (ENSIP-9)', async () => {
  const bitcoin = '0x00140123456789abcdef0123456789abcdef01234567' as const
  await write(tomas.privateKey, {
    address: addresses.ensResolver,
    abi: parseAbi(['function setAddr(bytes32 node, uint256 coinType, bytes a)']),
    functionName: 'setAddr',
    args: [namehash('tomas.eth'), 0n, bitcoin],
  })
  expect(
    await client.readContract({
      address: addresses.ensResolver,
      abi: parseAbi(['function addr(bytes32 node, uint256 coinType) view returns (bytes)']),
      functionName: 'addr',
      args: [namehash('tomas.eth'), 0n],
    }),
  ).toBe(bitcoin)
})

describe('off-chain names (EIP-3668, ENSIP-10)', () => {
  const [, , , , , , , , , gatewayKeeper] = accounts
  let gateway: Awaited<ReturnType<typeof startGateway>>
  beforeAll(async () => {
    gateway = await startGateway(gatewayKeeper.privateKey, {
      'guest.offchain.eth': nameless.address,
    })
    await write(deployer.privateKey, {
      address: addresses.ensGatewayResolver,
      abi: ensGatewayResolverAbi,
      functionName: 'setGateway',
      args: [[gateway.url], gatewayKeeper.address],
    })
  })
  afterAll(() => gateway.stop())

  test('resolve through their resolver’s gateway', async () => {
    expect(await client.getEnsAddress({ name: 'guest.offchain.eth' })).toBe(nameless.address)
    expect(gateway.senders).toContain(addresses.ensGatewayResolver.toLowerCase())
    expect(await client.getEnsAddress({ name: 'absent.offchain.eth' })).toBeNull()
  })

  test('are returned by a reverse lookup of their address', async () => {
    const id = await chain.snapshot()
    await write(nameless.privateKey, {
      address: addresses.ensReverseRegistrar,
      abi: ensReverseRegistrarAbi,
      functionName: 'setName',
      args: [addresses.ensResolver, 'guest.offchain.eth'],
    })
    expect(await client.getEnsName(nameless)).toBe('guest.offchain.eth')
    await chain.revert(id)
  })

  test('error: do not resolve from an expired or forged response', async () => {
    gateway.answer = { expiresInSeconds: -60 }
    expect(await client.getEnsAddress({ name: 'guest.offchain.eth' })).toBeNull()
    gateway.answer = { signer: stranger.privateKey }
    expect(await client.getEnsAddress({ name: 'guest.offchain.eth' })).toBeNull()
    gateway.answer = {}
    expect(await client.getEnsAddress({ name: 'guest.offchain.eth' })).toBe(nameless.address)
  })

  test('error: a failing gateway yields no address rather than an exception', async () => {
    gateway.answer = { status: 503 }
    expect(await client.getEnsAddress({ name: 'guest.offchain.eth' })).toBeNull()
    gateway.answer = {}
  })
})

test('the deployer can register a new name', async () => {
  const writeAsDeployer = (request: Parameters<typeof write>[1]) =>
    write(deployer.privateKey, request)
  const node = namehash('new.eth')
  const registry = { address: addresses.ensRegistry, abi: ensRegistryAbi }
  await writeAsDeployer({
    ...registry,
    functionName: 'setSubnodeOwner',
    args: [namehash('eth'), labelhash('new'), deployer.address],
  })
  await writeAsDeployer({
    ...registry,
    functionName: 'setResolver',
    args: [node, addresses.ensResolver],
  })
  await writeAsDeployer({
    address: addresses.ensResolver,
    abi: ensResolverAbi,
    functionName: 'setAddr',
    args: [node, stranger.address],
  })
  expect(await client.getEnsAddress({ name: 'new.eth' })).toBe(stranger.address)
})

function createClient(url: string) {
  return createPublicClient({ chain: gatefoldLocal(url), transport: http(), pollingInterval: 5 })
}

async function write(privateKey: Hex, request: object) {
  const account = privateKeyToAccount(privateKey)
  const wallet = createWalletClient({ account, chain: client.chain, transport: http() })
  const hash = await wallet.writeContract(request as Parameters<typeof wallet.writeContract>[0])
  const receipt = await receiptOf(client, hash)
  expect(receipt.status).toBe('success')
}

/** Decodes a data URI as a browser does. */
async function fetchPicture(uri: string | null): Promise<string> {
  expect(uri).toMatch(/^data:image\/svg\+xml;base64,/)
  return (await fetch(uri!)).text()
}

/** Starts an EIP-3668 gateway with an option for each fault. */
async function startGateway(signer: Hex, names: Record<string, Address>) {
  const abi = parseAbi([
    'function resolve(bytes name, bytes data) view returns (bytes)',
    'function addr(bytes32 node) view returns (address)',
  ])
  const gateway = {
    url: '',
    senders: [] as string[],
    answer: {} as { expiresInSeconds?: number; signer?: Hex; status?: number },
    stop: () => new Promise((resolve) => server.close(resolve)),
  }
  const server = createServer((request, response) => {
    void respond(request.url ?? '').then(
      (data) => {
        response.writeHead(gateway.answer.status ?? 200, { 'content-type': 'application/json' })
        response.end(JSON.stringify({ data }))
      },
      (error: unknown) => response.writeHead(500).end(String(error)),
    )
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  gateway.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/{sender}/{data}.json`
  return gateway

  async function respond(url: string): Promise<Hex> {
    const [, sender = '', data = ''] = url.replace('.json', '').split('/')
    gateway.senders.push(sender)
    const outer = decodeFunctionData({ abi, data: data as Hex })
    const inner = decodeFunctionData({ abi, data: outer.args[1] as Hex })
    const found = Object.entries(names).find(([name]) => namehash(name) === inner.args[0])
    const result = found
      ? encodeAbiParameters([{ type: 'address' }], [found[1]])
      : encodeAbiParameters([{ type: 'address' }], [`0x${'0'.repeat(40)}`])
    const { timestamp } = await client.getBlock()
    const expires = timestamp + BigInt(gateway.answer.expiresInSeconds ?? 600)
    const digest = await client.readContract({
      address: sender as Address,
      abi: ensGatewayResolverAbi,
      functionName: 'digest',
      args: [
        expires,
        encodeFunctionData({ abi, functionName: 'resolve', args: outer.args as [Hex, Hex] }),
        result,
      ],
    })
    const signature = await sign({
      hash: digest,
      privateKey: gateway.answer.signer ?? signer,
      to: 'hex',
    })
    return encodeAbiParameters(
      [{ type: 'bytes' }, { type: 'uint64' }, { type: 'bytes' }],
      [result, expires, signature],
    )
  }
}
