import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'

/**
 * Writes a temporary repository and removes it after the test.
 *
 * @param files - Contents by path; an object is written as JSON.
 * @returns The folder.
 */
export function makeTree(files: Record<string, string | object>): string {
  const root = mkdtempSync(join(tmpdir(), 'gatefold-tree-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), typeof content === 'string' ? content : JSON.stringify(content))
  }
  return root
}
