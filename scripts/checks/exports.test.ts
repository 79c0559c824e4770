import { describe, expect, it } from 'vitest'
import { findExportProblems } from './exports.ts'
import { makeTree } from './tree.ts'

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

describe('entries of published packages', () => {
  it('name their source first, then what is built of it', () => {
    expect(problems({ exports: { '.': good, './a': good } })).toEqual([])
  })

  it.each([
    ['the source for everybody', { ...good, default: './src/a.tsx' }],
    ['no types', { '@gatefold/source': './src/a.tsx', default: './dist/a.js' }],
    [
      'the source last, which nobody would reach',
      Object.fromEntries(Object.entries(good).toReversed()),
    ],
  ])('error: %s', (_, entry) => {
    expect(problems({ exports: { '.': entry } })).toEqual([
      expect.stringContaining('packages/kit/package.json: "." has to be {"@gatefold/source"'),
    ])
  })

  it('error: a source that does not exist', () => {
    expect(problems({ exports: { '.': { ...good, '@gatefold/source': './src/b.ts' } } })).toEqual([
      expect.stringContaining('"." names no source'),
    ])
  })

  it('error: a dependency that nobody could install', () => {
    const server = { 'packages/server/package.json': { name: '@gatefold/server' } }
    const dependencies = { '@gatefold/server': '0.1.0', zustand: '5.0.0' }
    expect(problems({ dependencies }, server)).toEqual([
      '@gatefold/kit is published and depends on @gatefold/server, which is not',
    ])
  })

  it('leaves alone what is not published', () => {
    expect(problems({ files: undefined, exports: { '.': { default: './src/a.tsx' } } })).toEqual([])
  })
})
