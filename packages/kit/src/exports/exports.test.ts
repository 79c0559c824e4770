import { mainnet } from 'viem/chains'
import { expect, test } from 'vitest'

import * as chains from './chains.ts'
import * as core from './core.ts'
import * as embedded from './embedded.ts'
import * as evm from './evm.ts'
import * as index from './index.ts'
import * as react from './react.ts'
import { wagmiHooks } from './testing/wagmiHooks.ts'

/** Snapshots make changes to the public API visible in review. */
test.each([
  ['@gatefold/kit', index],
  [
    '@gatefold/kit/core',
    Object.fromEntries(Object.entries(core).filter(([key]) => !(key in index))),
  ],
  ['@gatefold/kit/chains', chains],
  ['@gatefold/kit/embedded', embedded],
  ['@gatefold/kit/evm', evm],
  ['@gatefold/kit/react', react],
])('the exports of %s', (entry, module) => {
  expect(Object.keys(module).toSorted()).toMatchSnapshot(entry)
})

test('no hook has the same name as a wagmi hook', () => {
  expect(Object.keys(react).filter((name) => wagmiHooks.includes(name))).toEqual([])
})

test('an instance has only the public members', () => {
  const kit = index.createGatefold({
    metadata: { name: 'Book', description: '', url: 'https://book.example', icons: [] },
    networks: [mainnet],
    storage: index.memoryStorage(),
  })
  expect(Object.keys(kit).toSorted()).toEqual([
    'close',
    'destroy',
    'getInitialState',
    'getState',
    'on',
    'open',
    'prefetch',
    'ready',
    'start',
    'subscribe',
  ])
  kit.destroy()
})
