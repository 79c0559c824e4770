/** The phone wallet's name, for apps and for its page. */
export const phoneName = 'Gatefold Phone'
