export { accounts, type DevAccount, deployer } from './accounts.ts'
export { addresses } from './addresses.ts'
export * from './abis.ts'
export { chainData } from './chainData.ts'
export { gatefoldLocal, gatefoldSecond } from './chains.ts'
export {
  AnvilMissingError,
  ChainPortTakenError,
  ChainRequestError,
  ChainStartError,
} from './errors.ts'
export { type Chain, type ChainId, startChain } from './startChain.ts'
export { startChains } from './startChains.ts'
