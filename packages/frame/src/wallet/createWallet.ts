import {
  smartAccountKind,
  type FrameUser,
  type FrameWallet,
  type KeyWrap,
  type MethodsResponse,
  type RecoveryMethod,
  type RecoveryResponse,
} from '@gatefold/protocol/frame'
import { base64urlnopad } from '@scure/base'
import type { Api } from '../api/createApi.ts'
import { ApiError } from '../api/ApiError.ts'
import { createSealingKey, seal, splitSealed, toSealingKey, unseal } from '../custody/seal.ts'
import { createKeyPair, open, sealFor, toOpeningKey } from '../custody/sealFor.ts'
import type { LockedKey, RecoveryKey } from '../custody/wraps.ts'
import type { Hex } from 'viem'
import type { Modules } from '../smartAccount/smartAccountOf.ts'
import type { NewShares, Pair, SignRequest } from '../signer/operations.ts'
import type { Signer } from '../signer/createSigner.ts'
import type { Store } from '../store/createStore.ts'
import { exclusively } from '../store/exclusively.ts'
import type { MethodsChange } from './createMethodsChanges.ts'
import { hashWraps, newId, type Accounts, type Recovery, type StoredSet } from './StoredSet.ts'
import { MethodsNotStoredError, WalletError } from './WalletError.ts'

/** Wraps a recovery key with the visitor's methods. */
export type ToWraps = (key: RecoveryKey) => Promise<KeyWrap[]>

/** The wallet of the user on this device. */
export type Wallet = {
  /**
   * Makes the wallet usable on this device: creates it for a new user, and
   * restores it on a new device if that requires no action of the visitor.
   * Otherwise it stays locked.
   *
   * @param toWraps - wraps the recovery key of a new wallet, instead of
   *   automatic recovery.
   */
  prepare(user: FrameUser, toWraps?: ToWraps): Promise<Accounts>
  /** What the visitor needs to restore the wallet on this device; undefined if it is usable. */
  locked(): Promise<Lock | undefined>
  /** Restores a locked wallet. */
  unlock(key: RecoveryKey): Promise<Accounts>
  /**
   * Splits the key again for this device, with other recovery methods for all
   * devices and another recovery key, so that no copy of the previous one opens
   * the wallet. The previous one stays only if a wrap that is kept has no
   * public key.
   *
   * @throws {WalletError} `frame.methods_forged` if the methods are not those that the wallet has signed.
   */
  changeMethods(change: MethodsChange): Promise<void>
  /** The BIP-39 phrase. The visitor must have asked for it. */
  phrase(): Promise<string>
  /**
   * Signs with the key. The visitor must have approved it. If the server does not release its share, the visitor is asked
   * for the recovery key.
   */
  sign(request: SignRequest): Promise<string>
  /** Whether the wallet can sign while the server does not respond. */
  worksAlone(): Promise<boolean>
  /**
   * Brings this device up to date with the recovery methods: replaces an
   * outdated recovery key, encrypts this device's recovery share for the
   * current one, and stores the methods for use while the server does not
   * respond. A recovery key and methods are read only after a login.
   */
  keepMethods(user: FrameUser): Promise<void>
  /**
   * Deletes the stored methods, because the server has revoked this device's share. Another login stores them again.
   */
  forgetMethods(): Promise<void>
  /** The accounts that are stored on this device. */
  accounts(): Promise<Accounts | undefined>
  /** The address of this wallet's smart account for the modules of a network. */
  smartAccount(owner: string, modules: Modules): Promise<Hex>
}

/**
 * A locked wallet. If the user must log in with a mailed code, the methods are
 * unknown until then. The server releases its shares only during the restore.
 */
export type Lock = { user: FrameUser; methods?: MethodsResponse }

/** The methods that can restore a locked wallet. */
export type Locked = MethodsResponse & { user: FrameUser }

/** Asks the visitor for the recovery key. */
export type AskKey = (locked: LockedKey) => Promise<RecoveryKey>

/** Maximum number of sets that are tried when a wallet is restored. The server does not accept longer lists. */
const maxSets = 10

