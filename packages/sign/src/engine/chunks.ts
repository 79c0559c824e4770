import { lazy } from '../lazy.ts'

// Chunks that an app does not need to connect or to send requests. See docs/adr/0006-app-loads-no-wallet-code.md.

/**
 * The wallet's side, link mode, the eviction of records, and code for records that an official client or an earlier page
 * stored.
 */
export const loadDeferred = lazy(() => import('./deferred.ts'))

/** For apps that request a sign-in. */
export const loadAuthenticateApp = lazy(() => import('./authenticate/app.ts'))

/** For wallets that respond to a sign-in request. */
export const loadAuthenticateWallet = lazy(() => import('./authenticate/wallet.ts'))

/** Signature verification: secp256k1 and ABI encoding. */
export const loadVerifyCacao = lazy(() => import('../auth/verifyCacao.ts'))
