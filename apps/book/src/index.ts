export { buildBook } from './build.ts'
export { ConfigError, readConfig, type Config } from './config.ts'
export { startBookDev } from './dev.ts'
export { startBook, type BookOptions, type RunningBook } from './server.ts'
