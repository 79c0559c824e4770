import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from 'vite'

/** Lists the hashes of all files of the site in `hashes.json`, as in Subresource Integrity. */
export function listHashes(): Plugin {
  return {
    name: 'gatefold-hashes',
    apply: 'build',
    writeBundle: {
      order: 'post',
      handler({ dir }, bundle) {
        const folder = dir!
        const hashes = Object.keys(bundle)
          .toSorted()
          .map((file) => {
            const digest = createHash('sha256').update(readFileSync(join(folder, file)))
            return [file, `sha256-${digest.digest('base64')}`]
          })
        const text = JSON.stringify(Object.fromEntries(hashes), null, 2)
        writeFileSync(join(folder, 'hashes.json'), `${text}\n`)
      },
    },
  }
}
