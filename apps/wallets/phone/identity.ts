/** The phone wallet's name, shown to apps and on its page. */
export const phoneName = 'Gatefold Phone'
