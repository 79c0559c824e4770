import {
  accounts,
  addresses,
  chainData,
  deployer,
  ensGatewayResolverAbi,
  ensReverseRegistrarAbi,
  gatefoldLocal,
  startChain,
  type Chain,
  receiptOf,
} from '@gatefold/chain'
import { limits } from '@gatefold/protocol'
import { toCoinType } from '@gatefold/protocol/gateway'
import {
  createPublicClient,
  createTestClient,
  createWalletClient,
  encodeFunctionData,
  http,
  namehash,
  parseAbi,
  toHex,
  type Hex,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { packetToBytes } from 'viem/ens'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { names } from '../../cli/names.ts'
import { startServer, type RunningServer } from '../../main.ts'
import { openStorage } from '../../storage/openStorage.ts'
import { saveProject } from '../../storage/projects.ts'
import { createDatabase, type TestDatabase } from '../../testing/databases.ts'
import { testProject } from '../../testing/testProject.ts'

const [mira] = accounts

let chain: Chain
let database: TestDatabase
let server: RunningServer
beforeAll(async () => {
  chain = await startChain()
  database = await createDatabase('sqlite')
  const storage = await openStorage(database.config)
  await saveProject(storage.db, testProject({ zone: 'offchain.eth' }), 1)
  await storage.close()
  const config = { rpcUrls: { 'eip155:31337': [chain.url] }, chains: chainData }
  server = await startServer({ port: 0, logLevel: 'silent', ...database.config, ...config })
  await setGateway(await signer())
  await register()
})
afterAll(async () => {
  await server?.stop()
  await database?.remove()
  await chain?.stop()
})

const reader = () =>
  createPublicClient({ chain: gatefoldLocal(chain.url), transport: http(), pollingInterval: 5 })

/** Runs `gatefold names` on the database. @returns the printed line. */
async function signer(action: 'signer' | 'rotate' = 'signer'): Promise<Hex> {
  const printed: string[] = []
  const env = { GATEFOLD_DATA_DIR: database.config.dataDir }
  await names([action], { env, print: (text) => printed.push(text) })
  return printed[0] as Hex
}

async function setGateway(address: Hex) {
  const wallet = createWalletClient({
    account: privateKeyToAccount(deployer.privateKey),
    chain: gatefoldLocal(chain.url),
    transport: http(),
  })
  const hash = await wallet.writeContract({
    address: addresses.ensGatewayResolver,
    abi: ensGatewayResolverAbi,
    functionName: 'setGateway',
    args: [[`${server.url}/v1/profile/ccip/{sender}/{data}.json`], address],
  })
  await receiptOf(reader(), hash)
}

async function register() {
  const account = privateKeyToAccount(mira.privateKey)
  const message = JSON.stringify({
    name: 'mira.offchain.eth',
    attributes: { bio: 'Keeps a lighthouse' },
    timestamp: Math.floor(Date.now() / 1000),
  })
  const body = {
    coin_type: toCoinType(31_337),
    address: mira.address,
    message,
    signature: await account.signMessage({ message }),
  }
  const response = await fetch(`${server.url}/v1/profile/account`, {
    method: 'POST',
    body: JSON.stringify(body),
  })
  expect(response.status).toBe(200)
}

const name = 'mira.offchain.eth'

describe('viem resolves a registered name', () => {
  test('to its address, also on another chain', async () => {
    expect(await reader().getEnsAddress({ name })).toBe(mira.address)
    const onLocal = await reader().getEnsAddress({ name, coinType: BigInt(toCoinType(31_337)) })
    expect(onLocal).toBe(mira.address.toLowerCase())
    expect(await reader().getEnsAddress({ name, coinType: BigInt(toCoinType(10)) })).toBeNull()
  })

  test('to its attribute, as the text record that ENS clients show', async () => {
    expect(await reader().getEnsText({ name, key: 'description' })).toBe('Keeps a lighthouse')
    expect(await reader().getEnsText({ name, key: 'url' })).toBeNull()
  })

  test('but not a name that is not registered', async () => {
    expect(await reader().getEnsAddress({ name: 'free.offchain.eth' })).toBeNull()
  })
})

test('attack: an answer signed by another key is refused by the contract', async () => {
  const address = await signer('rotate')
  expect(await reader().getEnsAddress({ name })).toBeNull()
  await setGateway(address)
  expect(await reader().getEnsAddress({ name })).toBe(mira.address)
})

test('attack: an expired answer is refused by the contract', async () => {
  expect(await reader().getEnsAddress({ name })).toBe(mira.address)
  const time = createTestClient({ mode: 'anvil', transport: http(chain.url) })
  await time.increaseTime({ seconds: limits.nameAnswerSeconds + 60 })
  await time.mine({ blocks: 1 })
  expect(await reader().getEnsAddress({ name })).toBeNull()
})

describe('the gateway', () => {
  const abi = parseAbi([
    'function resolve(bytes name, bytes data) view returns (bytes)',
    'function addr(bytes32 node) view returns (address)',
    'function contenthash(bytes32 node) view returns (bytes)',
    'function multicall(bytes[] data) view returns (bytes[] results)',
  ])
  const ask = async (inner: Hex, sender: string = addresses.ensGatewayResolver) => {
    const args = [toHex(packetToBytes(name)), inner] as const
    const data = encodeFunctionData({ abi, functionName: 'resolve', args })
    return (await fetch(`${server.url}/v1/profile/ccip/${sender}/${data}.json`)).status
  }
  const addrOf = (text: string) =>
    encodeFunctionData({ abi, functionName: 'addr', args: [namehash(text)] })
  const multicall = (calls: Hex[]) =>
    encodeFunctionData({ abi, functionName: 'multicall', args: [calls] })

  test('answers several calls in one', async () => {
    expect(await ask(multicall([addrOf(name), addrOf(name)]))).toBe(200)
  })

  test.each([
    ['a call about another name', addrOf('tomas.offchain.eth')],
    [
      'another function',
      encodeFunctionData({ abi, functionName: 'contenthash', args: [namehash(name)] }),
    ],
    ['nested calls', multicall([multicall([addrOf(name)])])],
    ['many calls', multicall(Array<Hex>(21).fill(addrOf(name)))],
    ['no call', '0x'],
  ] as const)('error: refuses %s', async (_, inner) => {
    expect(await ask(inner)).toBe(400)
  })

  test('error: refuses what is not a request of a resolver', async () => {
    expect(await ask(addrOf(name), '0x12')).toBe(400)
    const status = async (data: string) =>
      (await fetch(`${server.url}/v1/profile/ccip/${addresses.ensGatewayResolver}/${data}.json`))
        .status
    expect(await status('0x1234')).toBe(400)
    expect(await status(`0x${'00'.repeat(8_500)}`)).toBe(400)
  })
})

test('§7.8.2 an identity whose ENS name is resolved off chain is left to clients', async () => {
  const wallet = createWalletClient({
    account: privateKeyToAccount(mira.privateKey),
    chain: gatefoldLocal(chain.url),
    transport: http(),
  })
  const hash = await wallet.writeContract({
    address: addresses.ensReverseRegistrar,
    abi: ensReverseRegistrarAbi,
    functionName: 'setName',
    args: [addresses.ensResolver, 'mira.offchain.eth'],
  })
  await receiptOf(reader(), hash)
  const response = await fetch(`${server.url}/v1/identity/${mira.address}`)
  // The name that the account has registered here, and a hint that another name
  // may be on the chain.
  expect(await response.json()).toEqual({
    name: 'mira.offchain.eth',
    avatar: null,
    missing: ['name'],
  })
})
