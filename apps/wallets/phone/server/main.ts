/** Starts the built phone wallet: `node --conditions=@gatefold/source src/phone/main.ts`. Port from `PORT`. */
import { startPhone } from './server.ts'

const phone = await startPhone({ port: Number(process.env['PORT'] ?? 3003), env: process.env })
process.stdout.write(`Phone wallet: ${phone.url}\n`)
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void phone.stop())
}
