import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startStack, type Stack } from '@gatefold/tests/stack'

// npm start: chains, server, book and phone wallet on their usual ports, until Ctrl-C. npm run dev: the same,
// with the book from its sources.
const root = fileURLToPath(new URL('..', import.meta.url))
const dev = process.argv.includes('--dev')

const began = Date.now()
let stack: Stack | undefined
let stopping = false

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void stop())

console.log(
  dev ? 'Starting, the book from its sources' : 'Starting (a changed book is built first)',
)
try {
  stack = await startStack({
    phone: true,
    ports: { chains: [8545, 8546], server: 3001, book: 3000, phone: 3003 },
    dataDir: join(root, '.gatefold'),
    dev,
    showOutput: true,
    onReady: (part, url) => console.log(`  ${part.padEnd(12)} ${url}`),
  })
  console.log(
    `\nThe Book of Ethereum is open at ${stack.book?.url ?? ''} (${secondsSince(began)} s)`,
  )
  console.log('Ctrl-C stops everything.')
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
}
if (stopping) await stop()

/** Stops in order; a stop that is asked for while things start is done when they have. */
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
