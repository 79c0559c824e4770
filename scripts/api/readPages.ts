import { emitDeclarations } from './emitDeclarations.ts'
import { createReader } from './readApi.ts'
import { keyOf, type Page } from './renderApi.ts'

/** The entries of the reference, in order. An export is described on the first page that has it. */
const entries = [
  ['@gatefold/kit', 'kit/src/exports/index.d.ts', 'kit.md'],
  ['@gatefold/kit/react', 'kit/src/exports/react.d.ts', 'kit-react.md'],
  ['@gatefold/kit/core', 'kit/src/exports/core.d.ts', 'kit-core.md'],
  ['@gatefold/kit/evm', 'kit/src/exports/evm.d.ts', 'kit-evm.md'],
  ['@gatefold/kit/embedded', 'kit/src/exports/embedded.d.ts', 'kit-embedded.md'],
  ['@gatefold/kit/chains', 'kit/src/exports/chains.d.ts', 'kit-chains.md'],
  ['@gatefold/kit/vite', 'kit/src/exports/vite.d.ts', 'kit-vite.md'],
] as const

/** Reads the exports of the published entries from the sources. */
export function readPages(root: string): Page[] {
  const { readExports } = createReader(emitDeclarations(root))
  const seen = new Set<string>()
  return entries.map(([specifier, path, file]) => {
    const items = [...readExports(path).values()].filter((item) => !seen.has(keyOf(item)))
    for (const item of items) seen.add(keyOf(item))
    return { specifier, file, items }
  })
}
