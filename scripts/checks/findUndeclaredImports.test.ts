import { describe, expect, it } from 'vitest'
import { findUndeclaredImports } from './findUndeclaredImports.ts'
import { makeTree } from './makeTree.ts'

const manifests = {
  'package.json': { workspaces: ['packages/*', 'tests'], devDependencies: { vitest: '1.0.0' } },
  'packages/kit/package.json': {
    name: '@gatefold/kit',
    dependencies: { valibot: '1.0.0' },
    devDependencies: { autocannon: '1.0.0' },
    peerDependencies: { react: '>=19' },
  },
}

function problems(path: string, text: string) {
  return findUndeclaredImports(makeTree({ ...manifests, [path]: text }))
}

describe('findUndeclaredImports', () => {
  it.each([
    ["import * as v from 'valibot'"],
    ["import { useId } from 'react/jsx-runtime'"],
    ["import { x } from '@gatefold/kit/core'"],
    ["import './styles.css'; import '#inside'; import 'node:fs'; import 'virtual:routes'"],
    ["// import 'elsewhere'\nconst text = `import 'elsewhere'`"],
    ['const load = (name: string) => import(`./locales/${name}.ts`)'],
  ])('accepts %s', (text) => {
    expect(problems('packages/kit/src/a.tsx', text)).toEqual([])
  })

  it.each([
    ["import 'elsewhere'", 'elsewhere'],
    ["import type { A } from '@types-only/a/deep'", '@types-only/a'],
    ["export * from 'elsewhere'", 'elsewhere'],
    ["const lazy = () => import('elsewhere/part')", 'elsewhere'],
  ])('reports %s', (text, name) => {
    expect(problems('packages/kit/src/a.ts', text)).toEqual([
      `packages/kit/src/a.ts imports ${name}, which packages/kit/package.json does not declare`,
    ])
  })

  it('reports development dependencies in shipped code, but not in tests', () => {
    const text = "import 'autocannon'"
    expect(problems('packages/kit/src/a.ts', text)).toEqual([
      'packages/kit/src/a.ts is shipped and imports autocannon, which is only a development dependency of @gatefold/kit',
    ])
    expect(problems('packages/kit/src/a.test.ts', text)).toEqual([])
  })

  it("allows only tests and configurations to use the root's tools", () => {
    const text = "import 'vitest'"
    expect(problems('packages/kit/src/a.test.ts', text)).toEqual([])
    expect(problems('packages/kit/vite.config.ts', text)).toEqual([])
    expect(problems('packages/kit/src/a.ts', text)).toHaveLength(1)
  })

  it('reports a Node module without the node: prefix, and checks the root’s scripts', () => {
    expect(problems('packages/kit/src/a.ts', "import 'fs'")).toEqual([
      'packages/kit/src/a.ts imports fs: write node:fs',
    ])
    expect(problems('scripts/a.ts', "import 'valibot'; import 'vitest'")).toEqual([
      'scripts/a.ts imports valibot, which the root package.json does not declare',
    ])
  })

  it('error: reports a file that does not parse', () => {
    expect(() => problems('packages/kit/src/a.ts', 'import {')).toThrow(
      /kit\/src\/a\.ts does not parse/,
    )
  })
})
