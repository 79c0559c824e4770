import type { Context } from '../context.ts'
import type { AccessContext } from '../http/access.ts'
import { bindStore, type Bound } from '../storage/frame/bindStore.ts'
import { StorageUnavailableError } from '../storage/StorageUnavailableError.ts'
import * as audit from '../storage/frame/audit.ts'
import * as codes from '../storage/frame/codes.ts'
import * as emails from '../storage/frame/emails.ts'
import * as removals from '../storage/frame/removals.ts'
import { openEscrow, type Escrow } from '../storage/frame/openEscrow.ts'
import * as handovers from '../storage/frame/handovers.ts'
import * as passkeys from '../storage/frame/passkeys.ts'
import * as socials from '../storage/frame/socials.ts'
import * as sponsors from '../storage/frame/sponsors.ts'
import * as sets from '../storage/frame/sets.ts'
import * as users from '../storage/frame/users.ts'
import { refuse } from './answers.ts'
import { createKeys, KeyError, type Keys } from './createKeys.ts'
import type { Providers } from './social/createProviders.ts'
import type { FrameTiming } from './timing.ts'

/** The server's services that the frame uses. */
export type FrameContext = Omit<AccessContext, 'refuse'> &
  Pick<Context, 'bundlers' | 'chains' | 'log' | 'mailer' | 'memory' | 'now' | 'storage'> & {
    config: Pick<
      Context['config'],
      | 'chains'
      | 'dataDir'
      | 'escrowDatabaseUrl'
      | 'escrowKeys'
      | 'frameKeys'
      | 'framePort'
      | 'frameSite'
      | 'frameUrl'
      | 'paymasterKey'
      | 'rpcUrls'
      | 'socials'
      | 'smartAccounts'
    >
    frameTiming?: Partial<FrameTiming> | undefined
  }

const queries = {
  ...audit,
  ...codes,
  ...emails,
  ...removals,
  ...handovers,
  ...passkeys,
  ...sets,
  ...socials,
  ...sponsors,
  ...users,
}

export type FrameStore = Bound<typeof queries>

/** The services that the frame's handlers use. */
export type FrameService = {
  context: FrameContext & Pick<AccessContext, 'refuse'>
  keys: Keys
  escrow: Escrow & { keys: Keys }
  store: FrameStore
  /**
   * The providers of social logins. Their clients are loaded on the first
   * login.
   */
  providers: () => Promise<Providers>
  /** Public origin of the frame. */
  url: () => string
  /** Aborted when the server stops. */
  stopping: AbortSignal
}

/**
 * @throws {KeyError} if the keys cannot be used, are not those of the other processes on the database, or lack one that
 *   encrypts recovery keys in the escrow store.
 */
export async function createFrameService(
  context: FrameContext,
  url: () => string,
  stopping: AbortSignal,
): Promise<FrameService> {
  const { config, storage } = context
  const { dataDir, escrowDatabaseUrl: databaseUrl } = config
  const keys = createKeys({ file: config.frameKeys, dataDir, name: 'frame.keys' })
  const escrowKeys = createKeys({ file: config.escrowKeys, dataDir, name: 'escrow.keys' })
  const store = bindStore(storage.db, queries)
  const escrow = { ...openEscrow({ databaseUrl, dataDir }), keys: escrowKeys }
  await checkKeys(store, keys)
  await checkEscrowKeys(context, escrow)
  let providers: Promise<Providers> | undefined
  const loadProviders = async () =>
    (await import('./social/createProviders.ts')).createProviders(config.socials, context.now)
  return {
    context: { ...context, refuse },
    keys,
    escrow,
    store,
    providers: async () => (providers ??= loadProviders()),
    url,
    stopping,
  }
}

/** With other keys, this process could not decrypt the shares, and would refuse the codes of other processes. */
async function checkKeys(store: FrameStore, keys: Keys) {
  await refuseOtherKeys()
  await store.addKeyId(keys.ids[0]!)
  // Another process may have stored its key's id in the meantime.
  await refuseOtherKeys()

  async function refuseOtherKeys() {
    const missing = (await store.listKeyIds()).filter((id) => !keys.ids.includes(id))
    if (missing.length > 0)
      throw new KeyError(
        `The keys of the secure frame lack the key ${missing.join(', ')}, which the database needs.`,
        'Give every process the same file in GATEFOLD_FRAME_KEYS, and keep replaced keys as additional lines.',
      )
  }
}

/**
 * Without a key that is in use, wallets with automatic recovery could not be restored. This would be noticed only at
 * the next restore. The process also starts while the escrow store is unavailable, because only automatic recovery
 * needs it.
 */
async function checkEscrowKeys(
  { log }: Pick<FrameContext, 'log'>,
  escrow: FrameService['escrow'],
): Promise<void> {
  const used = await escrow.listKeyIds().catch((error: unknown) => {
    if (!(error instanceof StorageUnavailableError)) throw error
    log.warn({ err: error }, 'the keys of the escrow store were not checked')
    return []
  })
  const missing = used.filter((id) => !escrow.keys.ids.includes(id))
  if (missing.length === 0) return
  await escrow.close()
  throw new KeyError(
    `The keys of the escrow store lack the key ${missing.join(', ')}, which encrypts recovery keys in its database.`,
    'Restore the file in GATEFOLD_ESCROW_KEYS, by default escrow.keys in the data folder, from its backup, or add the replaced key to it as another line.',
  )
}