/** Creates the wallet of this device. @see docs/custody.md */
export function createWallet(options: {
  api: Api
  store: Store
  signer: Signer
  /** Methods that the project offers. */
  methods: readonly RecoveryMethod[]
  /** Called to sign while the server does not release its share. */
  askKey?: AskKey
}): Wallet {
  const { api, store, signer, methods, askKey } = options

  /** Runs an operation, and overwrites its shares: two of them are the key. */
  const useUp: Signer = (operation) =>
    signer(operation).finally(() => {
      if ('shares' in operation) overwrite(operation.shares)
    })

  /** Stores new shares, and overwrites them. */
  async function adopt(
    shares: NewShares,
    next: { setId: string; epoch: number; recovery: Recovery },
  ): Promise<StoredSet> {
    const { device, auth, recovery } = shares
    return storeShares(shares, next).finally(() => overwrite([device, auth, recovery]))
  }

  /** Stores new shares: staged, read back, compared, committed. Only then do they replace the previous ones. */
  async function storeShares(
    shares: NewShares,
    { setId, epoch, recovery }: { setId: string; epoch: number; recovery: Recovery },
  ): Promise<StoredSet> {
    const { userId, recoveryId, publicKey, version, wraps, isSigned, change } = recovery
    const recoveryShare = await sealFor(publicKey, shares.recovery, `recovery|${setId}`)
    const key = await createSealingKey()
    const { eip155, owner, solana } = shares
    const smartAccount = { kind: smartAccountKind, owner } as const
    const set: StoredSet = {
      setId,
      epoch,
      eip155,
      owner,
      solana,
      key,
      share: await seal(key, shares.device, `device|${setId}`),
      recovery: { userId, recoveryId, publicKey, share: recoveryShare, version, wraps, isSigned },
    }
    // Stored before the commit, so that a crash after the commit does not lose
    // the device's share.
    await store.set('staged', set)
    const sign = (request: SignRequest) =>
      signer({ name: 'sign', shares: [shares.device, shares.auth], address: eip155, request })
    await api.send('wallet/stage', {
      setId,
      epoch,
      eip155,
      solana,
      smartAccount,
      signature: await sign({ kind: 'set', set: { setId, epoch, eip155, solana, smartAccount } }),
      authShare: base64urlnopad.encode(shares.auth),
      recoveryShare,
      recoveryPublicKey: publicKey,
      recoveryId,
      ...(change && {
        version: version - 1,
        wraps,
        methodsSignature: await sign({
          kind: 'methods',
          methods: {
            recoveryId,
            version,
            publicKey,
            isAutomatic: change.isAutomatic,
            wrapsHash: await hashWraps(wraps),
          },
        }),
      }),
      ...(change?.isAutomatic && { recoveryKey: base64urlnopad.encode(change.bytes) }),
    })
    const staged = await api.send('wallet/staged', { setId })
    const auth = decode(staged.authShare)
    const areWrapsStored = !change || toText(staged.wraps ?? []) === toText(wraps)
    if (staged.recoveryShare !== recoveryShare || !areWrapsStored) throw new MethodsNotStoredError()
    const stored = await store.get<StoredSet>('staged')
    if (stored?.setId !== setId)
      throw new WalletError('Another tab is changing the wallet.', 'frame.other_tab')
    const device = await unseal(stored.key, stored.share, `device|${setId}`)
    try {
      for (const pair of [
        [device, auth],
        [auth, shares.recovery],
        [device, shares.recovery],
      ] as Pair[])
        await signer({ name: 'check', shares: pair, address: eip155 })
    } finally {
      overwrite([device, auth])
    }
    await api.send('wallet/commit', { setId })
    await use(set)
    await store.remove('staged')
    await store.remove('locked')
    return set
  }

  async function create({ id: userId, epoch }: FrameUser, toWraps?: ToWraps): Promise<StoredSet> {
    const setId = newId()
    const { bytes, publicKey } = await createKeyPair()
    const isAutomatic = !toWraps && methods.includes('automatic')
    const wraps = (await toWraps?.({ id: setId, userId, bytes })) ?? []
    return adopt(await signer({ name: 'create' }), {
      setId,
      epoch,
      recovery: {
        userId,
        recoveryId: setId,
        publicKey,
        version: 1,
        wraps,
        isSigned: true,
        change: { isAutomatic, bytes },
      },
    })
  }

  /**
   * Restores the wallet with the share of the server and the recovery share. Tries the sets of other devices in turn,
   * because one of them can be damaged.
   *
   * @param key - the recovery key; undefined if the escrow store has it.
   */
  async function restore(
    { id: userId, wallet, epoch }: FrameUser & { wallet: FrameWallet },
    key?: RecoveryKey,
  ): Promise<StoredSet> {
    const skip: string[] = []
    let failure: unknown
    let bytes = key?.bytes
    while (skip.length < maxSets) {
      const found = await api.send('wallet/recovery', { skip }).catch((error: unknown) => {
        // No sets are left.
        if (failure !== undefined && error instanceof ApiError && error.status < 500)
          return undefined
        throw error
      })
      if (!found) break
      if (key && key.id !== found.recoveryId) throw new ChangedMethodsError(found)
      try {
        bytes ??= decode((await api.send('wallet/escrow', {})).recoveryKey)
        const { recoveryId, version, wraps } = found
        const isSigned = found.signature !== null
        // From the key itself, because the server could return another one.
        const publicKey = (await loadWraps()).toPublicKey(bytes)
        return await adopt(await resplit(found, bytes, wallet), {
          setId: newId(),
          epoch,
          recovery: { userId, recoveryId, publicKey, version, wraps, isSigned },
        })
      } catch (error) {
        if (error instanceof ApiError || error instanceof OtherOwnerError) throw error
        failure = error
        skip.push(found.setId)
      }
    }
    throw failure
  }

  async function resplit(
    found: RecoveryResponse,
    recoveryKey: Uint8Array<ArrayBuffer>,
    wallet: FrameWallet,
  ): Promise<NewShares> {
    const recovery = await openRecovery(recoveryKey, {
      share: found.recoveryShare,
      publicKey: found.recoveryPublicKey,
      setId: found.setId,
    })
    const shares = await useUp({
      name: 'split',
      shares: [decode(found.authShare), recovery],
      address: wallet.eip155,
    })
    // Until now, the device could only show the address that the server
    // returned.
    const owner = ownerOf(wallet)
    if (owner !== undefined && owner !== shares.owner) throw new OtherOwnerError()
    return shares
  }

  /** The set of this device, if the server has the corresponding share. */
  async function current(wallet: FrameWallet): Promise<StoredSet | undefined> {
    const set = await store.get<StoredSet>('set')
    if (set?.setId === wallet.setId) return set
    // A commit whose response did not arrive. Repeated, because the server may not have completed it.
    const staged = await store.get<StoredSet>('staged')
    if (staged !== undefined && staged.setId === wallet.setId) {
      await api.send('wallet/commit', { setId: staged.setId })
      await use(staged)
      await store.remove('staged')
      await store.remove('locked')
      return staged
    }
    const other = (await others()).find(({ setId }) => setId === wallet.setId)
    if (other) await use(other)
    return other
  }

  /**
   * This device's set, if it has replaced the set of the given wallet since
   * that wallet was read.
   */
  async function newer({ eip155 }: FrameWallet): Promise<StoredSet | undefined> {
    const set = await store.get<StoredSet>('set')
    if (set?.eip155 !== eip155) return undefined
    const { wallet } = await api.send('user', {})
    return wallet ? current(wallet) : undefined
  }

  /**
   * The sets of accounts that used this device before. They are kept, because
   * the server does not issue another set.
   */
  async function others(): Promise<StoredSet[]> {
    return (await store.get<StoredSet[]>('others')) ?? []
  }

  /**
   * Makes a set the current one, for the logged-in account, and keeps the set
   * of the previous account.
   */
  async function use(set: StoredSet): Promise<void> {
    const previous = await store.get<StoredSet>('set')
    const all = [...(previous ? [previous] : []), ...(await others())]
    await store.set(
      'others',
      all.filter(({ eip155 }) => eip155 !== set.eip155),
    )
    await store.set('set', set)
  }

  async function prepareAlone(user: FrameUser, toWraps?: ToWraps): Promise<Accounts> {
    let { wallet } = user
    if (!wallet) {
      try {
        return toAccounts(await create(user, toWraps))
      } catch (error) {
        // Another device of the user was faster. A user never has two wallets.
        if (!(error instanceof ApiError) || error.reason !== 'wallet_exists') throw error
        user = await api.send('user', {})
        wallet = user.wallet
        if (!wallet) throw error
      }
    }
    const set = (await current(wallet)) ?? (await newer(wallet))
    if (set) {
      // A stored lock can only belong to another account that used this device.
      await store.remove('locked')
      return toAccounts(set)
    }
    if (user.recovery?.isAutomatic && !user.needsCode)
      return toAccounts(await restore({ ...user, wallet }))
    const locked = await store.get<Lock>('locked')
    const isSame = locked?.user.id === user.id && locked.user.epoch === user.epoch
    if (user.needsCode) await store.set('locked', { user } satisfies Lock)
    else if (!isSame || !locked.methods) {
      const methods = await api.send('wallet/methods', {})
      await store.set('locked', { user, methods } satisfies Lock)
    }
    return toServerAccounts(wallet)
  }

  /** This device's set and its share. */
  async function own(): Promise<{ set: StoredSet; device: Uint8Array<ArrayBuffer> }> {
    const set = await store.get<StoredSet>('set')
    if (!set) throw new WalletError('This device has no wallet. Log in again.', 'frame.no_wallet')
    return { set, device: await unseal(set.key, set.share, `device|${set.setId}`) }
  }

  const methodsChanges = () =>
    import('./createMethodsChanges.ts').then(({ createMethodsChanges }) =>
      createMethodsChanges({ api, signer: useUp, adopt, shares }),
    )

  async function changeMethods(changed: MethodsChange): Promise<void> {
    const { change } = await methodsChanges()
    await change(changed)
  }

  /** This device's set and the server's share. */
  async function shares(): Promise<{ set: StoredSet; pair: Pair }> {
    const { set, device } = await own()
    const { setId, authShare } = await api.send('wallet/share', {})
    if (setId !== set.setId) throw new WalletChangedError()
    return { set, pair: [device, decode(authShare)] }
  }

  /**
   * This device's set and the recovery share, which the visitor unlocks. Used
   * while the server does not release its share.
   *
   * @throws the error of the server if no method of the wallet works without
   *   the server.
   */
  async function sharesAlone(failure: unknown): Promise<{ set: StoredSet; pair: Pair }> {
    const { set, device } = await own()
    const { recovery } = set
    if (!recovery || recovery.wraps.length === 0 || !askKey) throw failure
    const key = await askKey(recovery)
    const share = await openRecovery(key.bytes, { ...recovery, setId: set.setId })
    key.bytes.fill(0)
    return { set, pair: [device, share] }
  }

  async function forgetMethods() {
    const set = await store.get<StoredSet>('set')
    if (!set?.recovery || set.recovery.wraps.length === 0) return
    await store.set('set', { ...set, recovery: { ...set.recovery, version: -1, wraps: [] } })
  }

  return {
    // Two tabs that stored new shares at the same time would overwrite each
    // other's shares.
    prepare: (user, toWraps) => exclusively('wallet', () => prepareAlone(user, toWraps)),
    locked: () => store.get<Lock>('locked'),
    unlock: (key) =>
      exclusively('wallet', async () => {
        const locked = await store.get<Lock>('locked')
        if (!locked?.user.wallet)
          throw new WalletError('This device already has the wallet.', 'frame.has_wallet')
        // The epoch may have changed since.
        const user = await api.send('user', {})
        const { wallet } = locked.user
        try {
          const set = await restore({ ...user, wallet }, key)
          // The wallet is restored in any case. The settings name the methods without a public key.
          if (key.upgraded && locked.methods) {
            const { wraps: kept, isAutomatic } = locked.methods
            await changeMethods({ user, methods: locked.methods, key, isAutomatic, kept }).catch(
              () => {},
            )
          }
          return toAccounts((await store.get<StoredSet>('set')) ?? set)
        } catch (error) {
          if (error instanceof ChangedMethodsError)
            await store.set('locked', { ...locked, methods: error.methods } satisfies Lock)
          throw error
        }
      }),
    changeMethods: (changed) => exclusively('wallet', () => changeMethods(changed)),
    async phrase() {
      const { set, pair } = await shares()
      return useUp({ name: 'phrase', shares: pair, address: set.eip155 })
    },
    async sign(request) {
      const { set, pair } = await shares().catch(async (error: unknown) => {
        // This device may be replacing its set at the moment.
        if (error instanceof WalletChangedError) return exclusively('wallet', shares)
        if (isWithdrawn(error)) await forgetMethods()
        if (isRefused(error)) return sharesAlone(error)
        throw error
      })
      return useUp({ name: 'sign', shares: pair, address: set.eip155, request })
    },
    worksAlone: async () => {
      const set = await store.get<StoredSet>('set')
      return (set?.recovery?.wraps.length ?? 0) > 0
    },
    forgetMethods,
    keepMethods: (user) =>
      exclusively('wallet', async () => {
        const { id: userId, recovery } = user
        const set = await store.get<StoredSet>('set')
        if (!recovery || !set?.recovery) return
        const isOther = set.recovery.recoveryId !== recovery.recoveryId
        if (recovery.isOutdated || isOther) {
          const { replaceKey, renew } = await methodsChanges()
          if (recovery.isOutdated && (await replaceKey(user))) return
          if (isOther) await renew(user, recovery)
        }
        const kept = (await store.get<StoredSet>('set'))!
        if (!kept.recovery || kept.recovery.version === recovery.version) return
        if (!(await api.isFreshLogin())) return
        const { recoveryId, version, wraps } = await api.send('wallet/methods', {})
        const isSame = kept.recovery.recoveryId === recoveryId && kept.recovery.userId === userId
        const changed = { ...kept.recovery, version, wraps: isSame ? wraps : [] }
        await store.set('set', { ...kept, recovery: changed })
      }),
    async accounts() {
      const set = await store.get<StoredSet>('set')
      return set && toAccounts(set)
    },
    async smartAccount(owner, { module, setup }) {
      const key = [owner, module, setup].join(' ')
      const known = (await store.get<Record<string, Hex>>('smartAccounts')) ?? {}
      if (known[key]) return known[key]
      const address = await signer({
        name: 'smartAccount',
        owner: owner as Hex,
        modules: { module, setup },
      })
      await store.set('smartAccounts', { ...known, [key]: address })
      return address
    },
  }
}

