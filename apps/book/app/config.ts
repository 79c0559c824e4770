import { createContext } from 'react-router'

/** The part of the server's configuration that pages use. Contains no secrets. */
export type PublicConfig = {
  /** Public origin of the site. */
  origin: string
  /** Origin of the Gatefold server. */
  gateway: string
  /**
   * Origin of the secure frame, for email and social logins. Without it, the
   * Book offers no such logins.
   */
  frame: string | undefined
  /** Social logins that the frame supports, in display order. */
  socials: readonly string[]
  /** Whether visitors can log in with only a passkey. */
  passkey: boolean
  projectId: string
  /** Supported networks; the first is the default. */
  networks: [Network, ...Network[]]
  /** Whether to install the demo wallets. Their keys are public, so never do so on a public site. */
  demoWallets: boolean
  links: FooterLink[]
  /** URL of a font service's stylesheet; by default, the bundled fonts are used. */
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
  /** Path on this site of the network's hexagonal image. */
  image?: string | undefined
  /** Contracts for name resolution and batched reads. */
  contracts?: Partial<Record<'multicall3' | 'ensUniversalResolver', `0x${string}`>> | undefined
  /**
   * Contracts that may swap and spend tokens, in addition to those that the kit
   * knows.
   */
  swapContracts?: `0x${string}`[] | undefined
}

export type FooterLink = { kind: 'join' | 'website' | 'follow'; label: string; href: string }

/** The configuration for a request, and the nonce for its content security policy. */
export type ServerContext = { config: PublicConfig; nonce: string }

export const serverContext = createContext<ServerContext>()
