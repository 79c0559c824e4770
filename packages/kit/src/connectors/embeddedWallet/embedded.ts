import type {
  Connector,
  ConnectorContext,
  SessionConnector,
} from '../../core/connection/Connector.ts'
import { addViewRules } from '../../core/view/rules.ts'
import type { ViewRules } from '../../core/view/rules.ts'
import { lazyClient } from '../lazyClient.ts'
import type { LazyClient } from '../lazyClient.ts'
import type { EmbeddedClient } from './createClient.ts'
import { embeddedFamilies, embeddedId } from './id.ts'
import { wasLoginUsed } from './loginRecords.ts'
import type * as RedirectResult from './redirectResult.ts'

/** The embedded wallet's connector. */
export type EmbeddedConnector = SessionConnector & {
  /** The client, which its views use. */
  readonly client: LazyClient<EmbeddedClient>
}

/** The views before a login; all others show the account. */
const viewRules: ViewRules = {
  ConnectSocials: {},
  ConnectingFarcaster: { onNetworkChange: 'stay', clears: 'attempt' },
  ConnectingPasskey: { onNetworkChange: 'stay', clears: 'attempt' },
  ConnectingSocial: { onNetworkChange: 'stay', clears: 'attempt' },
  EmailLogin: {},
  EmailVerifyDevice: { onNetworkChange: 'stay' },
  EmailVerifyOtp: { onNetworkChange: 'stay', clears: 'attempt' },
}

/**
 * Connects the wallet that a visitor has in the secure frame, after a login by
 * email, with a social account or a passkey. Its session can serve several
 * chain families. Initially reads only storage; the frame and its client are
 * loaded when the visitor logs in, or has logged in before.
 *
 * @param loadViews - loads the views and connect methods
 * @param loadClient - replaced by tests
 * @returns undefined if no frame is configured, or the frame has keys for none
 *   of the configured families
 * @see spec §2.14, §4.11–§4.14
 */
export function createEmbedded(
  context: ConnectorContext,
  loadViews: () => Promise<unknown>,
  loadClient: () => Promise<{
    createClient: (context: ConnectorContext) => EmbeddedClient
  }> = () => import('./chunks/client.ts'),
): EmbeddedConnector | undefined {
  const { options } = context
  const chains = context.namespaces.filter((namespace) => embeddedFamilies.includes(namespace))
  const networks = () =>
    context.allNetworks().filter(({ chainNamespace }) => embeddedFamilies.includes(chainNamespace))
  const families = () =>
    embeddedFamilies.filter((family) => networks().some((one) => one.chainNamespace === family))
  const [chain] = chains
  if (!options.endpoints.frame || !chain) return undefined
  addViewRules(viewRules)
  const client = lazyClient<EmbeddedClient>(async () => {
    const { createClient } = await loadClient()
    // The session serves all families, including those without an adapter.
    return () => createClient({ ...context, namespaces: families(), networks })
  })
  const showResult = ({ takeRedirectResult }: typeof RedirectResult) => {
    const result = takeRedirectResult(new URL(options.endpoints.frame!).origin)
    if (!result) return
    const { provider, uri: resultUri } = result
    context.prompt({ view: 'ConnectingSocial', data: { provider, resultUri }, onDismiss() {} })
  }
  const hasLogin = () => Boolean(client.current() ?? wasLoginUsed())
  return {
    id: embeddedId,
    name: 'Email or social wallet',
    type: 'AUTH',
    chain,
    chains,
    loadViews,
    client,
    start() {
      // The visitor has returned from a provider; the code for this is loaded
      // only in that case.
      if (typeof location === 'undefined') return
      if (new URLSearchParams(location.search).has('result_uri'))
        import('./redirectResult.ts').then(showResult, () => {}) // the visitor logs in again
    },
    preload: () => client.use(async () => {}),
    connect: (parameters) => client.use((it) => it.connect(parameters)),
    restore: async () => (hasLogin() ? client.use((it) => it.restore()) : undefined),
    async disconnect() {
      if (hasLogin()) await client.use((it) => it.disconnect())
    },
    destroy: () => client.destroy(),
  }
}

/** Finds the embedded wallet's connector of an instance; undefined if the instance has none. */
export function embeddedOf(kit: {
  connectors: ReadonlyMap<string, Connector>
}): EmbeddedConnector | undefined {
  return kit.connectors.get(embeddedId) as EmbeddedConnector | undefined
}
