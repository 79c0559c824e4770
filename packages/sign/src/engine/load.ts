import { loadPart } from '../loadPart.ts'

// What is not needed to connect and to ask comes in chunks of its own. Each throws a `LoadError`.

/** The wallet's side, links, what official clients left. */
export const loadSeldom = () => loadPart(import('./seldom.ts'))

/** An app that asks for a sign-in. */
export const loadAuthenticateApp = () => loadPart(import('./authenticate/app.ts'))

/** A wallet that is asked for one. */
export const loadAuthenticateWallet = () => loadPart(import('./authenticate/wallet.ts'))

/** What was signed is checked: elliptic curves of another kind, and ABI. */
export const loadVerifyCacao = () => loadPart(import('../auth/verifyCacao.ts'))
