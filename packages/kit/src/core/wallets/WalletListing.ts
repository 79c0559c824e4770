/**
 * A wallet of the directory, as the wire spells it.
 *
 * @see spec §3.5; contracts/gateway.md §3.1
 */
export type WalletListing = {
  id: string
  name: string
  image_id?: string | undefined
  image_url?: string | undefined
  homepage?: string | undefined
  mobile_link?: string | null | undefined
  desktop_link?: string | null | undefined
  webapp_link?: string | null | undefined
  link_mode?: string | null | undefined
  app_store?: string | null | undefined
  play_store?: string | null | undefined
  chrome_store?: string | null | undefined
  rdns?: string | null | undefined
  chains?: readonly string[] | undefined
  order?: number | undefined
  badge_type?: string | undefined
}

/** Where a page of the directory came from, and how many wallets there are in all. */
export type WalletPage = {
  wallets: readonly WalletListing[]
  count: number
  /** False when no server answered and the bundled directory was used instead. */
  online: boolean
}
