/** Fields of a wallet listing that are a string, null or absent. */
export const walletTextFields = [
  /** Path parameter of `GET /getWalletImage/{image_id}`. */
  'image_id',
  'image_url',
  'homepage',
  'mobile_link',
  'desktop_link',
  'webapp_link',
  /** Universal link for requests in link mode. */
  'link_mode',
  'app_store',
  'play_store',
  'chrome_store',
  /** The reverse domain name that the wallet announces through EIP-6963. */
  'rdns',
  /** `certified` or `none`. */
  'badge_type',
] as const
