import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { findFiles, isTestFile } from './sources.ts'

/** Patterns of code that splits a CAIP-2 id, a CAIP-10 id or a did:pkh by hand. */
const splits: readonly RegExp[] = [
  /\.split\((?:':'|":"|`:`|\/:\/)/,
  /\.(?:last)?indexOf\(':'/i,
  /'(?:eip155|solana|bip122|did:pkh):'\.length/,
  /\/\^(?:eip155|solana|bip122|did:pkh):\//,
]

const hint = 'splits a string at a colon; use CaipNetworkId, CaipAddress or splitDidPkh'

/** Files that may contain these patterns, with the reason. */
const allowed: Readonly<Record<string, string>> = {
  'packages/protocol/src/caip/split.ts': 'defines the splits',
  'packages/server/src/relay/drivers/redis/messages.ts': 'reads the length before a payload',
}

/**
 * Reports code that splits CAIP ids by hand, because it may handle malformed ids differently from
 * `CaipNetworkId`, `CaipAddress` and `splitDidPkh` in the protocol package. Also reports allowed
 * files without such code.
 *
 * @returns One line for each problem.
 */
export function findCaipSplits(root: string): string[] {
  const files = ['packages', 'apps']
    .flatMap((folder) => findFiles(root, folder, /\.tsx?$/))
    .filter((path) => path.includes('/src/') && !isTestFile(path))
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))
  const found = files.filter(({ text }) => splits.some((pattern) => pattern.test(text)))
  const paths = new Set(found.map(({ path }) => path))
  return [
    ...found
      .filter(({ path }) => !(path in allowed))
      .map(({ path, text }) => {
        const line = text.split('\n').findIndex((it) => splits.some((pattern) => pattern.test(it)))
        return `${path}:${line + 1} ${hint}`
      }),
    ...Object.keys(allowed)
      .filter((path) => !paths.has(path))
      .map((path) => `${path} is allowed to split at a colon, but does not`),
  ]
}
