export { readConfig, settings, ConfigError, type Config } from './config.ts'
export { startServer, type RunningServer } from './main.ts'
