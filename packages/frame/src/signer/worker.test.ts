import { entropyToMnemonic, mnemonicToSeedSync } from '@scure/bip39'
import { wordlist } from '@scure/bip39/wordlists/english'
import { combine } from 'shamir-secret-sharing'
import { HDKey, mnemonicToAccount } from 'viem/accounts'
import { afterEach, expect, it, vi } from 'vitest'
import { deriveEd25519 } from './deriveEd25519.ts'
import { run, type NewShares, type Operation, type SignRequest } from './operations.ts'
import type { WorkerResponse } from './worker.ts'

afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
  vi.resetModules()
})

/**
 * Runs an operation in the worker's module, and records all byte arrays that are created in the meantime, except those
 * of the curve library, which copies the keys that it uses.
 *
 * @returns the message to the document, and the arrays, as the operation has left them.
 */
async function runInWorker(operation: Operation) {
  const arrays: Uint8Array[] = []
  const worker = new EventTarget()
  const response = new Promise<WorkerResponse>((resolve) => {
    Object.assign(worker, {
      postMessage: (message: WorkerResponse, options: { transfer: ArrayBuffer[] }) =>
        resolve(structuredClone(message, options)),
    })
  })
  vi.stubGlobal('self', worker)
  await import('./worker.ts')
  const restore = recordArrays(arrays)
  try {
    worker.dispatchEvent(new MessageEvent('message', { data: operation }))
    return { response: await response, arrays }
  } finally {
    restore()
  }
}

/** Records the byte arrays that are created from now on. @returns a function that ends this. */
function recordArrays(arrays: Uint8Array[]): () => void {
  const { Uint8Array: Original } = globalThis
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 50
  const Recording = new Proxy(Original, {
    construct(target, parameters) {
      const array = Reflect.construct(target, parameters) as Uint8Array
      if (!new Error().stack!.includes('@noble/curves')) arrays.push(array)
      return array
    },
  })
  vi.stubGlobal('Uint8Array', Recording)
  // Methods such as `slice` create an array with the constructor of their object.
  Original.prototype.constructor = Recording
  vi.spyOn(TextEncoder.prototype, 'encode').mockImplementation((text = '') => {
    const array = new Original(Buffer.from(text))
    arrays.push(array)
    return array
  })
  return () => {
    Original.prototype.constructor = Original
    Error.stackTraceLimit = stackTraceLimit
    vi.unstubAllGlobals()
    vi.restoreAllMocks()
  }
}

/** The secrets of a wallet, derived by other means than in the worker. */
async function secretsOf({ device, auth, recovery }: Omit<NewShares, keyof Addresses>) {
  const entropy = await combine([device, auth])
  const phrase = entropyToMnemonic(entropy, wordlist)
  const seed = mnemonicToSeedSync(phrase)
  const key = (addressIndex: number) =>
    mnemonicToAccount(phrase, { addressIndex }).getHdKey().privateKey!
  // The keys from which those of the accounts are derived, except the first one, of which the library has a copy.
  const nodes = ["m/44'", "m/44'/60'", "m/44'/60'/0'", "m/44'/60'/0'/0"].map((path) => [
    path,
    HDKey.fromMasterSeed(seed).derive(path).privateKey!,
  ])
  return {
    entropy,
    phrase: new TextEncoder().encode(phrase),
    seed,
    evm: key(0),
    owner: key(1),
    solana: deriveEd25519(seed, [44, 501, 0, 0]),
    ...(Object.fromEntries(nodes) as Record<string, Uint8Array>),
    device,
    auth,
    recovery,
  }
}
type Addresses = Pick<NewShares, 'eip155' | 'owner' | 'solana'>

/** The names of the secrets that are in the arrays. */
const findIn = (arrays: readonly Uint8Array[], secrets: Record<string, Uint8Array>) =>
  Object.entries(secrets)
    .filter(([, secret]) => arrays.some((array) => Buffer.compare(array, secret) === 0))
    .map(([name]) => name)

const data = {
  domain: { chainId: 1 },
  types: { Page: [{ name: 'number', type: 'uint256' }] },
  primaryType: 'Page',
  message: { number: 7n },
} as const

it.each<[string, SignRequest | 'check' | 'split' | 'phrase']>([
  ['check', 'check'],
  ['split', 'split'],
  ['phrase', 'phrase'],
  ['message', { kind: 'message', message: '0x68656c6c6f' }],
  ['typed data', { kind: 'typedData', data }],
  ['owner', { kind: 'owner', data }],
  ['transaction', { kind: 'transaction', transaction: { chainId: 1, type: 'eip1559' } }],
  ['Solana', { kind: 'solana', messages: [new Uint8Array([1])] }],
])('attack: the worker leaves no secret in its byte arrays: %s', async (_, wanted) => {
  const { eip155: address, owner: __, solana: ___, ...shares } = await run({ name: 'create' })
  const secrets = await secretsOf(shares)
  const pair = [shares.device.slice(), shares.auth.slice()] as [
    typeof shares.device,
    typeof shares.auth,
  ]
  const { response, arrays } = await runInWorker(
    typeof wanted === 'string'
      ? { name: wanted, shares: pair, address }
      : { name: 'sign', shares: pair, address, request: wanted },
  )
  expect(response).toHaveProperty('result')
  expect(findIn([...arrays, ...pair], secrets)).toEqual([])
  // The arrays were recorded.
  expect(arrays.length).toBeGreaterThan(10)
  if (wanted !== 'split') return
  const { device, auth, recovery } = (response as { result: NewShares }).result
  expect(await combine([auth, recovery])).toEqual(secrets.entropy)
  expect(findIn(arrays, { device, auth, recovery })).toEqual([])
})

it('attack: the worker leaves no secret in its byte arrays: create', async () => {
  const { response, arrays } = await runInWorker({ name: 'create' })
  const secrets = await secretsOf((response as { result: NewShares }).result)
  expect(findIn(arrays, secrets)).toEqual([])
})

it('attack: the worker leaves no secret in its byte arrays: shares of another wallet', async () => {
  const { device, auth, recovery } = await run({ name: 'create' })
  const { eip155: address } = await run({ name: 'create' })
  const secrets = await secretsOf({ device, auth, recovery })
  const pair = [device.slice(), auth.slice()] as [typeof device, typeof auth]
  const { response, arrays } = await runInWorker({ name: 'phrase', shares: pair, address })
  expect(response).toMatchObject({ error: { name: 'WrongSharesError' } })
  expect(findIn([...arrays, ...pair], secrets)).toEqual([])
})