/** Loaded on first use, because it includes the code of a curve. */
const loadWraps = () => import('../custody/wraps.ts')

/** All members of wraps, in an order that does not depend on who created the objects. */
function toText(wraps: readonly KeyWrap[]): string {
  return wraps.map((wrap) => JSON.stringify(wrap, Object.keys(wrap).toSorted())).join()
}

/** Decrypts a recovery share. */
async function openRecovery(
  bytes: Uint8Array<ArrayBuffer>,
  {
    share,
    publicKey,
    setId,
  }: { share: string; publicKey?: string | null | undefined; setId: string },
): Promise<Uint8Array<ArrayBuffer>> {
  const context = `recovery|${setId}`
  return publicKey
    ? open(await toOpeningKey({ bytes, publicKey }), share, context)
    : unseal(await toSealingKey(bytes), splitSealed(decode(share)), context)
}

/** The server does not respond, or refuses for now. */
function isRefused(error: unknown): boolean {
  return error instanceof ApiError && !isWithdrawn(error)
}

/** The session has ended, or the server no longer has a share for this device. */
function isWithdrawn(error: unknown): boolean {
  return error instanceof ApiError && [401, 404, 409].includes(error.status)
}

function toAccounts({
  eip155,
  owner,
  solana,
}: Pick<Accounts, 'eip155' | 'solana'> & { owner?: string }): Accounts {
  return { eip155, solana, ...(owner !== undefined && { owner }) }
}

