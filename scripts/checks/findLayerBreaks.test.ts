import { describe, expect, it } from 'vitest'
import { findLayerBreaks } from './findLayerBreaks.ts'
import { makeTree } from './makeTree.ts'

const names = ['protocol', 'sign', 'kit', 'frame', 'server']
const manifests = {
  'package.json': { workspaces: ['packages/*', 'apps/*', 'tests'] },
  ...Object.fromEntries(
    names.map((name) => [`packages/${name}/package.json`, { name: `@gatefold/${name}` }]),
  ),
  'apps/chain/package.json': { name: '@gatefold/chain' },
  'tests/package.json': { name: '@gatefold/tests' },
}

function problems(path: string, specifier: string) {
  return findLayerBreaks(makeTree({ ...manifests, [path]: `import type {} from '${specifier}'` }))
}

describe('layers of packages', () => {
  it.each([
    ['packages/kit/src/a.ts', '@gatefold/protocol'],
    ['packages/kit/src/a.ts', '@gatefold/sign'],
    ['packages/kit/src/a.test.ts', '@gatefold/chain'],
    ['packages/server/src/a.ts', '@gatefold/protocol/gateway'],
    ['packages/server/src/a.ts', 'node:fs'],
    ['packages/kit/src/a.test.ts', 'node:fs'],
    ['tests/a.ts', '@gatefold/server'],
  ])('%s may import %s', (path, specifier) => {
    expect(problems(path, specifier)).toEqual([])
  })

  it.each([
    ['packages/kit/src/a.ts', '@gatefold/server', '@gatefold/kit may import @gatefold/sign'],
    ['packages/kit/src/a.test.ts', '@gatefold/server', '@gatefold/kit may import'],
    ['packages/server/src/a.ts', '@gatefold/kit/core', '@gatefold/server may import'],
    ['packages/frame/src/a.ts', '@gatefold/kit', '@gatefold/frame may import'],
    ['packages/protocol/src/a.ts', '@gatefold/sign', '@gatefold/protocol may import no other'],
    ['packages/kit/src/a.ts', '@gatefold/chain', '@gatefold/kit may import'],
    ['packages/kit/src/a.ts', 'node:fs', 'its package runs in browsers'],
  ])('%s may not import %s', (path, specifier, message) => {
    expect(problems(path, specifier)).toEqual([expect.stringContaining(message)])
  })
})

describe('layers inside kit', () => {
  const inKit = (path: string, specifier: string) => problems(`packages/kit/src/${path}`, specifier)

  it.each([
    ['exports/index.ts', '../createGatefold.ts'],
    ['createGatefold.ts', './adapters/evm/a.ts'],
    ['ui/views/Connect.tsx', '../../react/useView.ts'],
    ['ui/views/Connect.tsx', '../parts/Button.tsx'],
    ['react/useView.ts', '../core/view.ts'],
    ['adapters/evm/a.ts', '../../core/adapter.ts'],
    ['clients/gateway.ts', '../data/wallets.ts'],
    ['ui/views/walletConnect/ByApp.tsx', '../../../connectors/walletConnect/open.ts'],
    ['core/view.test.ts', '../adapters/evm/a.ts'],
  ])('%s may import %s', (path, specifier) => {
    expect(inKit(path, specifier)).toEqual([])
  })

  it.each([
    ['core/view.ts', '../ui/Modal.tsx', "kit's core may import no other"],
    ['core/view.ts', '../clients/gateway.ts', "kit's core may import no other"],
    ['core/actions/connect.ts', '../../adapters/evm/a.ts', "kit's core may import no other"],
    ['react/useView.ts', '../ui/Modal.tsx', "kit's react may import core"],
    ['ui/Modal.tsx', '../clients/gateway.ts', "kit's ui may import core, react"],
    ['ui/views/account/A.tsx', '../../../connectors/walletConnect/a.ts', 'ui may import core'],
    ['core/view.ts', '../createGatefold.ts', 'imports a file in src'],
    ['ui/Modal.tsx', '../exports/index.ts', 'imports exports'],
  ])('%s may not import %s', (path, specifier, message) => {
    expect(inKit(path, specifier)).toEqual([expect.stringContaining(message)])
  })
})
