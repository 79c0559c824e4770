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
import { buildPackages } from '../../scripts/packages/buildPackages.ts'
import { findPublished } from '../../scripts/packages/findPublished.ts'
import type { Workspace } from '../../scripts/checks/workspaces.ts'

/** The site's own dependencies: the bundler, the compiler and React's types. */
const tools = ['@types/react', '@types/react-dom', '@vitejs/plugin-react', 'typescript', 'vite']

/**
 * Installs the packages into a site outside this repository, as npm does from the registry. The
 * packages have the contents of `npm pack`. Their declared dependencies and peer dependencies are
 * links; apart from these, only the site's tools are installed.
 *
 * @param parameters.app - folder with the site's sources; without it, the site is empty
 * @returns the site's folder, which the caller must remove, and the packages in it
 */
export async function installPublished(parameters: { root: string; app?: string }) {
  const { root, app } = parameters
  await buildPackages(root)
  const published = findPublished(root)
  const site = realpathSync(mkdtempSync(join(tmpdir(), 'gatefold-site-')))
  if (app !== undefined) cpSync(app, site, { recursive: true })
  writeFileSync(join(site, 'package.json'), '{ "private": true, "type": "module" }\n')

  const packed = pack(root, site, published)
  for (const { folder, name, manifest } of published) {
    const target = join(site, 'node_modules', name)
    mkdirSync(target, { recursive: true })
    const file = packed.find((one) => one.name === name)?.filename ?? ''
    execFileSync('tar', ['-xzf', join(site, file), '-C', target, '--strip-components=1'])
    for (const dependency of Object.keys(manifest.dependencies ?? {})) {
      if (published.some((other) => other.name === dependency)) continue
      link(find(root, folder, dependency), join(target, 'node_modules', dependency))
    }
    for (const peer of Object.keys(manifest.peerDependencies ?? {})) {
      link(find(root, folder, peer), join(site, 'node_modules', peer))
    }
  }
  for (const tool of tools) link(find(root, '', tool), join(site, 'node_modules', tool))
  return { site, published, packed }
}

type Packed = { name: string; filename: string; files: { path: string }[] }

/** Packs built packages as npm does for the registry. */
export function pack(root: string, out: string, published: Workspace[]): Packed[] {
  const folders = published.map(({ folder }) => `./${folder}`)
  const args = ['pack', ...folders, '--pack-destination', out, '--json', '--offline']
  const output = execFileSync('npm', [...args, '--ignore-scripts'], {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
    shell: process.platform === 'win32',
  })
  // npm prints an array or, in newer versions, an object by package name.
  return Object.values(JSON.parse(output) as Record<string, Packed>)
}

/** The folder of a workspace's dependency: in the workspace or in the root. */
function find(root: string, folder: string, name: string) {
  const candidates = [join(root, folder, 'node_modules', name), join(root, 'node_modules', name)]
  return candidates.find((candidate) => existsSync(candidate))
}

function link(from: string | undefined, to: string) {
  if (from === undefined || existsSync(to)) return
  mkdirSync(dirname(to), { recursive: true })
  symlinkSync(realpathSync(from), to, 'junction')
}
