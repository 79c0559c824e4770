import { fileURLToPath } from 'node:url'
import { startChain } from '@gatefold/chain'
import { launchBrowser } from '../browser.ts'
import { followDocument, packAsDocumented } from './firstHour.ts'
import { readDocuments } from './readDocuments.ts'

// npm run firstHour: creates a Vite app and a Next app from the documents' code blocks, as a reader does, with
// the latest scaffolding tools, and prints how long each step takes. `-- vite` creates only the Vite app.
const root = fileURLToPath(new URL('../..', import.meta.url))
const apps = process.argv.length > 2 ? process.argv.slice(2) : ['vite', 'next']

const { blocks } = readDocuments(root)
const checkout = await packAsDocumented(root, blocks)
const browser = await launchBrowser()
const chain = await startChain()
try {
  for (const app of apps) {
    const { steps, problems } = await followDocument({
      blocks,
      app,
      checkout: checkout.path,
      browser,
      chain,
      isLatest: true,
    })
    const total = steps.reduce((sum, { ms }) => sum + ms, 0)
    for (const { step, ms } of [...steps, { step: 'in total', ms: total }])
      console.log(`${app.padEnd(6)}${(ms / 1000).toFixed(1).padStart(7)} s  ${step}`)
    for (const problem of problems) console.log(`${app.padEnd(6)} in the console: ${problem}`)
    if (problems.length > 0) process.exitCode = 1
  }
} finally {
  await chain.stop()
  await browser.close()
  checkout.remove()
}
