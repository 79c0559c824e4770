import { addresses } from './addresses.ts'

/** What a Gatefold server needs to know about a local chain: the value of an entry in `GATEFOLD_CHAINS`. */
function describeChain(name: string) {
  return {
    name,
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    multicall3: addresses.multicall3,
    ensUniversalResolver: addresses.ensUniversalResolver,
    wrapped: addresses.weth,
    uniswap: {
      factory: addresses.uniswapV3Factory,
      quoter: addresses.uniswapV3QuoterV2,
      router: addresses.uniswapSwapRouter02,
      v2Factory: addresses.uniswapV2Factory,
    },
    dollars: [addresses.usdc],
    tokens: [
      { address: addresses.weth, name: 'Wrapped Ether', symbol: 'WETH', decimals: 18 },
      { address: addresses.usdc, name: 'USD Coin', symbol: 'USDC', decimals: 6, permit: true },
      { address: addresses.usdt, name: 'Tether USD', symbol: 'USDT', decimals: 6 },
      { address: addresses.book, name: 'Book', symbol: 'BOOK', decimals: 18 },
    ],
    collections: [
      { address: addresses.nft, standard: 'erc721' as const },
      { address: addresses.bookmarks, standard: 'erc1155' as const, tokenIds: ['1', '2'] },
    ],
  }
}

/** The value of the server's setting `GATEFOLD_CHAINS` for the local chains. */
export const chainData = {
  'eip155:31337': describeChain('Gatefold Local'),
  'eip155:31338': describeChain('Gatefold Second'),
}

/** The contracts of smart accounts, whose addresses differ from those on public chains. */
const smartAccount = {
  module: addresses.safe4337Module,
  setup: addresses.safeModuleSetup,
  paymaster: addresses.paymaster,
}

/** The value of the server's setting `GATEFOLD_SMART_ACCOUNTS` for the local chains. */
export const smartAccounts = {
  'eip155:31337': smartAccount,
  'eip155:31338': smartAccount,
}
