import { methodsText, setText } from '@gatefold/protocol/frame'
import { ed25519 } from '@noble/curves/ed25519'
import { concatBytes } from '@noble/hashes/utils'
import { base58 } from '@scure/base'
import { entropyToMnemonic } from '@scure/bip39'
import { wordlist } from '@scure/bip39/wordlists/english'
import { combine, split } from 'shamir-secret-sharing'
import { keccak256, recoverAddress, stringToBytes } from 'viem'
import { HDKey, privateKeyToAccount } from 'viem/accounts'
import type { Hex, TransactionSerializable, TypedDataDefinition } from 'viem'
import { smartAccountOf, type Modules } from '../smartAccount/smartAccountOf.ts'
import { deriveEd25519 } from './deriveEd25519.ts'

// The only module that has a private key. It runs in a worker that ends after one operation. The bytes of keys are
// overwritten before that; strings and numbers, and copies inside the libraries, cannot be.

/** The accounts of a seed. */
export type Addresses = {
  eip155: Hex
  /** The owner of the smart account. */
  owner: Hex
  solana: string
}

/** What the key signs. */
export type SignRequest =
  | { kind: 'message'; message: Hex }
  | { kind: 'typedData'; data: TypedDataDefinition }
  | { kind: 'transaction'; transaction: TransactionSerializable }
  /**
   * Signed by the owner of the smart account: an operation or a message of that
   * account.
   */
  | { kind: 'owner'; data: TypedDataDefinition }
  /** A set of shares, which the server stores only with this signature. */
  | { kind: 'set'; set: Parameters<typeof setText>[0] }
  /** The recovery methods, which other devices use only with this signature. */
  | { kind: 'methods'; methods: SignedMethods }
  /** The bytes of one or more Solana messages or transaction messages. */
  | { kind: 'solana'; messages: Uint8Array[] }

export type SignedMethods = Parameters<typeof methodsText>[0]

export type Operation =
  | { name: 'create' }
  /** Checks that two shares belong to an address. */
  | { name: 'check'; shares: Pair; address: string }
  /** The address of an owner's smart account, which needs no key. Computed here, because this module has the code for it. */
  | { name: 'smartAccount'; owner: Hex; modules: Modules }
  /** The address whose key has signed recovery methods. It needs no key, either. */
  | { name: 'methodsSigner'; methods: SignedMethods; signature: string }
  /** Splits the seed of two shares again, with a new polynomial. */
  | { name: 'split'; shares: Pair; address: string }
  | { name: 'sign'; shares: Pair; address: string; request: SignRequest }
  /** The BIP-39 phrase, to show to the visitor only. */
  | { name: 'phrase'; shares: Pair; address: string }

/** Two of the three shares of a set. */
export type Pair = [Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>]

export type NewShares = Addresses & {
  device: Uint8Array<ArrayBuffer>
  auth: Uint8Array<ArrayBuffer>
  recovery: Uint8Array<ArrayBuffer>
}

export type Results = {
  create: NewShares
  check: Addresses
  split: NewShares
  smartAccount: Hex
  methodsSigner: Hex
  /** `0x` and hex digits for EVM; base58 of all signatures, one after another, for Solana. */
  sign: string
  phrase: string
}

const hardened = 0x80000000
/** `m/44'/60'/0'/0`, whose children are the keys of the EVM account and of the smart account's owner. */
const evmPath = [44 + hardened, 60 + hardened, hardened, 0]
const evmIndex = 0
/**
 * A separate key, so that no signature of the standard account is valid for the
 * smart account.
 */
const ownerIndex = 1
/** `m/44'/501'/0'/0'` */
const solanaPath = [44, 501, 0, 0]

/**
 * Runs an operation.
 *
 * @throws {WrongSharesError} if the shares do not give the address: the scheme itself does not detect a wrong share.
 * @see docs/custody.md
 */
export async function run<Name extends Operation['name']>(
  operation: Extract<Operation, { name: Name }>,
): Promise<Results[Name]>
export async function run(operation: Operation): Promise<Results[Operation['name']]> {
  if (operation.name === 'smartAccount')
    return smartAccountOf(operation.owner, operation.modules).address
  if (operation.name === 'methodsSigner')
    return recoverAddress({
      hash: keccak256(stringToBytes(methodsText(operation.methods))),
      signature: operation.signature as Hex,
    })
  if (operation.name === 'create') {
    const entropy = crypto.getRandomValues(new Uint8Array(16))
    return withKeys(entropy, undefined, (keys) => toShares(entropy, keys))
  }
  const entropy = await combinePair(operation.shares)
  return withKeys(entropy, operation.address, async (keys) => {
    if (operation.name === 'check') return addressesOf(keys)
    if (operation.name === 'phrase') return entropyToMnemonic(entropy, wordlist)
    if (operation.name === 'split') return toShares(entropy, keys)
    return sign(keys, operation.request)
  })
}

