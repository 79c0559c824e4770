import type { ChainNamespace } from '@gatefold/protocol'

/** The chain families that an account feature serves. @see spec §9.7.3 */
export const featureNamespaces: Record<
  | 'onramp'
  | 'swaps'
  | 'send'
  | 'receive'
  | 'activity'
  | 'tokens'
  | 'names'
  | 'nfts'
  /** Families without an adapter whose balance is read from the network's nodes. @see spec §9.3.4 */
  | 'nodeBalance',
  readonly ChainNamespace.ChainNamespace[]
> = {
  onramp: ['eip155', 'solana'],
  swaps: ['eip155'],
  send: ['eip155', 'solana'],
  receive: ['eip155', 'solana', 'bip122'],
  activity: ['eip155'],
  tokens: ['eip155'],
  names: ['eip155'],
  nfts: ['eip155'],
  nodeBalance: ['solana'],
}
