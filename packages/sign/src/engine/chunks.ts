import { lazy } from '../lazy.ts'

// Chunks that an app does not need to connect and to send requests (docs/adr/0006).

/** The wallet's side, link mode, and records that an official client left behind. */
export const loadDeferred = lazy(() => import('./deferred.ts'))

/** For apps that request a sign-in. */
export const loadAuthenticateApp = lazy(() => import('./authenticate/app.ts'))

/** For wallets that answer a sign-in request. */
export const loadAuthenticateWallet = lazy(() => import('./authenticate/wallet.ts'))

/** Signature verification: secp256k1 and ABI encoding. */
export const loadVerifyCacao = lazy(() => import('../auth/verifyCacao.ts'))
