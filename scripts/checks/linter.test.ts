import { spawnSync } from 'node:child_process'
import { copyFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { makeTree } from './makeTree.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const oxlint = join(
  dirname(createRequire(import.meta.url).resolve('oxlint/package.json')),
  'bin/oxlint',
)

/**
 * Lints a temporary tree with the repository's configuration.
 *
 * @returns the violated rules and the exit code
 */
function brokenRules(files: Record<string, string>) {
  const folder = makeTree({ 'tsconfig.json': '{}', ...files })
  copyFileSync(join(root, '.oxlintrc.json'), join(folder, '.oxlintrc.json'))
  const run = spawnSync(process.execPath, [oxlint, '--format=json'], {
    cwd: folder,
    encoding: 'utf8',
    // oxlint finds the type-aware linter on the PATH.
    env: { ...process.env, PATH: `${join(root, 'node_modules/.bin')}:${process.env['PATH']}` },
  })
  const { diagnostics } = JSON.parse(run.stdout) as { diagnostics: { code: string }[] }
  return { rules: diagnostics.map(({ code }) => code), code: run.status }
}

describe('the linter', () => {
  it('fails on an import cycle', () => {
    const { rules, code } = brokenRules({
      'src/a.ts': "import { b } from './b.ts'\nexport const a = () => b",
      'src/b.ts': "import { c } from './c.ts'\nexport const b = () => c",
      'src/c.ts': "import { a } from './a.ts'\nexport const c = () => a",
    })
    expect(rules).toContain('import(no-cycle)')
    expect(code).toBe(1)
  })

  it('ignores cycles of type-only imports, which findImportCycles reports', () => {
    const { rules, code } = brokenRules({
      'src/a.ts': "import type { B } from './b.ts'\nexport type A = B | 1",
      'src/b.ts': "import type { A } from './a.ts'\nexport type B = A[]",
    })
    expect(rules).toEqual([])
    expect(code).toBe(0)
  })
})