type Keys = { evm: Uint8Array; owner: Uint8Array; solana: Uint8Array }

async function combinePair(shares: Pair): Promise<Uint8Array> {
  try {
    return await combine(shares)
  } catch {
    // The two shares are equal, or have different lengths.
    throw new WrongSharesError()
  }
}

/**
 * The seed of the entropy's phrase, without a passphrase. The browser derives
 * it 20 times as fast as JavaScript.
 *
 * @see BIP-39
 */
async function toSeed(entropy: Uint8Array): Promise<Uint8Array> {
  const encoder = new TextEncoder()
  const phrase = encoder.encode(entropyToMnemonic(entropy, wordlist))
  const key = await crypto.subtle
    .importKey('raw', phrase, 'PBKDF2', false, ['deriveBits'])
    .finally(() => phrase.fill(0))
  const salt = encoder.encode('mnemonic')
  const parameters = { name: 'PBKDF2', hash: 'SHA-512', salt, iterations: 2_048 }
  return new Uint8Array(await crypto.subtle.deriveBits(parameters, key, 512))
}

/** Derives the node of a path, and overwrites the private keys of the nodes above it. */
function deriveNode(seed: Uint8Array, path: readonly number[]): HDKey {
  let node = HDKey.fromMasterSeed(seed)
  for (const index of path) {
    const child = node.deriveChild(index)
    node.wipePrivateData()
    node = child
  }
  return node
}

/** Derives the keys of a seed, uses them, and overwrites them and the seed. */
async function withKeys<Result>(
  entropy: Uint8Array,
  address: string | undefined,
  use: (keys: Keys) => Promise<Result> | Result,
): Promise<Result> {
  const secrets = [entropy]
  try {
    if (entropy.length !== 16) throw new WrongSharesError()
    const seed = await toSeed(entropy)
    secrets.push(seed)
    const parent = deriveNode(seed, evmPath)
    const keys: Keys = {
      evm: parent.deriveChild(evmIndex).privateKey!,
      owner: parent.deriveChild(ownerIndex).privateKey!,
      solana: deriveEd25519(seed, solanaPath),
    }
    parent.wipePrivateData()
    secrets.push(...Object.values(keys))
    if (address !== undefined && toAddress(keys.evm) !== address) throw new WrongSharesError()
    return await use(keys)
  } finally {
    for (const bytes of secrets) bytes.fill(0)
  }
}

function addressesOf({ evm, owner, solana }: Keys): Addresses {
  return {
    eip155: toAddress(evm),
    owner: toAddress(owner),
    solana: base58.encode(ed25519.getPublicKey(solana)),
  }
}

function toAddress(key: Uint8Array): Hex {
  return privateKeyToAccount(toHex(key)).address
}

async function toShares(entropy: Uint8Array, keys: Keys): Promise<NewShares> {
  // `split` takes a copy, which it does not overwrite, and `entropy` is overwritten by the caller.
  const [device, auth, recovery] = (await split(entropy, 3, 2)) as Uint8Array<ArrayBuffer>[]
  return { ...addressesOf(keys), device: device!, auth: auth!, recovery: recovery! }
}

async function sign({ evm, owner, solana }: Keys, request: SignRequest): Promise<string> {
  if (request.kind === 'solana')
    return base58.encode(
      concatBytes(...request.messages.map((message) => ed25519.sign(message, solana))),
    )
  if (request.kind === 'owner') return privateKeyToAccount(toHex(owner)).signTypedData(request.data)
  const account = privateKeyToAccount(toHex(evm))
  if (request.kind === 'set')
    return account.sign({ hash: keccak256(stringToBytes(setText(request.set))) })
  if (request.kind === 'methods')
    return account.sign({ hash: keccak256(stringToBytes(methodsText(request.methods))) })
  if (request.kind === 'message') return account.signMessage({ message: { raw: request.message } })
  if (request.kind === 'typedData') return account.signTypedData(request.data)
  return account.signTransaction(request.transaction)
}

function toHex(bytes: Uint8Array): Hex {
  return `0x${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`
}

/** The shares do not match each other or this wallet. */
export class WrongSharesError extends Error {
  override name = 'WrongSharesError'
  constructor() {
    super('The shares do not give the key of this wallet.')
  }
}
