/**
 * A wallet's entry in the directory, or a wallet in the option `customWallets`. The property names are those of the
 * gateway's responses.
 *
 * @example
 * const wallet: WalletListing = {
 *   id: 'my-wallet',
 *   name: 'My Wallet',
 *   image_url: 'https://wallet.example/icon.svg',
 *   mobile_link: 'mywallet://',
 *   homepage: 'https://wallet.example',
 * }
 */
export type WalletListing = {
  /** 64 hex characters; any unique text for a custom wallet. */
  id: string
  /** The wallet's name. */
  name: string
  /** Id of the icon on the gateway. */
  image_id?: string | null | undefined
  /** URL of the icon. */
  image_url?: string | null | undefined
  /** The wallet's web site. */
  homepage?: string | null | undefined
  /** The base of links to the phone app: a URL scheme such as `mywallet://`, or an `https` link. */
  mobile_link?: string | null | undefined
  /** The base of links to the desktop app. */
  desktop_link?: string | null | undefined
  /** The base of links to the web app. */
  webapp_link?: string | null | undefined
  /** Universal link for requests in link mode. */
  link_mode?: string | null | undefined
  /** The app in Apple's App Store. */
  app_store?: string | null | undefined
  /** The app in Google Play. */
  play_store?: string | null | undefined
  /** The extension in the Chrome Web Store. */
  chrome_store?: string | null | undefined
  /** The reverse domain name that the wallet announces (EIP-6963). */
  rdns?: string | null | undefined
  /** `certified` or `none`. */
  badge_type?: string | null | undefined
  /** CAIP-2 ids of the chains that the wallet supports. */
  chains?: readonly string[] | null | undefined
  /** Position in the directory, lowest first. */
  order?: number | null | undefined
  /** How to recognize the wallet's injected provider. */
  injected?:
    | readonly {
        /** The chain family. */
        namespace?: string | null | undefined
        /** Name of a property that is `true` on the provider, such as `isMetaMask`. */
        injected_id?: string | null | undefined
      }[]
    | null
    | undefined
}

/** A page of the directory. */
export type WalletPage = {
  /** The wallets of the page. */
  wallets: readonly WalletListing[]
  /** The number of matching wallets on all pages. */
  count: number
  /** False if the page comes from the bundled directory, because there is no gateway or the request failed. */
  online: boolean
}
