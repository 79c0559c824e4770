import { BaseError } from '@gatefold/protocol'
import type { FrameUser, FrameWallet, RecoveryResponse } from '@gatefold/protocol/frame'
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
import type { Hex } from 'viem'
import type { Modules } from '../smartAccount/smartAccountOf.ts'
import type { NewShares, Pair, SignRequest } from '../signer/operations.ts'
import type { Signer } from '../signer/createSigner.ts'
import type { Store } from '../store/createStore.ts'
import { exclusively } from '../store/exclusively.ts'

/** The accounts of the wallet. */
export type Accounts = Pick<FrameWallet, 'eip155' | 'solana'> & {
  /** The owner of the smart account. The server does not store it. */
  owner: string
}

/** The wallet of the user on this device. */
export type Wallet = {
  /**
   * Makes the wallet usable on this device: creates it for a new user, and restores it on a new device if that needs
   * nothing from the visitor.
   */
  prepare(user: FrameUser): Promise<Accounts>
  /** Signs with the key. The visitor must have approved it. */
  sign(request: SignRequest): Promise<string>
  /** The accounts that were recorded on this device. */
  accounts(): Promise<Accounts | undefined>
  /** The address of the smart account of this wallet with the modules of a network. */
  smartAccount(owner: string, modules: Modules): Promise<Hex>
  /** Forgets the shares of this device. */
  forget(): Promise<void>
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
export function createWallet(options: { api: Api; store: Store; signer: Signer }): Wallet {
  const { api, store, signer } = options

  /** Stores new shares: staged, read back, compared, committed. Only then do they replace the previous ones. */
  async function adopt(shares: NewShares, epoch: number): Promise<StoredSet> {
    const setId = base64urlnopad.encode(crypto.getRandomValues(new Uint8Array(16)))
    const recoveryKey = crypto.getRandomValues(new Uint8Array(32))
    const context = `recovery|${setId}`
    const sealedRecovery = joinSealed(
      await seal(await toSealingKey(recoveryKey), shares.recovery, context),
    )
    const key = await createSealingKey()
    const { eip155, owner, solana } = shares
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
      request: { kind: 'set', set: { setId, epoch, eip155, solana } },
    })
    await api.send('wallet/stage', {
      setId,
      epoch,
      eip155,
      solana,
      signature,
      authShare: base64urlnopad.encode(shares.auth),
      recoveryShare: base64urlnopad.encode(sealedRecovery),
      wraps: [],
      recoveryKey: base64urlnopad.encode(recoveryKey),
    })
    const staged = await api.send('wallet/staged', { setId })
    const auth = decode(staged.authShare)
    const recovery = await unseal(
      await toSealingKey(recoveryKey),
      splitSealed(decode(staged.recoveryShare)),
      context,
    )
    const stored = await store.get<StoredSet>('staged')
    if (stored?.setId !== setId) throw new WalletError('Another tab is changing the wallet.')
    const device = await unseal(stored.key, stored.share, `device|${setId}`)
    for (const pair of [
      [device, auth],
      [auth, recovery],
      [device, recovery],
    ] as Pair[])
      await signer({ name: 'check', shares: pair, address: eip155 })
    await api.send('wallet/commit', { setId })
    await use(set)
    await store.remove('staged')
    return set
  }

  async function create(epoch: number): Promise<StoredSet> {
    return adopt(await signer({ name: 'create' }), epoch)
  }

  /**
   * Restores the wallet with the share of the server and the recovery share. Tries the sets of other devices in turn,
   * because one of them can be damaged.
   */
  async function restore(wallet: FrameWallet, epoch: number): Promise<StoredSet> {
    const skip: string[] = []
    let failure: unknown
    while (skip.length < maxSets) {
      const found = await api.send('wallet/recovery', { skip }).catch((error: unknown) => {
        // There are no further sets.
        if (failure !== undefined && error instanceof ApiError && error.status < 500)
          return undefined
        throw error
      })
      if (!found) break
      try {
        return await adopt(await resplit(found, wallet), epoch)
      } catch (error) {
        if (error instanceof ApiError) throw error
        failure = error
        skip.push(found.setId)
      }
    }
    throw failure
  }

  async function resplit(found: RecoveryResponse, wallet: FrameWallet): Promise<NewShares> {
    if (!found.isAutomatic)
      throw new WalletError('This wallet is restored with a password or a passkey.')
    const { recoveryKey } = await api.send('wallet/escrow', { setId: found.setId })
    const recovery = await unseal(
      await toSealingKey(decode(recoveryKey)),
      splitSealed(decode(found.recoveryShare)),
      `recovery|${found.setId}`,
    )
    return signer({
      name: 'split',
      shares: [decode(found.authShare), recovery],
      address: wallet.eip155,
    })
  }

  /** The set of this device, if the server has its other half. */
  async function current(wallet: FrameWallet): Promise<StoredSet | undefined> {
    const set = await store.get<StoredSet>('set')
    if (set?.setId === wallet.setId) return set
    // A commit whose response did not arrive.
    const staged = await store.get<StoredSet>('staged')
    if (staged !== undefined && staged.setId === wallet.setId) {
      await use(staged)
      await store.remove('staged')
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

  async function prepareAlone(user: FrameUser): Promise<Accounts> {
    let { wallet } = user
    if (!wallet) {
      try {
        return toAccounts(await create(user.epoch))
      } catch (error) {
        // Another device of the user was faster. A user never has two wallets.
        if (!(error instanceof ApiError) || error.reason !== 'wallet_exists') throw error
        wallet = (await api.send('user', {})).wallet
        if (!wallet) throw error
      }
    }
    return toAccounts((await current(wallet)) ?? (await restore(wallet, user.epoch)))
  }

  return {
    // Two tabs that stored new shares at once would overwrite each other's.
    prepare: (user) => exclusively('wallet', () => prepareAlone(user)),
    async sign(request) {
      const set = await store.get<StoredSet>('set')
      if (!set) throw new WalletError('This device has no wallet. Sign in again.')
      const { setId, authShare } = await api.send('wallet/share', {})
      if (setId !== set.setId)
        throw new WalletError('The wallet was changed on another device. Sign in again.')
      const device = await unseal(set.key, set.share, `device|${setId}`)
      return signer({
        name: 'sign',
        shares: [device, decode(authShare)],
        address: set.eip155,
        request,
      })
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
    },
  }
}

function toAccounts({ eip155, owner, solana }: Accounts): Accounts {
  return { eip155, owner, solana }
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
