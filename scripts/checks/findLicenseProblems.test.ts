import { describe, expect, it } from 'vitest'
import { findLicenseProblems, isPermissive } from './findLicenseProblems.ts'
import { makeTree } from './makeTree.ts'

type Entry = Record<string, unknown>

function problems(packages: Record<string, Entry>, files: Record<string, object> = {}) {
  return findLicenseProblems(
    makeTree({
      'package.json': { workspaces: ['packages/*', 'tests'] },
      'packages/kit/package.json': { name: '@gatefold/kit' },
      'tests/package.json': { name: '@gatefold/tests' },
      'package-lock.json': { packages },
      ...files,
    }),
  )
}

const version = '1.0.0'

describe('findLicenseProblems', () => {
  it.each([
    ['MIT', true],
    ['(MIT AND Zlib)', true],
    ['GPL-3.0 OR MIT', true],
    ['(MIT OR GPL-2.0) ', true],
    ['MIT AND GPL-3.0', false],
    ['GPL-3.0-or-later', false],
    ['SEE LICENSE IN LICENSE.md', false],
    ['BUSL-1.1', false],
  ])('%s is permissive: %s', (license, expected) => {
    expect(isPermissive(license)).toBe(expected)
  })

  it('reports a package whose license is not permissive, at any depth', () => {
    expect(
      problems({
        'packages/kit': { version },
        'node_modules/good': { version, license: 'MIT' },
        'node_modules/good/node_modules/@bad/deep': { version, license: 'AGPL-3.0' },
      }),
    ).toEqual([expect.stringContaining('@bad/deep@1.0.0 is under AGPL-3.0')])
  })

  it('reads package.json if the lockfile entry has no license, and reports packages without a license', () => {
    const packages = { 'node_modules/says': { version }, 'node_modules/silent': { version } }
    expect(problems(packages, { 'node_modules/says/package.json': { license: 'ISC' } })).toEqual([
      expect.stringContaining('silent@1.0.0 states no license'),
    ])
  })

  it('allows exceptions for development, but reports them in shipped workspaces', () => {
    const axe = { 'node_modules/axe-core': { version, license: 'MPL-2.0' } }
    const between = { version, license: 'MIT', dependencies: { 'axe-core': version } }
    const wants = { dependencies: { between: version } }
    const packages = { ...axe, 'node_modules/between': between }
    expect(problems({ ...packages, tests: wants })).toEqual([])
    expect(problems({ ...packages, 'packages/kit': wants })).toEqual([
      expect.stringContaining('axe-core@1.0.0 is under MPL-2.0 and allowed only for development'),
    ])
  })
})
