import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildPackages } from '../../scripts/packages/buildPackages.ts'
import { findPublished } from '../../scripts/packages/findPublished.ts'
import { createCopy } from '../createCopy.ts'
import { pack } from '../published/install.ts'

/**
 * Packs the packages as for npm. They are built in a copy of the repository, because other tests may be
 * building them at the same time.
 *
 * @returns the paths of the archives, and a function that removes them
 */
export async function packPackages(root: string): Promise<{ files: string[]; remove: () => void }> {
  const out = mkdtempSync(join(tmpdir(), 'gatefold-packed-'))
  const copy = await createCopy(root)
  try {
    await buildPackages(copy.path)
    pack(copy.path, out, findPublished(copy.path))
  } finally {
    copy.remove()
  }
  return {
    files: readdirSync(out).map((name) => join(out, name)),
    remove: () => rmSync(out, { recursive: true, force: true }),
  }
}
