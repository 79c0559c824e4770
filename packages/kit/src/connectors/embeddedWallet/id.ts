/** The connector's id, the same as in AppKit. */
export const embeddedId = 'AUTH'
