import { keyOf } from '../../chainData/ChainData.ts'
import type { EvmChain } from '../../evm/createEvmChain.ts'

export const sandboxId = 'sandbox'

/** The chains on which the sandbox pays out tokens: those of the local stack. */
export const localChains: ReadonlySet<string> = new Set(['eip155:31337', 'eip155:31338'])

/** A token that the sandbox sells on a chain. `contract` is empty for the native currency. */
export type SandboxToken = { symbol: string; name: string; decimals: number; contract: string }

/** The native currency of a chain, and the tokens that count as one dollar. */
export function tokensOf({ data }: Pick<EvmChain, 'data'>): SandboxToken[] {
  const dollars = data.tokens.filter(({ address }) =>
    data.dollars.some((dollar) => keyOf(dollar) === keyOf(address)),
  )
  return [
    { ...data.nativeCurrency, contract: '' },
    ...dollars.map(({ address, name, symbol, decimals }) => ({
      symbol,
      name,
      decimals,
      contract: address,
    })),
  ]
}
