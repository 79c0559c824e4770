import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, sep } from 'node:path'

/**
 * Compiles the packages' public modules to declarations.
 *
 * @returns the files by path relative to `packages/`
 * @throws Error with the compiler's output if it fails
 */
export function emitDeclarations(root: string): Map<string, string> {
  const folder = mkdtempSync(join(tmpdir(), 'gatefold-api-'))
  try {
    const args = ['-p', join(root, 'scripts/api/tsconfig.json'), '--outDir', folder]
    const { status, stdout } = spawnSync(
      process.execPath,
      [join(root, 'node_modules/typescript/bin/tsc'), ...args],
      { cwd: root, encoding: 'utf8' },
    )
    if (status !== 0) throw new Error(`The declarations could not be emitted:\n${stdout}`)
    return new Map(
      readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.d.ts'))
        .map((name) => [name.replaceAll(sep, '/'), readFileSync(join(folder, name), 'utf8')]),
    )
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
