/** Starts the built book: `node --conditions=@gatefold/source src/main.ts`. Port from `PORT`. */
import { startBook } from './server.ts'

const book = await startBook({ port: Number(process.env['PORT'] ?? 3000), env: process.env })
process.stdout.write(`Book of Ethereum: ${book.url}\n`)
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void book.stop())
}
