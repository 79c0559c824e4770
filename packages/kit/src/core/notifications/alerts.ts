import { interpolate } from './interpolate.ts'

/**
 * Messages for the site's developer. They are always logged, and shown in the modal with `debug`.
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
    hint: 'Add {origin} to the allowed origins of project {projectId}.',
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
    hint: 'Add this domain to the project.',
  },
  JWT_TOKEN_NOT_VALID: {
    level: 'error',
    message: 'Session Expired',
    hint: 'Check that this device’s clock is correct.',
  },
  INVALID_PROJECT_ID: {
    level: 'error',
    message: 'Invalid Project ID',
    hint: 'The gateway at {gateway} has no project {projectId}.',
  },
  PROJECT_ID_NOT_CONFIGURED: {
    level: 'error',
    message: 'Project ID Not Configured',
    hint: 'The gateway uses its default project for this site. Pass a projectId to createGatefold to use another.',
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

export type AlertLevel = 'info' | 'success' | 'warning' | 'error'
export type AlertCode = keyof typeof alertCatalog
export type Alert = { code: AlertCode; level: AlertLevel; message: string; hint: string }

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
