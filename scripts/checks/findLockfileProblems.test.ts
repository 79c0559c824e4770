import { describe, expect, it } from 'vitest'
import { findLockfileProblems } from './findLockfileProblems.ts'
import { makeTree } from './makeTree.ts'

function problems(packages: object, manifest: object = {}) {
  return findLockfileProblems(
    makeTree({
      'package.json': { workspaces: ['packages/*'] },
      'packages/kit/package.json': { name: '@gatefold/kit', ...manifest },
      'package-lock.json': { packages },
    }),
  )
}

describe('lockfile', () => {
  it.each([
    ['@walletconnect/core', '2.21.8', '2.21.9'],
    ['@walletconnect/universal-provider', '2.21.3', '2.22.0'],
    ['@reown/walletkit', '1.2.10', '1.2.11'],
    ['@reown/appkit', '1.7.15', '1.7.16'],
    ['@reown/appkit-ui', '1.7.15', '1.8.0'],
  ])('%s may be %s and not %s', (name, open, closed) => {
    expect(problems({ [`node_modules/${name}`]: { version: open } })).toEqual([])
    expect(problems({ [`node_modules/a/node_modules/${name}`]: { version: closed } })).toEqual([
      expect.stringContaining(`${name}@${closed} is newer than`),
    ])
  })

  it('may not contain download URLs', () => {
    const resolved = 'https://registry.example/a.tgz'
    expect(problems({ 'node_modules/a': { version: '1.0.0', resolved } })).toEqual([
      'package-lock.json has a URL for node_modules/a',
    ])
    expect(problems({ 'node_modules/a': { link: true, resolved: 'packages/a' } })).toEqual([])
  })
})

describe('packages for other platforms', () => {
  const tool = { version: '1.0.0', optionalDependencies: { 'tool-for-mars': '1.0.0' } }

  it('may be installed next to the tool or above it', () => {
    expect(
      problems({
        'node_modules/a/node_modules/tool': tool,
        'node_modules/tool-for-mars': { version: '1.0.0' },
      }),
    ).toEqual([])
  })

  it('error: must not be missing', () => {
    expect(problems({ 'node_modules/tool': tool })).toEqual([
      'package-lock.json lacks tool-for-mars@1.0.0, which node_modules/tool names',
    ])
  })
})

describe('versions', () => {
  it.each(['1.2.3', '18.4.0-beta.17', '$viem', 'npm:@scope/a@1.2.3'])('%s is exact', (version) => {
    expect(problems({}, { dependencies: { a: version } })).toEqual([])
  })

  it.each(['^1.2.3', '~1.2.3', '1.x', '*', 'latest', '>=1.0.0', '1.2.3 || 2', 'github:a/b'])(
    '%s is not exact',
    (version) => {
      expect(problems({}, { devDependencies: { a: version } })).toEqual([
        `packages/kit/package.json: devDependencies has a at "${version}", not an exact version`,
      ])
      expect(problems({}, { peerDependencies: { a: version } })).toEqual([])
    },
  )
})
