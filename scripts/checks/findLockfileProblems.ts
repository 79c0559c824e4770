import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { findWorkspaces, readManifest, type Manifest } from './workspaces.ts'

export type LockedPackage = {
  version?: string
  resolved?: string
  integrity?: string
  license?: string
  link?: boolean
  optional?: boolean
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
}
export type Lockfile = { packages: Record<string, LockedPackage> }

/**
 * The newest releases under Apache-2.0. The license of later releases requires the vendor's network, so
 * neither those releases nor code derived from them may enter this repository.
 */
const newestOpen: readonly { name: RegExp; version: string }[] = [
  { name: /^@walletconnect\//, version: '2.21.8' },
  { name: /^@reown\/walletkit$/, version: '1.2.10' },
  { name: /^@reown\//, version: '1.7.15' },
]

/**
 * Binaries whose hashes are not in the lockfile yet, so npm installs them without verification on
 * their platforms. See docs/threats.md#dependencies.
 */
const withoutIntegrity: readonly RegExp[] = [
  /^@foundry-rs\/anvil-(darwin-(amd64|arm64)|linux-arm64|win32-amd64)$/,
  /^@ox(fmt|lint)\/binding-(android|darwin|freebsd|openharmony|win32)-/,
  /^@ox(fmt|lint)\/binding-linux-(arm-|ppc64-|riscv64-|s390x-|(arm64|x64)-musl$)/,
  /^litesvm-(darwin-(arm64|x64)|linux-(arm64-(gnu|musl)|x64-musl))$/,
  /^@oxlint-tsgolint\/(darwin|win32)-(arm64|x64)$/,
]

/** Finds the folders with their own lockfile, outside the workspaces. */
function findApart(root: string): string[] {
  const examples = existsSync(join(root, 'examples')) ? readdirSync(join(root, 'examples')) : []
  return ['tests/mutate', ...examples.map((name) => `examples/${name}`)].filter((folder) =>
    existsSync(join(root, folder, 'package-lock.json')),
  )
}

/**
 * Reports problems in the lockfiles: vendor packages newer than their last open release, download URLs
 * (which bind the lockfile to one registry), packages without a hash, and missing packages for other platforms.
 * Also reports versions in a package.json that are not exact. `peerDependencies` may be ranges, since
 * the host installs them.
 *
 * @returns One line for each problem.
 */
export function findLockfileProblems(root: string): string[] {
  const locked = ['', ...findApart(root)]
  const folders = [...locked, ...findWorkspaces(root).map(({ folder }) => folder)]
  return [
    ...locked.flatMap((folder) => problemsOfLockfile(root, folder)),
    ...folders.flatMap((folder) => inexactVersionsIn(folder, readManifest(root, folder))),
  ]
}

function problemsOfLockfile(root: string, folder: string) {
  const { packages } = readLockfile(root, folder)
  const file = posix.join(folder, 'package-lock.json')
  return Object.entries(packages).flatMap(([path, entry]) => {
    const { version, resolved } = entry
    const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
    const rule = newestOpen.find((known) => known.name.test(name))
    const closed = rule && version !== undefined && isNewer(version, rule.version)
    return [
      ...(closed
        ? [`${name}@${version} is newer than ${rule.version}, the last open release`]
        : []),
      ...(resolved?.startsWith('http') ? [`${file} has a URL for ${path}`] : []),
      ...(isUnverified(path, name, entry) ? [`${file} has no sha512 integrity for ${path}`] : []),
      ...missingFrom(packages, path).map((problem) => `${file} ${problem}`),
    ]
  })
}

/** Reads a package-lock.json; by default the repository's. */
export function readLockfile(root: string, folder = ''): Lockfile {
  return JSON.parse(readFileSync(join(root, folder, 'package-lock.json'), 'utf8')) as Lockfile
}

/**
 * Finds the lockfile paths of all direct and transitive `dependencies` and `optionalDependencies` of
 * the folders. Resolves them as Node does: in the nearest parent folder's node_modules. Omits
 * workspaces.
 */
export function reachableFrom({ packages }: Lockfile, folders: readonly string[]): Set<string> {
  const reached = new Set<string>()
  const waiting = [...folders]
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    const entry = packages[path]
    for (const name of Object.keys({ ...entry?.dependencies, ...entry?.optionalDependencies })) {
      const found = nearest(packages, path, name)
      if (found === undefined || reached.has(found)) continue
      reached.add(found)
      waiting.push(found)
    }
  }
  return reached
}

/**
 * Whether the lockfile lacks the hash of a package, so that npm would not verify it. False for the
 * binaries in `withoutIntegrity`.
 */
function isUnverified(path: string, name: string, entry: LockedPackage) {
  if (!path.includes('node_modules/') || entry.link) return false
  if (entry.optional && withoutIntegrity.some((known) => known.test(name))) return false
  return !/^sha512-[A-Za-z0-9+/]{86}==$/.test(entry.integrity ?? '')
}

/**
 * Reports missing optional packages: `npm ci` rejects a lockfile that lacks the packages of any
 * platform.
 */
function missingFrom(packages: Lockfile['packages'], path: string) {
  return Object.entries(packages[path]?.optionalDependencies ?? {})
    .filter(([name]) => nearest(packages, path, name) === undefined)
    .map(([name, version]) => `lacks ${name}@${version}, which ${path} names`)
}

function nearest(packages: Lockfile['packages'], from: string, name: string) {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/')))) {
    const path = folder === '' ? `node_modules/${name}` : `${folder}/node_modules/${name}`
    // A link is a workspace, which has an entry under its folder.
    if (packages[path]) return packages[path].link ? undefined : path
    if (folder === '') return undefined
  }
}

function inexactVersionsIn(folder: string, manifest: Manifest) {
  const fields = ['dependencies', 'devDependencies', 'optionalDependencies', 'overrides'] as const
  return fields.flatMap((field) =>
    Object.entries(manifest[field] ?? {})
      .filter(([, version]) => typeof version !== 'string' || !isExact(version))
      .map(([name, version]) => {
        const file = folder === '' ? 'package.json' : `${folder}/package.json`
        return `${file}: ${field} has ${name} at "${String(version)}", not an exact version`
      }),
  )
}

/**
 * Whether a version is exact: `1.2.3`, `1.2.3-beta.4`, `$name` (the version of that dependency),
 * `npm:x@1.2.3`.
 */
function isExact(version: string) {
  return /^(npm:(@[^/]+\/)?[^@]+@)?\d+\.\d+\.\d+(-[\w.]+)?$|^\$/.test(version)
}

/** Compares the three numbers of two versions. */
function isNewer(version: string, than: string) {
  const a = version.split(/[.-]/).map(Number)
  const b = than.split('.').map(Number)
  const at = [0, 1, 2].find((index) => a[index] !== b[index])
  return at !== undefined && (a[at] ?? 0) > (b[at] ?? 0)
}
