import type { KeyValueStore } from '@gatefold/sign'
import { Core } from '@walletconnect/core'
import { WalletKit, type IWalletKit } from '@reown/walletkit'
import { UniversalProvider } from '@walletconnect/universal-provider'
import { SignClient as SignClient3 } from 'sign-client-2.21.3'
import { SignClient as SignClient8 } from 'sign-client-2.21.8'
import { vi } from 'vitest'

/**
 * The official clients in the two generations of the wire: 2.21.3 subscribes and publishes by itself,
 * 2.21.8 leaves that to the relay's `wc_proposeSession` and `wc_approveSession`. The kit (1.2.10) is
 * what wallets build upon, with the newer wire.
 */
export type OfficialVersion = '2.21.3' | '2.21.8' | 'walletkit'

export type OfficialOptions = {
  /** `ws://…` of the relay under test. */
  relayUrl: string
  name?: string
  /** Where its links are opened, for link mode. @see openLinks.ts */
  universal?: string | undefined
  projectId?: string
  /** Folder of the client's storage; in memory unless told. */
  database?: string
  /** Instead of a folder: what a page keeps, each value as JSON under its key. */
  store?: KeyValueStore | undefined
  disableRequestQueue?: boolean
  /** Who is asked about origins. @see useLocalVerify */
  verifyUrl?: string
}

type Client = InstanceType<typeof SignClient8>

export type Official = {
  version: OfficialVersion
  client: Client
  kit?: IWalletKit | undefined
  /** Ends it without a word to anyone, as a process that is killed. */
  close: () => Promise<void>
}

/** Opens an official client. No socket opens before it has something to say. */
export async function openOfficial(
  version: OfficialVersion,
  options: OfficialOptions,
): Promise<Official> {
  // Otherwise the second client of a process is the first one. Read when a core is made.
  process.env['DISABLE_GLOBAL_CORE'] = 'true'
  const { disableRequestQueue = false } = options
  const metadata = metadataOf(options)
  const signConfig = { disableRequestQueue }
  if (version === 'walletkit') {
    const core = new Core(coreOptions(options))
    const kit: IWalletKit = await WalletKit.init({ core, metadata, signConfig })
    const client = kit.engine.signClient as unknown as Client
    useLocalVerify(client, options)
    return { version, client, kit, close: () => close(client) }
  }
  const SignClient = version === '2.21.3' ? SignClient3 : SignClient8
  const initial = { ...coreOptions(options), metadata, signConfig }
  const client = (await SignClient.init(initial)) as unknown as Client
  useLocalVerify(client, options)
  return { version, client, close: () => close(client) }
}

/** The provider (2.21.8) that apps and AppKit build upon. */
export async function openProvider(options: OfficialOptions) {
  process.env['DISABLE_GLOBAL_CORE'] = 'true'
  const metadata = metadataOf(options)
  const provider = await UniversalProvider.init({ ...coreOptions(options), metadata })
  const client: Client = provider.client
  useLocalVerify(client, options)
  await isSettled(client)
  return { provider, close: () => close(client) }
}

export function metadataOf(options: Pick<OfficialOptions, 'name' | 'universal'>) {
  const { name = 'Client', universal } = options
  const url = universal ? new URL(universal).origin : 'http://localhost:3000'
  const redirect = universal ? { redirect: { universal, linkMode: true } } : {}
  return { name, description: `${name} of a test`, url, icons: [], ...redirect }
}

function coreOptions(options: OfficialOptions) {
  const { relayUrl, projectId = 'default', database = ':memory:', store } = options
  return {
    relayUrl,
    projectId,
    logger: 'silent',
    telemetryEnabled: false,
    storageOptions: { database },
    ...(store && { storage: toStorage(store) }),
  }
}

function toStorage(store: KeyValueStore) {
  async function getItem<value>(key: string): Promise<value | undefined> {
    const text = await store.getItem(key)
    return text === undefined ? undefined : (JSON.parse(text) as value)
  }
  return {
    getItem,
    getKeys: async () => [...(await store.getKeys())],
    getEntries: async <value = unknown>() =>
      Promise.all(
        (await store.getKeys()).map(async (key): Promise<[string, value]> => [
          key,
          (await getItem<value>(key))!,
        ]),
      ),
    setItem: (key: string, value: unknown) => store.setItem(key, JSON.stringify(value)),
    removeItem: (key: string) => store.removeItem(key),
  }
}

/**
 * For a verify service it has no option, only these fields. The built-in host costs up to 5 s for each
 * message where it cannot be reached; an official client that is that slow in its first second takes a
 * message twice, and then shows no further request.
 */
function useLocalVerify({ core }: Client, { relayUrl, verifyUrl }: OfficialOptions) {
  const url = verifyUrl ?? relayUrl.replace('ws', 'http')
  Object.assign(core.verify, { verifyUrlV3: url, getVerifyUrl: () => url })
}

/**
 * Resolves when a client has gone through what it had not handled before. It does so a second after it
 * was opened, and takes what it is handling at that moment twice: a request is then shown no more, and
 * a session that is deleted rejects a promise that nobody holds.
 */
export async function isSettled(client: Client) {
  const { sessionRequestQueue } = client.engine as unknown as {
    sessionRequestQueue: { queue: unknown }
  }
  const before = sessionRequestQueue.queue
  await vi.waitUntil(() => sessionRequestQueue.queue !== before, { timeout: 20_000 })
}

/** It has no call of its own for that. */
async function close(client: Client) {
  client.core.heartbeat.stop()
  await client.core.relayer.transportClose()
}
