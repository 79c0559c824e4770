import { fileURLToPath } from 'node:url'
import { buildBook } from '@gatefold/book'
import { buildPhone } from '@gatefold/wallets/phone'
import { buildPackages } from './packages/buildPackages.ts'

// npm run build: what is served or published. Here everything runs from its sources.
for (const [site, build] of [
  ['book', buildBook],
  ['phone wallet', buildPhone],
] as const) {
  console.log(`${site}: ${(await build()) ? 'built' : 'nothing changed since the last build'}`)
}
for (const name of await buildPackages(fileURLToPath(new URL('..', import.meta.url)))) {
  console.log(`${name}: built`)
}
