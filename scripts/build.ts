import { fileURLToPath } from 'node:url'
import { buildBook } from '@gatefold/book'
import { buildPackages } from './packages/buildPackages.ts'

// npm run build: what is served or published. Here everything runs from its sources.
const built = await buildBook()
console.log(`book: ${built ? 'built' : 'nothing changed since the last build'}`)
for (const name of await buildPackages(fileURLToPath(new URL('..', import.meta.url)))) {
  console.log(`${name}: built`)
}
