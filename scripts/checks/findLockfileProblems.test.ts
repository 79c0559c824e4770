import { describe, expect, it } from 'vitest'
import { findLockfileProblems } from './findLockfileProblems.ts'
import { makeTree } from './makeTree.ts'

const integrity = `sha512-${'A'.repeat(86)}==`

/** Adds an `integrity` to entries that have none, then reports the problems. */
function problems(packages: object, manifest: object = {}) {
  const hashed = Object.entries(packages).map(([path, entry]) => [path, { integrity, ...entry }])
  return problemsOf(Object.fromEntries(hashed), manifest)
}

function problemsOf(packages: object, manifest: object = {}) {
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
  ])('allows %s %s, but not %s', (name, open, closed) => {
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

it('reads the lockfile of the mutation tests too', () => {
  const entry = { version: '1.0.0', integrity: 'sha1-x' }
  const root = makeTree({
    'package.json': { workspaces: [] },
    'package-lock.json': { packages: {} },
    'tests/mutate/package.json': { devDependencies: { a: '^1.0.0' } },
    'tests/mutate/package-lock.json': { packages: { 'node_modules/a': entry } },
  })
  expect(findLockfileProblems(root)).toEqual([
    'tests/mutate/package-lock.json has no sha512 integrity for node_modules/a',
    'tests/mutate/package.json: devDependencies has a at "^1.0.0", not an exact version',
  ])
})

describe('integrity', () => {
  const missing = ['package-lock.json has no sha512 integrity for node_modules/a']

  it('attack: is required for every package', () => {
    expect(problemsOf({ 'node_modules/a': { version: '1.0.0', integrity } })).toEqual([])
    expect(problemsOf({ 'node_modules/a': { version: '1.0.0' } })).toEqual(missing)
    expect(problemsOf({ 'node_modules/a': { version: '1.0.0', optional: true } })).toEqual(missing)
  })

  it.each(['', 'sha512-', `sha1-${'A'.repeat(27)}=`, `md5-${'A'.repeat(22)}==`])(
    'attack: “%s” is not accepted',
    (weak) => {
      expect(problemsOf({ 'node_modules/a': { version: '1.0.0', integrity: weak } })).toEqual(
        missing,
      )
    },
  )

  it('is not required for folders of this repository', () => {
    expect(problemsOf({ '': {}, 'packages/kit': {}, 'node_modules/k': { link: true } })).toEqual([])
  })

  it.each([
    ['@oxfmt/binding-darwin-arm64', true],
    ['@oxfmt/binding-linux-x64-musl', true],
    ['@oxfmt/binding-linux-x64-gnu', false],
    ['@oxlint-tsgolint/linux-x64', false],
    ['@foundry-rs/anvil-linux-amd64', false],
  ])('may be missing for %s: %s', (name, accepted) => {
    const entry = { version: '1.0.0', optional: true }
    expect(problemsOf({ [`node_modules/${name}`]: entry })).toHaveLength(accepted ? 0 : 1)
    expect(problemsOf({ [`node_modules/${name}`]: { version: '1.0.0' } })).toHaveLength(1)
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
