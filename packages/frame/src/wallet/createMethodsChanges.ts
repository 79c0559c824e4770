import type { FrameRecovery, FrameUser, KeyWrap, MethodsResponse } from '@gatefold/protocol/frame'
import type { Api } from '../api/createApi.ts'
import { createKeyPair } from '../custody/sealFor.ts'
import { isSameMethod, rewrap, toPublicKey, type RecoveryKey } from '../custody/wraps.ts'
import type { Signer } from '../signer/createSigner.ts'
import type { NewShares, Pair, SignedMethods } from '../signer/operations.ts'
import { hashWraps, newId, type Recovery, type StoredSet } from './StoredSet.ts'
import { MethodsNotStoredError, WalletError } from './WalletError.ts'

/** A change of the recovery methods. */
export type MethodsChange = {
  user: FrameUser
  /** The methods to change; undefined if the wallet has none yet. */
  methods: MethodsResponse | undefined
  /** The recovery key; undefined if every wrap has a public key. */
  key: RecoveryKey | undefined
  isAutomatic: boolean
  /** The wraps of `methods` that are kept. */
  kept: readonly KeyWrap[]
  /** Wraps the recovery key for another method. */
  toWrap?: ((key: RecoveryKey) => Promise<KeyWrap>) | undefined
}

/**
 * Creates the operations that change the recovery methods, or the recovery key.
 * Loaded on first use.
 *
 * @param options.adopt - stores new shares.
 * @param options.shares - returns this device's set and the server's share.
 */
export function createMethodsChanges({
  api,
  signer,
  adopt,
  shares,
}: {
  api: Api
  signer: Signer
  adopt: (
    shares: NewShares,
    next: { setId: string; epoch: number; recovery: Recovery },
  ) => Promise<StoredSet>
  shares: () => Promise<{ set: StoredSet; pair: Pair }>
}) {
  /**
   * Changes the methods. The recovery key is replaced, too, if every kept wrap
   * has a public key.
   */
  async function change({
    user: { id: userId, epoch, recovery },
    methods: before,
    key,
    isAutomatic,
    kept,
    toWrap,
  }: MethodsChange): Promise<void> {
    const { set, pair } = await shares()
    if (before) await assertOurs(set, before, await hashWraps(before.wraps))
    const stays = kept.map((wrap) =>
      key?.upgraded && isSameMethod(key.upgraded, wrap) ? key.upgraded : wrap,
    )
    const setId = newId()
    const pairs = stays.filter(hasPublicKey)
    const isReplaced = pairs.length === stays.length
    const used = isReplaced ? { id: setId, userId, bytes: (await createKeyPair()).bytes } : key
    if (!used) throw new MethodsNotStoredError()
    const publicKey = toPublicKey(used.bytes)
    const isOther = !isReplaced && (before?.publicKey ?? publicKey) !== publicKey
    if (isOther) throw new ForgedMethodsError()
    const wraps = isReplaced
      ? await Promise.all(pairs.map(async (wrap) => rewrap(used, wrap)))
      : stays
    if (toWrap) wraps.push(await toWrap(used))
    const split = await signer({ name: 'split', shares: pair, address: set.eip155 })
    await adopt(split, {
      setId,
      epoch,
      recovery: {
        userId,
        recoveryId: used.id,
        publicKey,
        version: (before ?? recovery ?? { version: 0 }).version + 1,
        wraps,
        isSigned: true,
        change: { isAutomatic, bytes: used.bytes },
      },
    })
    used.bytes.fill(0)
  }

  /** Replaces an outdated recovery key, if that is possible without the visitor. */
  async function replaceKey(user: FrameUser): Promise<boolean> {
    if (!(await api.isFreshLogin())) return false
    const found = await api.send('wallet/methods', {})
    const { wraps: kept, isAutomatic } = found
    if (!kept.every(hasPublicKey) || (kept.length === 0 && !isAutomatic)) return false
    await change({ user, methods: found, key: undefined, isAutomatic, kept })
    return true
  }

  /** Splits the key again for this device, with a recovery share for the current recovery key. */
  async function renew({ id: userId, epoch }: FrameUser, recovery: FrameRecovery): Promise<void> {
    const { recoveryId, publicKey } = recovery
    if (publicKey === null) return
    const { set, pair } = await shares()
    await assertOurs(set, recovery, recovery.wrapsHash)
    const split = await signer({ name: 'split', shares: pair, address: set.eip155 })
    await adopt(split, {
      setId: newId(),
      epoch,
      recovery: { userId, recoveryId, publicKey, version: -1, wraps: [], isSigned: true },
    })
  }

  /**
   * Checks that the wallet has signed the methods. Otherwise, an attacker who can change the database could add a
   * public key and get the recovery key. The methods of an earlier version have no signature; none of their wraps has a
   * public key.
   */
  async function assertOurs(
    { eip155, recovery }: StoredSet,
    signed: Omit<SignedMethods, 'wrapsHash'> & { signature: string | null; wraps?: KeyWrap[] },
    wrapsHash: string,
  ): Promise<void> {
    const { recoveryId, version, publicKey, isAutomatic, signature, wraps } = signed
    if (signature === null) {
      const isEarlier = publicKey === null && !recovery?.isSigned
      if (!isEarlier || wraps?.some(hasPublicKey)) throw new ForgedMethodsError()
      return
    }
    const address = await signer({
      name: 'methodsSigner',
      methods: { recoveryId, version, publicKey, isAutomatic, wrapsHash },
      signature,
    }).catch(() => undefined)
    if (address !== eip155) throw new ForgedMethodsError()
  }

  return { change, replaceKey, renew }
}

const hasPublicKey = (wrap: KeyWrap): wrap is KeyWrap & { publicKey: string } =>
  wrap.publicKey !== undefined

/** The server returned recovery methods that the wallet has not signed. */
class ForgedMethodsError extends WalletError {
  override name = 'ForgedMethodsError'
  constructor() {
    super(
      'The server returned recovery methods that your wallet has not signed. Nothing was changed. Contact the site.',
      'frame.methods_forged',
    )
  }
}
