import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readPages } from './readPages.ts'
import { renderPages } from './renderApi.ts'

// npm run docs:api: writes the API reference into docs/api. `npm test` checks that it is up to date.
const root = fileURLToPath(new URL('../..', import.meta.url))
const folder = join(root, 'docs/api')
rmSync(folder, { recursive: true, force: true })
mkdirSync(folder, { recursive: true })
for (const [file, text] of renderPages(readPages(root))) {
  writeFileSync(join(folder, file), text)
  console.log(`docs/api/${file}`)
}
