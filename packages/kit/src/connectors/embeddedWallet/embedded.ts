import type { ChainNamespace } from '@gatefold/protocol'

import type {
  Connector,
  ConnectorContext,
  SessionConnector,
} from '../../core/connection/Connector.ts'
import { addViewRules } from '../../core/view/rules.ts'
import type { ViewRules } from '../../core/view/rules.ts'
import { lazy } from '../../core/kit/lazy.ts'
import type { EmbeddedClient } from './createClient.ts'
import { embeddedId } from './id.ts'
import { wasLoginUsed } from './loginRecords.ts'

/** The embedded wallet's connector, with the client that its views use. */
export type EmbeddedConnector = SessionConnector & {
  /** Runs a function with the client, which is loaded on first use. */
  withClient<result>(run: (client: EmbeddedClient) => Promise<result>): Promise<result>
  /** The client, if it is loaded. */
  client(): EmbeddedClient | undefined
}

/** The views before a login; the others show the account. */
const viewRules: ViewRules = {
  ConnectSocials: {},
  ConnectingFarcaster: { onNetworkChange: 'stay', clears: 'attempt' },
  ConnectingSocial: { onNetworkChange: 'stay', clears: 'attempt' },
  EmailLogin: {},
  EmailVerifyDevice: { onNetworkChange: 'stay' },
  EmailVerifyOtp: { onNetworkChange: 'stay', clears: 'attempt' },
}

const families: readonly ChainNamespace.ChainNamespace[] = ['eip155', 'solana']

/**
 * Connects the wallet that a visitor has in the secure frame, after a login by e-mail or with a social account. Its
 * session can serve several chain families. Reads storage only; the frame and its client are loaded to log in, or if the
 * visitor logged in before.
 *
 * @param loadViews - loads the views and connect methods
 * @param loadClient - replaced by tests
 * @returns undefined if no frame is configured, or no configured family has keys in it
 * @see spec §2.14, §4.11–§4.14
 */
export function createEmbedded(
  context: ConnectorContext,
  loadViews: () => Promise<unknown>,
  loadClient = () => import('./chunks/client.ts'),
): EmbeddedConnector | undefined {
  const { options } = context
  const chains = context.namespaces.filter((namespace) => families.includes(namespace))
  const [chain] = chains
  if (!options.endpoints.frame || !chain) return undefined
  addViewRules(viewRules)
  let client: EmbeddedClient | undefined
  let isDestroyed = false
  const load = lazy(loadClient)
  const withClient: EmbeddedConnector['withClient'] = (run) =>
    load(async ({ createClient }) => {
      client ??= createClient({ ...context, namespaces: chains })
      if (isDestroyed) client.destroy()
      return run(client)
    })
  return {
    id: embeddedId,
    name: 'Email wallet',
    type: 'AUTH',
    chain,
    chains,
    loadViews,
    withClient,
    client: () => client,
    preload: () => withClient(async () => {}),
    connect: (parameters) => withClient((it) => it.connect(parameters)),
    restore: async () =>
      (client ?? wasLoginUsed()) ? withClient((it) => it.restore()) : undefined,
    async disconnect() {
      if (client ?? wasLoginUsed()) await withClient((it) => it.disconnect())
    },
    destroy() {
      isDestroyed = true
      client?.destroy()
    },
  }
}

/** Finds the embedded wallet's connector of an instance; undefined if the instance has none. */
export function embeddedOf(kit: {
  connectors: ReadonlyMap<string, Connector>
}): EmbeddedConnector | undefined {
  return kit.connectors.get(embeddedId) as EmbeddedConnector | undefined
}
