import { describe, expect, it } from 'vitest'
import { findExportProblems } from './findExportProblems.ts'
import { makeTree } from './makeTree.ts'

const files = ['dist', 'src']
const good = {
  '@gatefold/source': './src/a.tsx',
  types: './dist/a.d.ts',
  default: './dist/a.js',
}

function problems(kit: object, others: Record<string, string | object> = {}) {
  return findExportProblems(
    makeTree({
      'package.json': { workspaces: ['packages/*'] },
      'packages/kit/package.json': { name: '@gatefold/kit', files, ...kit },
      'packages/kit/src/a.tsx': '',
      ...others,
    }),
  )
}

describe('findExportProblems', () => {
  it('accepts entries that list their source file first, then the build output', () => {
    expect(problems({ exports: { '.': good, './a': good } })).toEqual([])
  })

  it.each([
    ['have the source as the default', { ...good, default: './src/a.tsx' }],
    ['have no types', { '@gatefold/source': './src/a.tsx', default: './dist/a.js' }],
    [
      'list the source last, where it never matches',
      Object.fromEntries(Object.entries(good).toReversed()),
    ],
  ])('error: reports entries that %s', (_, entry) => {
    expect(problems({ exports: { '.': entry } })).toEqual([
      expect.stringContaining('packages/kit/package.json: "." must be {"@gatefold/source"'),
    ])
  })

  it('error: reports entries that name a source file that does not exist', () => {
    expect(problems({ exports: { '.': { ...good, '@gatefold/source': './src/b.ts' } } })).toEqual([
      expect.stringContaining('"." lists no source file'),
    ])
  })

  it('error: reports published packages that depend on an unpublished one', () => {
    const server = { 'packages/server/package.json': { name: '@gatefold/server' } }
    const dependencies = { '@gatefold/server': '0.1.0', zustand: '5.0.0' }
    expect(problems({ dependencies }, server)).toEqual([
      '@gatefold/kit is published and depends on @gatefold/server, which is not',
    ])
  })

  it('does not check the entries of unpublished packages', () => {
    expect(problems({ files: undefined, exports: { '.': { default: './src/a.tsx' } } })).toEqual([])
  })
})
