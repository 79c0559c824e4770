/** Runs both local chains until it is told to end, or until the program that started it ends. */
import { gatefoldLocal, gatefoldSecond } from './chains.ts'
import { startChains } from './startChains.ts'

const chains = await startChains()
console.log(`${gatefoldLocal().name} (${chains.local.chainId}) on ${chains.local.url}`)
console.log(`${gatefoldSecond().name} (${chains.second.chainId}) on ${chains.second.url}`)

const stop = () => void chains.stop().then(() => process.exit())
process.once('SIGINT', stop)
process.once('SIGTERM', stop)
// Only where the starter keeps a channel open (`stdio: [..., 'ipc']`).
process.once('disconnect', stop)
void Promise.race([chains.local.ended, chains.second.ended]).then(stop)
