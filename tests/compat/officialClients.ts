import { Core } from '@walletconnect/core'
import type { SignClientTypes } from '@walletconnect/types'
import { WalletKit, type IWalletKit } from '@reown/walletkit'
import { SignClient as SignClient3 } from 'sign-client-2.21.3'
import { SignClient as SignClient8 } from 'sign-client-2.21.8'

/**
 * The official clients in the two generations of the wire: 2.21.3 subscribes and publishes by itself,
 * 2.21.8 leaves that to the relay's `wc_proposeSession` and `wc_approveSession`.
 */
export const appVersions = ['2.21.3', '2.21.8'] as const
export type AppVersion = (typeof appVersions)[number]

/** Wallets in both generations; the kit is what wallets build upon, with the newer wire. */
export const walletVersions = ['2.21.3', '2.21.8', 'walletkit 1.2.10'] as const
export type WalletVersion = (typeof walletVersions)[number]

export type SignClient = InstanceType<typeof SignClient8>
type Namespaces = Parameters<SignClient['approve']>[0]['namespaces']
type Response = Parameters<SignClient['respond']>[0]['response']
type Acknowledged = { acknowledged: () => Promise<void> }

export type OfficialApp = { version: AppVersion; client: SignClient; close(): Promise<void> }

/** What a test asks of a wallet, whichever it is. */
export type OfficialWallet = {
  version: WalletVersion
  /** For its events, its stores and what is not below. */
  client: SignClient
  pair(uri: string): Promise<void>
  /** @returns the topic of the session. */
  approve(id: number, namespaces: Namespaces): Promise<string>
  reject(id: number): Promise<void>
  respond(topic: string, response: Response): Promise<void>
  update(topic: string, namespaces: Namespaces): Promise<Acknowledged>
  extend(topic: string): Promise<Acknowledged>
  emit(topic: string, chainId: string, event: { name: string; data: unknown }): Promise<void>
  disconnect(topic: string): Promise<void>
  close(): Promise<void>
}

export type ClientOptions = {
  /** `ws://…` of the relay under test. */
  relayUrl: string
  projectId?: string
  /** SQLite file of the client's storage; in memory unless told. */
  database?: string
}

const userRejected = { code: 5000, message: 'User rejected.' }
const userDisconnected = { code: 6000, message: 'User disconnected.' }

/** Opens an official app. No socket opens before it has something to say. */
export async function openApp(version: AppVersion, options: ClientOptions): Promise<OfficialApp> {
  const client = await openSignClient(version, options, 'App')
  return { version, client, close: () => close(client) }
}

/** Opens an official wallet. */
export async function openWallet(
  version: WalletVersion,
  options: ClientOptions,
): Promise<OfficialWallet> {
  if (version === 'walletkit 1.2.10') return openWalletKit(options)
  const client = await openSignClient(version, options, 'Wallet')
  return {
    version,
    client,
    pair: async (uri) => void (await client.pair({ uri })),
    async approve(id, namespaces) {
      const { topic, acknowledged } = await client.approve({ id, namespaces })
      await acknowledged()
      return topic
    },
    reject: (id) => client.reject({ id, reason: userRejected }),
    respond: (topic, response) => client.respond({ topic, response }),
    update: (topic, namespaces) => client.update({ topic, namespaces }),
    extend: (topic) => client.extend({ topic }),
    emit: (topic, chainId, event) => client.emit({ topic, chainId, event }),
    disconnect: (topic) => client.disconnect({ topic, reason: userDisconnected }),
    close: () => close(client),
  }
}

async function openWalletKit(options: ClientOptions): Promise<OfficialWallet> {
  const core = new Core(coreOptions(options))
  const kit: IWalletKit = await WalletKit.init({
    core,
    metadata: metadata('Wallet'),
  })
  const client = kit.engine.signClient as unknown as SignClient
  return {
    version: 'walletkit 1.2.10',
    client,
    pair: (uri) => kit.pair({ uri }),
    approve: async (id, namespaces) => (await kit.approveSession({ id, namespaces })).topic,
    reject: (id) => kit.rejectSession({ id, reason: userRejected }),
    respond: (topic, response) => kit.respondSessionRequest({ topic, response }),
    update: (topic, namespaces) => kit.updateSession({ topic, namespaces }),
    extend: (topic) => kit.extendSession({ topic }),
    emit: (topic, chainId, event) => kit.emitSessionEvent({ topic, chainId, event }),
    disconnect: (topic) => kit.disconnectSession({ topic, reason: userDisconnected }),
    close: () => close(client),
  }
}

async function openSignClient(
  version: AppVersion,
  options: ClientOptions,
  name: string,
): Promise<SignClient> {
  const Client = version === '2.21.3' ? SignClient3 : SignClient8
  const client = await Client.init({ ...coreOptions(options), metadata: metadata(name) })
  return client as unknown as SignClient
}

function coreOptions({ relayUrl, projectId = 'default', database = ':memory:' }: ClientOptions) {
  // Otherwise the second client of a process is the first one. Read when a core is made.
  process.env['DISABLE_GLOBAL_CORE'] = 'true'
  return {
    relayUrl,
    projectId,
    logger: 'silent',
    telemetryEnabled: false,
    storageOptions: { database },
  }
}

function metadata(name: string) {
  return { name, description: `${name} of a test`, url: 'http://localhost:3000', icons: [] }
}

/** Ends a client; it has no call of its own for that. */
async function close(client: SignClient) {
  client.core.heartbeat.stop()
  await client.core.relayer.transportClose()
}

/** The next event of a client. */
export function next<Event extends SignClientTypes.Event>(
  client: SignClient,
  event: Event,
): Promise<SignClientTypes.EventArguments[Event]> {
  return new Promise((resolve) => client.once(event, resolve))
}
