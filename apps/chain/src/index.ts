export {
  accounts,
  bundler,
  type DevAccount,
  deployer,
  faucet,
  sponsor,
  trader,
} from './accounts.ts'
export { addresses } from './addresses.ts'
export * from './abis.ts'
export {
  type AggregatorAddresses,
  deployAggregators,
  setSettlers,
} from './aggregators/deployAggregators.ts'
export { startSwapVendor, type SwapVendor } from './aggregators/startSwapVendor.ts'
export { hasBundler } from './bundler/findAlto.ts'
export { type Bundler, startBundler } from './bundler/startBundler.ts'
export { fundFaucet } from './fundFaucet.ts'
export { chainData, smartAccounts } from './chainData.ts'
export { gatefoldLocal, gatefoldSecond } from './chains.ts'
export {
  AnvilMissingError,
  BundlerMissingError,
  BundlerStartError,
  ChainPortTakenError,
  ChainRequestError,
  ChainStartError,
} from './errors.ts'
export { generateHistory } from './history/generateHistory.ts'
export { hostileToken } from './history/strangers.ts'
export { movePrices, pricePauseMs } from './movePrices.ts'
export { receiptOf } from './receiptOf.ts'
export { type Chain, type ChainId, startChain } from './startChain.ts'
export { startChains } from './startChains.ts'
export { fundSolana } from './solana/fundSolana.ts'
export { testMint } from './solana/funds.ts'
export { solanaLocal } from './solana/solanaLocal.ts'
export { startSolana, startSolanaOnFreePort, type Solana } from './solana/startSolana.ts'
