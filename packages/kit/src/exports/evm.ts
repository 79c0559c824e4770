export { evm } from '../adapters/evm/evm.ts'
export type { EvmAdapter, EvmOptions } from '../adapters/evm/context.ts'
export { evmConfig } from '../adapters/evm/evmConfig.ts'
