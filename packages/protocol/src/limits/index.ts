/**
 * The constants of the specification's section 9 and of the wire, with their units. `docs/limits.md` lists
 * them; a check compares both. One module per topic, so that pages load only what they use.
 */
export * from './account.ts'
export * from './defaults.ts'
export * from './directory.ts'
export * from './http.ts'
export * from './pairing.ts'
export * from './relay.ts'
export * from './ui.ts'
export * from './verify.ts'
export * from './wallet.ts'
