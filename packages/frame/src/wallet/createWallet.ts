import { BaseError } from '@gatefold/protocol'
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
import {
  createSealingKey,
  joinSealed,
  seal,
  splitSealed,
  toSealingKey,
  unseal,
  type Sealed,
} from '../custody/seal.ts'
import type { RecoveryKey } from '../custody/wraps.ts'
import type { Hex } from 'viem'
import type { Modules } from '../smartAccount/smartAccountOf.ts'
import type { NewShares, Pair, SignRequest } from '../signer/operations.ts'
import type { Signer } from '../signer/createSigner.ts'
import type { Store } from '../store/createStore.ts'
import { exclusively } from '../store/exclusively.ts'

/** The accounts of the wallet. */
export type Accounts = Pick<FrameWallet, 'eip155' | 'solana'> & {
  /** The owner of the smart account; undefined if neither this device nor the server knows it. */
  owner?: string
}

/** Wraps a recovery key with the visitor's methods. */
export type ToWraps = (key: RecoveryKey) => Promise<KeyWrap[]>

/** The wallet of the user on this device. */
export type Wallet = {
  /**
   * Makes the wallet usable on this device: creates it for a new user, and restores it on a new device if that needs
   * nothing from the visitor. Otherwise, it stays locked.
   *
   * @param toWraps - wraps the recovery key of a new wallet, in place of automatic recovery.
   */
  prepare(user: FrameUser, toWraps?: ToWraps): Promise<Accounts>
  /** What the visitor needs to restore the wallet on this device; undefined if it is usable. */
  locked(): Promise<Locked | undefined>
  /** Restores a locked wallet. */
  unlock(key: RecoveryKey): Promise<Accounts>
  /**
   * Splits the key again for this device, with other recovery methods for all devices.
   *
   * @param key - the recovery key; undefined if the wallet has no method yet.
   * @param toWraps - wraps the recovery key.
   */
  changeMethods(change: {
    user: FrameUser
    version: number
    key: RecoveryKey | undefined
    isAutomatic: boolean
    toWraps: ToWraps
  }): Promise<void>
  /** The BIP-39 phrase. The visitor must have asked for it. */
  phrase(): Promise<string>
  /** Signs with the key. The visitor must have approved it. */
  sign(request: SignRequest): Promise<string>
  /** The accounts that were recorded on this device. */
  accounts(): Promise<Accounts | undefined>
  /** The address of the smart account of this wallet with the modules of a network. */
  smartAccount(owner: string, modules: Modules): Promise<Hex>
  /** Forgets the shares of this device. */
  forget(): Promise<void>
}

/** What is known of a locked wallet. The server releases its shares only with the restore. */
type StoredLock = { user: FrameUser; methods: MethodsResponse }

/** The methods with which a locked wallet is restored. */
export type Locked = MethodsResponse & { user: FrameUser }

/** The recovery key of a new set, and the methods if the set changes them. */
type Recovery = {
  key: Pick<RecoveryKey, 'id' | 'bytes'>
  change?: { version: number; wraps: KeyWrap[]; isAutomatic: boolean }
}

/** This device's set of shares. The keys cannot be exported, and the shares are encrypted under them. */
type StoredSet = Accounts & {
  setId: string
  epoch: number
  key: CryptoKey
  share: Sealed
}

/** How many sets are tried to restore a wallet; the server accepts no longer list. */
const maxSets = 10

