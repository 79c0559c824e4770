export { buildPhone } from './build.ts'
export { startPhone } from './server.ts'
