export * from './api.ts'
export * from './appMessages.ts'
export * from './rpcMethods.ts'
export * from './setText.ts'