/** Creates the wallet of this device. @see docs/custody.md */
export function createWallet(options: {
  api: Api
  store: Store
  signer: Signer
  /** Methods that the project offers. */
  methods: readonly RecoveryMethod[]
}): Wallet {
  const { api, store, signer, methods } = options

  /** Stores new shares: staged, read back, compared, committed. Only then do they replace the previous ones. */
  async function adopt(
    shares: NewShares,
    { setId, epoch, recovery }: { setId: string; epoch: number; recovery: Recovery },
  ): Promise<StoredSet> {
    const { key: recoveryKey, change } = recovery
    const context = `recovery|${setId}`
    const sealedRecovery = joinSealed(
      await seal(await toSealingKey(recoveryKey.bytes), shares.recovery, context),
    )
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
    }
    // Stored before the commit, so that a crash after it does not lose the device's share.
    await store.set('staged', set)
    const signature = await signer({
      name: 'sign',
      shares: [shares.device, shares.auth],
      address: eip155,
      request: { kind: 'set', set: { setId, epoch, eip155, solana, smartAccount } },
    })
    await api.send('wallet/stage', {
      setId,
      epoch,
      eip155,
      solana,
      smartAccount,
      signature,
      authShare: base64urlnopad.encode(shares.auth),
      recoveryShare: base64urlnopad.encode(sealedRecovery),
      recoveryId: recoveryKey.id,
      ...(change && { version: change.version, wraps: change.wraps }),
      ...(change?.isAutomatic && { recoveryKey: base64urlnopad.encode(recoveryKey.bytes) }),
    })
    const staged = await api.send('wallet/staged', { setId })
    const auth = decode(staged.authShare)
    const recoveryShare = await unseal(
      await toSealingKey(recoveryKey.bytes),
      splitSealed(decode(staged.recoveryShare)),
      context,
    )
    if (change && JSON.stringify(staged.wraps) !== JSON.stringify(change.wraps))
      throw new WalletError('The recovery methods were not stored. Try again.')
    const stored = await store.get<StoredSet>('staged')
    if (stored?.setId !== setId) throw new WalletError('Another tab is changing the wallet.')
    const device = await unseal(stored.key, stored.share, `device|${setId}`)
    for (const pair of [
      [device, auth],
      [auth, recoveryShare],
      [device, recoveryShare],
    ] as Pair[])
      await signer({ name: 'check', shares: pair, address: eip155 })
    await api.send('wallet/commit', { setId })
    await use(set)
    await store.remove('staged')
    await store.remove('locked')
    return set
  }

  async function create({ id: userId, epoch }: FrameUser, toWraps?: ToWraps): Promise<StoredSet> {
    const setId = newId()
    const key = { id: setId, userId, bytes: crypto.getRandomValues(new Uint8Array(32)) }
    const change = toWraps
      ? { version: 0, wraps: await toWraps(key), isAutomatic: false }
      : { version: 0, wraps: [], isAutomatic: methods.includes('automatic') }
    return adopt(await signer({ name: 'create' }), {
      setId,
      epoch,
      recovery: { key, change },
    })
  }

  /**
   * Restores the wallet with the share of the server and the recovery share. Tries the sets of other devices in turn,
   * because one of them can be damaged.
   *
   * @param key - the recovery key; undefined if the escrow store has it.
   */
  async function restore(
    { wallet, epoch }: FrameUser & { wallet: FrameWallet },
    key?: RecoveryKey,
  ): Promise<StoredSet> {
    const skip: string[] = []
    let failure: unknown
    let bytes = key?.bytes
    while (skip.length < maxSets) {
      const found = await api.send('wallet/recovery', { skip }).catch((error: unknown) => {
        // There are no further sets.
        if (failure !== undefined && error instanceof ApiError && error.status < 500)
          return undefined
        throw error
      })
      if (!found) break
      if (key && key.id !== found.recoveryId) throw new ChangedMethodsError(found)
      try {
        bytes ??= decode((await api.send('wallet/escrow', {})).recoveryKey)
        return await adopt(await resplit(found, bytes, wallet), {
          setId: newId(),
          epoch,
          recovery: { key: { id: found.recoveryId, bytes } },
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
    const recovery = await unseal(
      await toSealingKey(recoveryKey),
      splitSealed(decode(found.recoveryShare)),
      `recovery|${found.setId}`,
    )
    const shares = await signer({
      name: 'split',
      shares: [decode(found.authShare), recovery],
      address: wallet.eip155,
    })
    // Until now, the device could only show what the server said.
    const owner = ownerOf(wallet)
    if (owner !== undefined && owner !== shares.owner) throw new OtherOwnerError()
    return shares
  }

  /** The set of this device, if the server has its other half. */
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

  /** The sets of accounts that have used this device before, because the server gives none of them another one. */
  async function others(): Promise<StoredSet[]> {
    return (await store.get<StoredSet[]>('others')) ?? []
  }

  /** Makes a set the one of the account that is logged in, and keeps that of the previous account. */
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
    const set = await current(wallet)
    if (set) return toAccounts(set)
    if (user.recovery?.isAutomatic) return toAccounts(await restore({ ...user, wallet }))
    const locked = await store.get<StoredLock>('locked')
    const isSame = locked?.user.id === user.id && locked.user.epoch === user.epoch
    if (!isSame) {
      const found = await api.send('wallet/methods', {})
      await store.set('locked', { user, methods: found } satisfies StoredLock)
    }
    return toServerAccounts(wallet)
  }

  /** This device's set and the share of the server. */
  async function shares(): Promise<{ set: StoredSet; pair: Pair }> {
    const set = await store.get<StoredSet>('set')
    if (!set) throw new WalletError('This device has no wallet. Sign in again.')
    const { setId, authShare } = await api.send('wallet/share', {})
    if (setId !== set.setId)
      throw new WalletError('The wallet was changed on another device. Sign in again.')
    const device = await unseal(set.key, set.share, `device|${setId}`)
    return { set, pair: [device, decode(authShare)] }
  }

  return {
    // Two tabs that stored new shares at once would overwrite each other's.
    prepare: (user, toWraps) => exclusively('wallet', () => prepareAlone(user, toWraps)),
    async locked() {
      const locked = await store.get<StoredLock>('locked')
      return locked && { ...locked.methods, user: locked.user }
    },
    unlock: (key) =>
      exclusively('wallet', async () => {
        const locked = await store.get<StoredLock>('locked')
        if (!locked?.user.wallet) throw new WalletError('This device has the wallet already.')
        // The epoch may have changed since.
        const user = await api.send('user', {})
        const { wallet } = locked.user
        try {
          return toAccounts(await restore({ ...user, wallet }, key))
        } catch (error) {
          if (error instanceof ChangedMethodsError)
            await store.set('locked', { ...locked, methods: error.methods } satisfies StoredLock)
          throw error
        }
      }),
    changeMethods: ({ user, version, key, isAutomatic, toWraps }) =>
      exclusively('wallet', async () => {
        const { set, pair } = await shares()
        const setId = newId()
        const { id: userId, epoch } = user
        const used = key ?? { id: setId, userId, bytes: crypto.getRandomValues(new Uint8Array(32)) }
        const wraps = await toWraps(used)
        const split = await signer({ name: 'split', shares: pair, address: set.eip155 })
        await adopt(split, {
          setId,
          epoch,
          recovery: { key: used, change: { version, wraps, isAutomatic } },
        })
      }),
    async phrase() {
      const { set, pair } = await shares()
      return signer({ name: 'phrase', shares: pair, address: set.eip155 })
    },
    async sign(request) {
      const { set, pair } = await shares()
      return signer({ name: 'sign', shares: pair, address: set.eip155, request })
    },
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
    async forget() {
      await store.remove('set')
      await store.remove('staged')
      await store.remove('smartAccounts')
      await store.remove('locked')
    },
  }
}

function newId(): string {
  return base64urlnopad.encode(crypto.getRandomValues(new Uint8Array(16)))
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

/** The owner of the smart account as the server says. */
function ownerOf({ smartAccount }: FrameWallet): string | undefined {
  return smartAccount?.kind === smartAccountKind ? smartAccount.owner : undefined
}

function decode(text: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(base64urlnopad.decode(text))
}

export class WalletError extends BaseError {
  override name = 'WalletError'
  constructor(message: string) {
    super(message, { code: 'frame.wallet', docsPath: 'docs/custody.md' })
  }
}

/** The server named another smart account than that of the key. */
class OtherOwnerError extends WalletError {
  override name = 'OtherOwnerError'
  constructor() {
    super(
      'The server showed the address of another smart account for this wallet. Do not use that address, and contact the site.',
    )
  }
}

/** Another device has replaced the recovery key. */
class ChangedMethodsError extends WalletError {
  override name = 'ChangedMethodsError'
  readonly methods: MethodsResponse
  constructor({ recoveryId, version, wraps, isAutomatic }: MethodsResponse) {
    super(
      'The ways to restore this wallet were changed on another device. Close this and try again.',
    )
    this.methods = { recoveryId, version, wraps, isAutomatic }
  }
}
