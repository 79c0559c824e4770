import * as v from 'valibot'
import type { KeyValueStore } from '../storage/KeyValueStore.ts'
import { createDocument } from '../storage/createDocument.ts'
import { createRelayToken, toClientId } from './clientKey.ts'
import { CryptoError } from './CryptoError.ts'
import type { Curves } from './Curves.ts'
import { type Alphabet, parseEnvelope, seal, unseal, wrapPlain } from './envelope.ts'
import { createKeyPair, createSymKey, deriveSymKey, hashKey } from './keys.ts'
import { openCurves } from './openCurves.ts'

/** A derived key, usable before it is stored. */
export type AgreedKey = {
  topic: string
  /** Resolves when the key is stored. */
  stored: Promise<unknown>
}

/** Holds a client's secrets. None of its methods returns a secret. */
export type Keychain = {
  /** @param tag - a topic or a public key of this client */
  has(tag: string): boolean
  /** The client's `did:key`. The key is created on first use. */
  clientId(): Promise<string>
  /** @param nowMs - Unix time in ms */
  relayToken(relayUrl: string, nowMs: number): Promise<string>
  /** Creates and stores a key pair. @returns the public key, 64 hex digits */
  createKeyPair(): Promise<string>
  /** Stores a key of 64 hex digits. @returns the key's topic */
  setSymKey(symKey: string): Promise<string>
  /**
   * Derives and stores the key shared with a peer.
   *
   * @throws {CryptoError} if the private key is not stored or the peer's key is invalid
   */
  agree(publicKey: string, peerPublicKey: string): Promise<AgreedKey>
  /**
   * `createKeyPair` and `agree` with one write.
   *
   * @throws {CryptoError} if the peer's key is invalid
   */
  agreeWithNewKeyPair(peerPublicKey: string): Promise<AgreedKey & { publicKey: string }>
  remove(tag: string): Promise<void>
  /** Seals a text with a topic's key (envelope type 0). @throws {CryptoError} if the key is not stored */
  encode(topic: string, text: string, alphabet?: Alphabet): string
  /** Seals a text for the owner of `receiverPublicKey` (envelope type 1). */
  encodeFor(options: {
    publicKey: string
    receiverPublicKey: string
    text: string
    alphabet?: Alphabet | undefined
  }): Promise<string>
  /** Formats an unencrypted envelope (type 2), for the first link to a wallet. */
  encodePlain(text: string): string
  /**
   * @param options.publicKey - the receiver's public key, for an envelope of type 1
   * @param options.plain - accept type 2; only for links, never for messages from a relay
   * @throws {CryptoError} if the envelope cannot be decrypted or its type is not accepted
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
 * Loads the stored keys.
 *
 * @param options.key - storage key, see `storageKeys`
 * @param options.onDamaged - called with the storage key of invalid data, which is dropped
 * @param options.curves - defaults to `openCurves()`
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
    // Not awaited: if the page closes before the seed is stored, the client merely gets a different id.
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
        `An envelope of type ${envelope.type} is not accepted here.`,
        'sign.unknown_envelope',
      )
    },
  }
}
