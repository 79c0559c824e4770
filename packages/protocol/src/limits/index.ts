/**
 * The constants from section 9 of the specification and from the wire contracts, with their units.
 * `docs/limits.md` lists them, and a check compares the two. There is one module per topic, so that pages
 * load only what they use.
 */
export * from './account.ts'
export * from './defaults.ts'
export * from './directory.ts'
export * from './frame.ts'
export * from './http.ts'
export * from './money.ts'
export * from './names.ts'
export * from './nfts.ts'
export * from './pairing.ts'
export * from './relay.ts'
export * from './ui.ts'
export * from './verify.ts'
export * from './wallet.ts'
