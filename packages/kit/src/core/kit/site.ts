/** The site, as wallets show it when they ask the visitor to connect or sign. */
export type Metadata = {
  /** The site's name. */
  name: string
  /** One sentence about the site. */
  description: string
  /** The site's URL with its scheme. Wallets warn the visitor if its origin is not that of the page. */
  url: string
  /** URLs of square icons with their schemes, at least 192 px wide. Wallets use the first. */
  icons: readonly string[]
}

/** Origins of your servers. A server that is not listed is never contacted. */
export type Endpoints = {
  /** The wallet directory, remote features, analytics and the JSON-RPC proxy. */
  gateway?: string | undefined
  /** The relay for wallets on other devices; turns WalletConnect on. */
  relay?: string | undefined
  /** The service that attests to wallets which page sent a request. */
  verify?: string | undefined
  /**
   * The secure frame with the wallets of email and social logins. It needs a
   * separate origin, and the connector from `@gatefold/kit/embedded`.
   */
  frame?: string | undefined
}
