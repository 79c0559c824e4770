/** What the phone wallet calls itself, to apps and on its page. */
export const phoneName = 'Gatefold Phone'
