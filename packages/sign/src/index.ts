export type * from './KeyValueStore.ts'
export type * from './Session.ts'
export type * from './SignClient.ts'
