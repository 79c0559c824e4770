export { buildOnce } from './buildOnce.ts'
export { serveFiles } from './files.ts'
export { listen, type RunningSite } from './listen.ts'
export { runBin } from './runBin.ts'
