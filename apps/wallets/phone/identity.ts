/** The phone wallet's name, shown by apps and on the wallet's page. */
export const phoneName = 'Gatefold Phone'
