/**
 * The known chain families.
 *
 * @see CAIP-2 namespace; spec §3.18, §5.10.9
 */
export const chainNamespaces = ['eip155', 'solana', 'polkadot', 'bip122', 'cosmos'] as const

export type ChainNamespace = (typeof chainNamespaces)[number]

/** The default family. viem's chain definitions do not name a family, and are EVM chains. */
export const defaultNamespace: ChainNamespace = 'eip155'

/** Whether a value is the namespace of a known chain family. */
export function is(value: unknown): value is ChainNamespace {
  return chainNamespaces.includes(value as ChainNamespace)
}
