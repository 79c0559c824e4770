import type { KeyValueStore } from '@gatefold/sign'
import { Core } from '@walletconnect/core'
import { WalletKit, type IWalletKit } from '@reown/walletkit'
import { UniversalProvider } from '@walletconnect/universal-provider'
import { SignClient as SignClient3 } from 'sign-client-2.21.3'
import { SignClient as SignClient8 } from 'sign-client-2.21.8'
import { vi } from 'vitest'

/**
 * The official clients of both wire generations. Clients like 2.21.3 subscribe and publish; clients
 * like 2.21.8 use the relay's `wc_proposeSession` and `wc_approveSession`. WalletKit 1.2.10, which
 * wallets use, belongs to the newer generation.
 */
export type OfficialVersion = '2.21.3' | '2.21.8' | 'walletkit'

export type OfficialOptions = {
  /** `ws://…` of the relay under test. */
  relayUrl: string
  name?: string
  /** The client's universal link; turns link mode on. @see openLinks.ts */
  universal?: string | undefined
  projectId?: string
  /** Folder of the client's storage; in memory by default. */
  database?: string
  /** A store to use instead of a folder, as in a page. Values are JSON. */
  store?: KeyValueStore | undefined
  disableRequestQueue?: boolean
  /** URL of the verify service. @see useLocalVerify */
  verifyUrl?: string
}

type Client = InstanceType<typeof SignClient8>

export type Official = {
  version: OfficialVersion
  client: Client
  kit?: IWalletKit | undefined
  /** Stops the client without notifying its peers, as a killed process would. */
  close: () => Promise<void>
}

/** Opens an official client. It opens a socket when it needs one. */
export async function openOfficial(
  version: OfficialVersion,
  options: OfficialOptions,
): Promise<Official> {
  // Otherwise all clients in a process share one core. The variable is read when a core is created.
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

/** The provider (2.21.8) that apps and AppKit use. */
export async function openProvider(options: OfficialOptions) {
  process.env['DISABLE_GLOBAL_CORE'] = 'true'
  const metadata = metadataOf(options)
  const provider = await UniversalProvider.init({ ...coreOptions(options), metadata })
  const client: Client = provider.client
  useLocalVerify(client, options)
  await whenSettled(client)
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
 * Sets the verify service's URL, for which clients have no option. If the built-in host is
 * unreachable, each message waits up to 5 s. A client that is still waiting one second after its
 * start handles that message twice and then emits no further requests.
 */
function useLocalVerify({ core }: Client, { relayUrl, verifyUrl }: OfficialOptions) {
  const url = verifyUrl ?? relayUrl.replace('ws', 'http')
  Object.assign(core.verify, { verifyUrlV3: url, getVerifyUrl: () => url })
}

/**
 * Resolves once a client has handled its stored messages. A client does this one second after it
 * was opened. If it is already handling a message at that moment, it handles the message twice: it
 * then emits no further requests, or, if the message deletes the session, a promise rejection is
 * unhandled.
 */
export async function whenSettled(client: Client) {
  const { sessionRequestQueue } = client.engine as unknown as {
    sessionRequestQueue: { queue: unknown }
  }
  const before = sessionRequestQueue.queue
  await vi.waitUntil(() => sessionRequestQueue.queue !== before, { timeout: 20_000 })
}

/** Official clients have no close method. */
async function close(client: Client) {
  client.core.heartbeat.stop()
  await client.core.relayer.transportClose()
}
