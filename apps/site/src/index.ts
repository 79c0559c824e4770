export { buildOnce } from './buildOnce.ts'
export { serveFiles } from './files.ts'
export { listen, loopback, type RunningSite } from './listen.ts'
export { runBin } from './runBin.ts'
