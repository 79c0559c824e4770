/** Starts the built phone wallet on `PORT` and `PHONE_HOST`. */
import { startPhone } from './server.ts'

const phone = await startPhone({
  port: Number(process.env['PORT'] ?? 3003),
  hostname: process.env['PHONE_HOST'],
  env: process.env,
})
process.stdout.write(`Phone wallet: ${phone.url}\n`)
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void phone.stop())
}
