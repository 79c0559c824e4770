import { fileURLToPath } from 'node:url'
import { buildBook } from '@gatefold/book'
import { buildFrame } from '@gatefold/frame/build'
import { buildPhone } from '@gatefold/wallets/phone'
import { buildPackages } from './packages/buildPackages.ts'

// npm run build: builds the sites and the published packages. Development runs from source without a
// build.
for (const [site, build] of [
  ['book', buildBook],
  ['secure frame', buildFrame],
  ['phone wallet', buildPhone],
] as const) {
  console.log(`${site}: ${(await build()) ? 'built' : 'up to date'}`)
}
for (const name of await buildPackages(fileURLToPath(new URL('..', import.meta.url)))) {
  console.log(`${name}: built`)
}
