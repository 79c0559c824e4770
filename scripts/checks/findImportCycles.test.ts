import { describe, expect, it } from 'vitest'
import { findImportCycles } from './findImportCycles.ts'
import { makeTree } from './makeTree.ts'

describe('findImportCycles', () => {
  it('reports a cycle of type-only imports', () => {
    const root = makeTree({
      'packages/kit/src/a.ts': "import type { B } from './b.ts'\nexport type A = B",
      'packages/kit/src/b.ts': "export type { A } from './c.ts'\nexport type B = 1",
      'packages/kit/src/c.ts': "export type A = import('./a.ts').A",
    })
    expect(findImportCycles(root)).toEqual([
      'packages/kit/src/a.ts -> packages/kit/src/b.ts -> packages/kit/src/c.ts -> packages/kit/src/a.ts',
    ])
  })

  it('reports a group’s shortest cycle, and the number of other files in the group', () => {
    const root = makeTree({
      'apps/book/a.ts': "import './b.ts'",
      'apps/book/b.ts': "import './c.ts'",
      'apps/book/c.ts': "import './a.ts'\nimport './b.ts'",
    })
    expect(findImportCycles(root)).toEqual([
      'apps/book/b.ts -> apps/book/c.ts -> apps/book/b.ts (and 1 more files in the same group)',
    ])
  })

  it('accepts a lazy chunk that imports the code that loads the chunk', () => {
    const root = makeTree({
      'packages/kit/src/a.ts': "export const load = () => import('./b.ts')",
      'packages/kit/src/b.ts': "import './a.ts'",
    })
    expect(findImportCycles(root)).toEqual([])
  })

  it('accepts two import paths to the same file, and imports from other packages', () => {
    const root = makeTree({
      'packages/kit/src/a.ts': "import './b.ts'\nimport './c.ts'\nimport 'valibot'",
      'packages/kit/src/b.ts': "import './c.ts'",
      'packages/kit/src/c.ts': "import './missing.ts'",
    })
    expect(findImportCycles(root)).toEqual([])
  })
})
