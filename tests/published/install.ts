import { execFileSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findPublished } from '../../scripts/packages/findPublished.ts'
import { packPackages } from './packPackages.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** The site's own dependencies: the bundler, the compiler and React's types. */
const tools = ['@types/react', '@types/react-dom', '@vitejs/plugin-react', 'typescript', 'vite']

/**
 * Installs the packages into a site outside this repository, as npm does from the registry. The
 * packages have the contents of `npm pack`. Their declared dependencies and peer dependencies are
 * links; apart from these, only the site's tools are installed.
 *
 * @param app - folder with the site's sources; without it, the site is empty
 * @returns the site's folder, which the caller must remove, and the packages in it
 */
export async function installPublished(app?: string) {
  const packed = await packPackages()
  const published = findPublished(root)
  const site = realpathSync(mkdtempSync(join(tmpdir(), 'gatefold-site-')))
  if (app !== undefined) cpSync(app, site, { recursive: true })
  writeFileSync(join(site, 'package.json'), '{ "private": true, "type": "module" }\n')

  for (const { folder, name, manifest } of published) {
    const target = join(site, 'node_modules', name)
    mkdirSync(target, { recursive: true })
    const { archive } = packed.find((one) => one.name === name)!
    execFileSync('tar', ['-xzf', archive, '-C', target, '--strip-components=1'])
    for (const dependency of Object.keys(manifest.dependencies ?? {})) {
      if (published.some((other) => other.name === dependency)) continue
      link(find(folder, dependency), join(target, 'node_modules', dependency))
    }
    for (const peer of Object.keys(manifest.peerDependencies ?? {})) {
      link(find(folder, peer), join(site, 'node_modules', peer))
    }
  }
  for (const tool of tools) link(find('', tool), join(site, 'node_modules', tool))
  return { site, published, packed }
}

/** The folder of a workspace's dependency: in the workspace or in the root. */
function find(folder: string, name: string) {
  const candidates = [join(root, folder, 'node_modules', name), join(root, 'node_modules', name)]
  return candidates.find((candidate) => existsSync(candidate))
}

function link(from: string | undefined, to: string) {
  if (from === undefined || existsSync(to)) return
  mkdirSync(dirname(to), { recursive: true })
  symlinkSync(realpathSync(from), to, 'junction')
}
