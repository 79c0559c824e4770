import type { ChainNamespace } from '@gatefold/protocol'

/** The connector's id, the same as in AppKit. */
export const embeddedId = 'AUTH'

/** The chain families whose keys the frame has. */
export const embeddedFamilies: readonly ChainNamespace.ChainNamespace[] = ['eip155', 'solana']
