import { interpolate } from './interpolate.ts'

/**
 * Messages for the site's developer: what happened, and what to change. They are always logged, and shown in the
 * modal with `debug`. `docs/troubleshooting.md` lists them.
 *
 * @see spec §8.8.1, §8.2
 */
export const alertCatalog = {
  INVALID_APP_CONFIGURATION: {
    level: 'error',
    message: 'Invalid App Configuration',
    hint: 'Project {projectId} does not allow the origin {origin}.',
  },
  SWITCH_NETWORK_NOT_FOUND: {
    level: 'error',
    message: 'Network Not Found',
    hint: 'Add the network {networkId} to the networks passed to createGatefold.',
  },
  ORIGIN_NOT_ALLOWED: {
    level: 'error',
    message: 'Origin Not Allowed',
    hint: 'The project {projectId} on {server} does not allow {origin}. Add it to the project’s origins: gatefold project set {projectId} --origin {origin}, with one --origin for each origin to keep.',
  },
  IFRAME_LOAD_FAILED: {
    level: 'error',
    message: 'Network Error: Could not load embedded wallet',
    hint: 'Check that endpoints.frame is reachable and allows this origin.',
  },
  IFRAME_REQUEST_TIMEOUT: {
    level: 'error',
    message: 'Embedded Wallet Request Timed Out',
    hint: 'The secure frame did not respond in time.',
  },
  UNVERIFIED_DOMAIN: {
    level: 'error',
    message: 'Unverified Domain',
    hint: 'The embedded wallet did not load, because the project {projectId} does not allow {origin}. Add it to the project’s origins: gatefold project set {projectId} --origin {origin}, with one --origin for each origin to keep.',
  },
  JWT_TOKEN_NOT_VALID: {
    level: 'error',
    message: 'Session Expired',
    hint: 'Check that this device’s clock is correct.',
  },
  INVALID_PROJECT_ID: {
    level: 'error',
    message: 'Invalid Project ID',
    hint: 'The server {server} has no active project {projectId}. Correct `projectId`, or create the project: gatefold project create {projectId} --origin {origin}.',
  },
  PROJECT_ID_NOT_CONFIGURED: {
    level: 'error',
    message: 'Project ID Not Configured',
    hint: "No `projectId` is set, and the default project on {server} does not allow {origin}. Create a project: gatefold project create my-site --origin {origin}. Then pass projectId: 'my-site'.",
  },
  PROJECT_ID_NOT_NEEDED: {
    level: 'info',
    message: 'Project ID Not Configured',
    hint: 'The default project on {server} allows {origin}, so none is needed here. A server on another machine needs one.',
  },
  PROJECT_ID_UNUSED: {
    level: 'warning',
    message: 'Project ID Not Needed',
    hint: '`projectId` has no effect without a server. Remove it, or set `endpoints` to the origin of your server, for example http://localhost:3001.',
  },
  SERVER_UNREACHABLE: {
    level: 'error',
    message: 'Server Not Reachable',
    hint: '{server} did not respond. Start the server (gatefold serve) or correct `endpoints`. If the page has a Content Security Policy, its connect-src must allow {server}.',
  },
  NOT_A_SERVER: {
    level: 'error',
    message: 'Not A Gatefold Server',
    hint: '{server} responded, but not as a Gatefold server: {message} Set `endpoints` to the origin of the server; during development it is http://localhost:3001.',
  },
  RELAY_REFUSED: {
    level: 'error',
    message: 'Relay Refused The Page',
    hint: '{relay} refused the connection: {message}. If pages reach the server at this URL, add it to GATEFOLD_RELAY_URLS on the server.',
  },
  NETWORK_WITHOUT_RPC: {
    level: 'warning',
    message: 'Network Without RPC',
    hint: '{server} has no RPC URL for {network}. Add {networkId} to GATEFOLD_RPC_URLS on the server. Until then, the page uses the other RPC URLs of {network}.',
  },
  RPC_OF_ANOTHER_CHAIN: {
    level: 'warning',
    message: 'RPC Of Another Network',
    hint: 'The RPC URL on {host} is set for {network} ({networkId}) but serves the chain {chainId}. Correct it in the network’s definition, `customRpcUrls` or GATEFOLD_RPC_URLS.',
  },
  RPC_UNREACHABLE: {
    level: 'warning',
    message: 'Network Not Reachable',
    hint: "No RPC URL of {network} works ({reasons}), so balances and names are missing. Start the node, or set customRpcUrls: { '{networkId}': [{ url: 'https://…' }] }.",
  },
  WALLET_WITHOUT_NETWORK: {
    level: 'warning',
    message: 'Network Not Supported By Wallet',
    hint: '{wallet} supports none of this site’s networks: {networks}. Add one of them to the wallet, or add a network that the wallet supports to `networks`.',
  },
  SWITCH_REFUSED: {
    level: 'warning',
    message: 'Chain is not supported',
    hint: '{wallet} neither switched to {network} nor added it: {message} Check the id, the name and the RPC URLs of the network; many wallets add a network only if its RPC URL starts with https:// and returns its chain id.',
  },
  METADATA_URL_MISMATCH: {
    level: 'warning',
    message: 'Metadata URL Mismatch',
    hint: '`metadata.url` is {url}, but the page is on {origin}. Wallets that verify the origin warn the visitor of a domain mismatch. Set `metadata.url` to location.origin.',
  },
  SERVER_ERROR_APP_CONFIGURATION: { level: 'error', message: 'Server Error', hint: '{message}' },
  RATE_LIMITED_APP_CONFIGURATION: {
    level: 'error',
    message: 'Rate Limited',
    hint: 'The gateway is rejecting requests. Try again later.',
  },
  LOCAL_CONFIGURATION_IGNORED: {
    level: 'warning',
    message: 'Local configuration ignored',
    hint: 'The gateway overrides {features}. Manage features on the project dashboard.',
  },
  MULTI_WALLET_NOT_ENABLED: {
    level: 'info',
    message: 'Multi-wallet is not enabled',
    hint: 'Enable the multiWallet feature to keep several wallets connected.',
  },
  STORAGE_PROBLEM: {
    level: 'warning',
    message: 'Stored data could not be used',
    hint: '{message} The page continues without it.',
  },
} as const satisfies Record<string, { level: AlertLevel; message: string; hint: string }>

/** How serious an alert is. */
export type AlertLevel = 'info' | 'success' | 'warning' | 'error'
/** The code of an alert. */
export type AlertCode = keyof typeof alertCatalog
/** A message for the site's developer. */
export type Alert = {
  /** A stable word. */
  code: AlertCode
  /** How serious it is. */
  level: AlertLevel
  /** What happened. */
  message: string
  /** What to change. */
  hint: string
}

/** Raises an alert for the site's developer. An alert with the same values is raised once. */
export type AlertEvent = {
  type: 'alert'
  /** The alert. */
  code: AlertCode
  /** The values of the placeholders in its hint. */
  values?: Record<string, string> | undefined
}

/** Creates an alert from the catalog. */
export function createAlert(code: AlertCode, values: Record<string, string> = {}): Alert {
  const { level, message, hint } = alertCatalog[code]
  return {
    code,
    level,
    message,
    hint: interpolate(hint, values),
  }
}
