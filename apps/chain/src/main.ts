/** Runs the local chains until a signal, until the parent's IPC channel closes, or until one of them exits. */
import { gatefoldLocal, gatefoldSecond } from './chains.ts'
import { solanaLocal } from './solana/solanaLocal.ts'
import { startSolanaOnFreePort } from './solana/startSolana.ts'
import { startChains } from './startChains.ts'

const [chains, solana] = await Promise.all([startChains(), startSolanaOnFreePort()])
console.log(`${gatefoldLocal().name} (${chains.local.chainId}) on ${chains.local.url}`)
console.log(`${gatefoldSecond().name} (${chains.second.chainId}) on ${chains.second.url}`)
console.log(`${solanaLocal.name} on ${solana.url}`)

const stop = () => void Promise.all([chains.stop(), solana.stop()]).then(() => process.exit())
process.once('SIGINT', stop)
process.once('SIGTERM', stop)
// Sent only if the parent opened an IPC channel (`stdio: [..., 'ipc']`).
process.once('disconnect', stop)
void Promise.race([chains.local.ended, chains.second.ended, solana.ended]).then(stop)
