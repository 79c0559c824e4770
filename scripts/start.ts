import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { hasBundler } from '@gatefold/chain'
import { startStack, type Stack } from '@gatefold/tests/stack'

// npm start: runs the chains, the server, the Book and the phone wallet on their default ports
// until Ctrl-C. npm run dev does the same, but serves the Book from its sources. With --history, the chains start with
// 2,000 transactions; with --prices, the prices in their pools move.
const root = fileURLToPath(new URL('..', import.meta.url))
const dev = process.argv.includes('--dev')
const history = process.argv.includes('--history')
const prices = process.argv.includes('--prices')

const startedAt = Date.now()
let stack: Stack | undefined
let stopping = false

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void stop())

console.log(
  dev
    ? 'Starting; serving the Book from its sources'
    : 'Starting; building the Book if it has changed',
)
const ports = {
  chains: [8545, 8546] as [number, number],
  solana: 8899,
  server: 3001,
  frame: 3002,
  book: 3000,
  phone: 3003,
  google: 3004,
}
const wanted: Record<string, number> = {
  'chain 31337': ports.chains[0],
  'chain 31338': ports.chains[1],
  solana: ports.solana,
  gateway: ports.server,
  frame: ports.frame,
  book: ports.book,
  phone: ports.phone,
  google: ports.google,
}
try {
  stack = await startStack({
    // LiteSVM has no binary for Windows.
    solana: process.platform !== 'win32',
    frame: true,
    socials: 'google',
    bundler: hasBundler(),
    phone: true,
    names: true,
    history,
    prices,
    ports,
    dataDir: join(root, '.gatefold'),
    dev,
    showOutput: true,
    onReady(name, url) {
      const port = wanted[name]
      const isTaken = port !== undefined && new URL(url).port !== String(port)
      const note = isTaken ? `  (port ${port} is in use by another program)` : ''
      console.log(`  ${name.padEnd(12)} ${url}${note}`)
    },
  })
  console.log(
    `\nThe Book of Ethereum is open at ${stack.book?.url ?? ''} (${secondsSince(startedAt)} s)`,
  )
  if (!hasBundler())
    console.log(
      'Wallets have no smart accounts: install the bundler with npm run bundler -w @gatefold/chain',
    )
  const extras = [
    history && 'the chains have a history of 2,000 transactions',
    prices && 'their prices move every 10 s',
  ].filter(Boolean)
  if (extras.length > 0) console.log(`Local life: ${extras.join('; ')}.`)
  console.log('Ctrl-C stops everything.')
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
}
if (stopping) await stop()

/** Stops everything; a signal during startup takes effect once the stack is up. */
async function stop() {
  stopping = true
  if (!stack) return
  const running = stack
  stack = undefined
  console.log('\nStopping')
  await running.stop()
  process.exit(0)
}

function secondsSince(start: number) {
  return ((Date.now() - start) / 1000).toFixed(1)
}