/** The accounts of a wallet whose key this device does not have. */
function toServerAccounts(wallet: FrameWallet): Accounts {
  const owner = ownerOf(wallet)
  return toAccounts({ ...wallet, ...(owner !== undefined && { owner }) })
}

/** The owner of the smart account according to the server. */
function ownerOf({ smartAccount }: FrameWallet): string | undefined {
  return smartAccount?.kind === smartAccountKind ? smartAccount.owner : undefined
}

function overwrite(shares: readonly Uint8Array[]): void {
  for (const share of shares) share.fill(0)
}

function decode(text: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(base64urlnopad.decode(text))
}

/** The server has the share of another set. */
class WalletChangedError extends WalletError {
  override name = 'WalletChangedError'
  constructor() {
    super('The wallet was changed on another device. Log in again.', 'frame.wallet_changed')
  }
}

/** The server returned an address that is not the smart account of this key. */
class OtherOwnerError extends WalletError {
  override name = 'OtherOwnerError'
  constructor() {
    super(
      'The server showed the address of another smart account for this wallet. Do not use that address, and contact the site.',
      'frame.owner',
    )
  }
}

/** Another device has replaced the recovery key. */
class ChangedMethodsError extends WalletError {
  override name = 'ChangedMethodsError'
  readonly methods: MethodsResponse
  constructor({ recoveryId, version, wraps, isAutomatic, publicKey, signature }: MethodsResponse) {
    super(
      'The ways to restore this wallet were changed on another device. Close this and try again.',
      'frame.methods_changed',
    )
    this.methods = { recoveryId, version, wraps, isAutomatic, publicKey, signature }
  }
}
