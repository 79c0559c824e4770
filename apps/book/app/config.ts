import { createContext } from 'react-router'

/** What a page needs to know of the server's configuration. Holds nothing secret. */
export type PublicConfig = {
  /** Where the site is reached, without a slash at the end. */
  origin: string
  /** Gatefold server: wallet directory, images, names. */
  gateway: string
  projectId: string
  /** Networks a visitor may use; the first is the one the book runs on. */
  networks: [Network, ...Network[]]
  /** Offer the demo wallets, which hold test keys. Never on a public site. */
  demoWallets: boolean
  links: FooterLink[]
  /** Stylesheet of the font service; without one the bundled fonts are used. */
  fontStylesheet: string | undefined
}

export type Network = {
  /** EIP-155 chain id. */
  id: number
  name: string
  rpcUrl: string
  symbol: string
  decimals: number
  testnet: boolean
  explorerUrl?: string | undefined
  /** Path of its six-sided picture on this site. */
  image?: string | undefined
  /** Contracts that reading names and batches needs. */
  contracts?: Partial<Record<'multicall3' | 'ensUniversalResolver', `0x${string}`>> | undefined
}

export type FooterLink = { kind: 'join' | 'website' | 'follow'; label: string; href: string }

/** One request: the configuration it is answered with and the nonce of its policy. */
export type Visit = { config: PublicConfig; nonce: string }

export const visitContext = createContext<Visit>()
