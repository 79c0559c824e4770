/** The process of the local Solana chain. Reports its port over the IPC channel, and exits with its parent. */
import { serveSolana } from './serveSolana.ts'

process.once('disconnect', () => process.exit())
// Ctrl-C reaches all processes of the terminal, but the parent stops this one.
process.on('SIGINT', () => {})
try {
  const { port } = await serveSolana({ port: Number(process.argv[2] ?? 0) })
  process.send?.({ port })
} catch (error) {
  const { code, message } = error as { code?: string; message?: string }
  process.send?.({ error: { code, message } })
  process.disconnect()
}
