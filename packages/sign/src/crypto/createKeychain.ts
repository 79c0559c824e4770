import * as v from 'valibot'
import type { KeyValueStore } from '../storage/KeyValueStore.ts'
import { createDocument } from '../storage/createDocument.ts'
import { createRelayToken, toClientId } from './clientKey.ts'
import { CryptoError } from './CryptoError.ts'
import type { Curves } from './Curves.ts'
import { type Alphabet, parseEnvelope, seal, unseal, wrapPlain } from './envelope.ts'
import { createKeyPair, createSymKey, deriveSymKey, hashKey } from './keys.ts'
import { openCurves } from './openCurves.ts'

/** A key that holds at once. */
export type AgreedKey = {
  topic: string
  /** Resolves when the key is stored. */
  stored: Promise<unknown>
}

/** Every secret of a client. Nothing but public keys, topics and sealed texts leaves it. */
export type Keychain = {
  /** @param tag - a topic or an own public key */
  has(tag: string): boolean
  /** The `did:key` of this client; its key is made when first asked for. */
  clientId(): Promise<string>
  /** @param nowMs - Unix time in ms */
  relayToken(relayUrl: string, nowMs: number): Promise<string>
  /** @returns a new public key, 64 hex; its private one is kept under it. */
  createKeyPair(): Promise<string>
  /** Keeps a key, 64 hex. @returns its topic. */
  setSymKey(symKey: string): Promise<string>
  /**
   * Keeps the key that an own and a peer's public key make.
   *
   * @throws {CryptoError} when the own key is not here or the peer's cannot be used.
   */
  agree(publicKey: string, peerPublicKey: string): Promise<AgreedKey>
  /**
   * Keeps a new key pair, and the key that it and a peer's public key make.
   *
   * @throws {CryptoError} when the peer's cannot be used.
   */
  agreeWithNewKeyPair(peerPublicKey: string): Promise<AgreedKey & { publicKey: string }>
  remove(tag: string): Promise<void>
  /** Seals for a topic whose key is here. @throws {CryptoError} when it is not. */
  encode(topic: string, text: string, alphabet?: Alphabet): string
  /** Seals for whoever has the private key of `receiverPublicKey`: an envelope of type 1. */
  encodeFor(options: {
    publicKey: string
    receiverPublicKey: string
    text: string
    alphabet?: Alphabet | undefined
  }): Promise<string>
  /** An envelope of type 2, which anybody can read: for a first link. */
  encodePlain(text: string): string
  /**
   * @param options.publicKey - own key that an envelope of type 1 was sealed for
   * @param options.plain - take type 2 as well, as in links; never from a relay
   * @throws {CryptoError} when it cannot be read. Drop it.
   */
  decode(
    topic: string,
    encoded: string,
    options?: { publicKey?: string | undefined; plain?: boolean | undefined },
  ): Promise<{ type: 0 | 1 | 2; text: string; senderPublicKey?: string }>
}

const seedTag = 'client_ed25519_seed'
const Keys = v.record(v.string(), v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/)))

/**
 * Reads the keys that are stored under `key` and keeps what is added there.
 *
 * @param options.key - where official clients keep theirs, see `storageKeys`
 * @param options.onDamaged - told what could not be read and was dropped
 * @param options.curves - the platform's where it has them
 */
export async function createKeychain(options: {
  store: KeyValueStore
  key: string
  onDamaged?: ((key: string) => void) | undefined
  curves?: Curves | undefined
}): Promise<Keychain> {
  const [curves, document] = await Promise.all([
    options.curves ?? openCurves(),
    createDocument({ ...options, schema: Keys, empty: {}, entries: 'object' }),
  ])
  const sub = createSymKey()

  async function set(tag: string, secret: string) {
    await document.set({ ...document.get(), [tag]: secret })
    return tag
  }

  function get(tag: string) {
    const keys = document.get()
    const secret = Object.hasOwn(keys, tag) ? keys[tag] : undefined
    if (secret) return secret
    throw new CryptoError(`There is no key for ${tag}.`, 'sign.no_key')
  }

  function getSeed() {
    // Nothing waits for it to be stored: a client that is lost before has lost nothing but its name.
    if (!Object.hasOwn(document.get(), seedTag)) void set(seedTag, createSymKey())
    return get(seedTag)
  }

  return {
    has: (tag) => Object.hasOwn(document.get(), tag),
    clientId: async () => toClientId(curves, getSeed()),
    relayToken: async (relayUrl, nowMs) =>
      createRelayToken(curves, { seed: getSeed(), sub, relayUrl, nowMs }),
    async createKeyPair() {
      const { publicKey, privateKey } = await createKeyPair(curves)
      return set(publicKey, privateKey)
    },
    setSymKey: async (symKey) => set(await hashKey(symKey), symKey),
    async agree(publicKey, peerPublicKey) {
      const symKey = await deriveSymKey(curves, get(publicKey), peerPublicKey)
      const topic = await hashKey(symKey)
      return { topic, stored: set(topic, symKey) }
    },
    async agreeWithNewKeyPair(peerPublicKey) {
      const { publicKey, privateKey } = await createKeyPair(curves)
      const symKey = await deriveSymKey(curves, privateKey, peerPublicKey)
      const topic = await hashKey(symKey)
      const stored = document.set({ ...document.get(), [publicKey]: privateKey, [topic]: symKey })
      return { publicKey, topic, stored }
    },
    async remove(tag) {
      const { [tag]: _removed, ...rest } = document.get()
      await document.set(rest)
    },
    encode: (topic, text, alphabet) => seal({ text, symKey: get(topic), alphabet }),
    async encodeFor({ publicKey, receiverPublicKey, text, alphabet }) {
      const symKey = await deriveSymKey(curves, get(publicKey), receiverPublicKey)
      return seal({ text, symKey, senderPublicKey: publicKey, alphabet })
    },
    encodePlain: (text) => wrapPlain(text),
    async decode(topic, encoded, { publicKey, plain = false } = {}) {
      const envelope = parseEnvelope(encoded)
      if (envelope.type === 0) return { type: 0, text: unseal(envelope, get(topic)) }
      if (envelope.type === 1 && publicKey) {
        const { senderPublicKey } = envelope
        const symKey = await deriveSymKey(curves, get(publicKey), senderPublicKey)
        return { type: 1, text: unseal(envelope, symKey), senderPublicKey }
      }
      if (envelope.type === 2 && plain) return envelope
      throw new CryptoError(
        `An envelope of type ${envelope.type} is not expected here.`,
        'sign.unknown_envelope',
      )
    },
  }
}
