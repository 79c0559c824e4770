/** Texts of Account and ProfileWallets. */
export const accountText = {} as const
