/** Starts the built Book on `PORT` and `BOOK_HOST`. */
import { startBook } from './server.ts'

const book = await startBook({
  port: Number(process.env['PORT'] ?? 3000),
  hostname: process.env['BOOK_HOST'],
  env: process.env,
})
process.stdout.write(`Book of Ethereum: ${book.url}\n`)
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void book.stop())
}
