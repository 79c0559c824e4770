import { posix } from 'node:path'
import { findSources, isTestFile, packageOf } from './sources.ts'
import { findWorkspaces } from './workspaces.ts'

/**
 * The workspaces that each package's code may import. A workspace that is not listed may import all
 * workspaces.
 */
const packages: Record<string, readonly string[]> = {
  '@gatefold/protocol': [],
  '@gatefold/sign': ['@gatefold/protocol'],
  '@gatefold/kit': ['@gatefold/sign', '@gatefold/protocol'],
  '@gatefold/frame': ['@gatefold/protocol', '@gatefold/site'],
  '@gatefold/server': ['@gatefold/protocol'],
  '@gatefold/chain': ['@gatefold/kit', '@gatefold/protocol'],
  '@gatefold/site': [],
  '@gatefold/wallets': ['@gatefold/kit', '@gatefold/sign', '@gatefold/protocol', '@gatefold/site'],
  '@gatefold/book': [
    '@gatefold/kit',
    '@gatefold/sign',
    '@gatefold/protocol',
    '@gatefold/site',
    '@gatefold/wallets',
  ],
  '@gatefold/dashboard': [
    '@gatefold/kit',
    '@gatefold/sign',
    '@gatefold/protocol',
    '@gatefold/site',
  ],
}

/**
 * Additional workspaces that tests may import: the local chain, the demo wallets and the test
 * helpers.
 */
const forTests = ['@gatefold/chain', '@gatefold/wallets', '@gatefold/tests']

/** Packages whose code also runs in browsers, so it may not import Node's modules. */
const browsers = new Set(
  ['protocol', 'sign', 'kit', 'frame'].map((name) => `packages/${name}/src/`),
)

/**
 * Inside kit: `exports -> ui -> react -> core <- adapters, connectors, clients`. `adapters` may also
 * import `connectors`; `exports` and the files directly in `src` may import all layers.
 */
const kitFolders: Record<string, readonly string[]> = {
  core: [],
  adapters: ['core', 'connectors'],
  connectors: ['core'],
  clients: ['core'],
  react: ['core'],
  ui: ['core', 'react'],
}

/**
 * Reports imports against the direction of the layers. Type imports count too, because a type from an
 * adapter also couples `core` to that adapter.
 *
 * @returns One line for each problem.
 */
export function findLayerBreaks(root: string): string[] {
  const workspaces = findWorkspaces(root)
  const known = new Set(workspaces.map(({ name }) => name))
  return workspaces.flatMap(({ folder, name }) =>
    findSources(root, folder).flatMap(({ path, imports }) =>
      imports.flatMap(({ specifier }) => [
        ...packageBreaks(path, name, specifier, known),
        ...kitBreaks(path, specifier),
      ]),
    ),
  )
}

function packageBreaks(path: string, from: string, specifier: string, known: Set<string>) {
  const inBrowser = [...browsers].some((folder) => path.startsWith(folder))
  if (specifier.startsWith('node:') && inBrowser && !isTestFile(path)) {
    return [`${path} imports ${specifier}, but its package runs in browsers`]
  }
  const to = packageOf(specifier)
  const allowed = packages[from]
  if (to === undefined || to === from || !known.has(to) || !allowed) return []
  if (allowed.includes(to) || (isTestFile(path) && forTests.includes(to))) return []
  return [`${path} imports ${to}, but ${from} may import ${list(allowed)}`]
}

function kitBreaks(path: string, specifier: string) {
  const source = 'packages/kit/src/'
  if (!path.startsWith(source) || !specifier.startsWith('.') || isTestFile(path)) return []
  const from = folderOf(path, source)
  const to = folderOf(posix.join(posix.dirname(path), specifier), source)
  const allowed = kitFolders[from]
  if (!allowed || from === to || allowed.includes(to)) return []
  if (
    isOwnView(
      path.slice(source.length),
      posix.join(posix.dirname(path), specifier).slice(source.length),
    )
  )
    return []
  // The other folders, such as `data`, are not layers: they import nothing from the kit.
  if (to !== '' && to !== 'exports' && !(to in kitFolders)) return []
  const target = to === '' ? 'a file in src' : to
  return [`${path} imports ${target} (${specifier}), but kit's ${from} may import ${list(allowed)}`]
}

/** Whether a connector's view imports that connector: `ui/views/x` may import `connectors/x`. */
function isOwnView(from: string, to: string) {
  const [layer, folder, name] = from.split('/')
  return layer === 'ui' && folder === 'views' && to.startsWith(`connectors/${name}/`)
}

/** The first folder below `source`; `''` for a file directly in it. */
function folderOf(path: string, source: string) {
  const [first = '', ...rest] = path.slice(source.length).split('/')
  return rest.length > 0 ? first : ''
}

function list(names: readonly string[]) {
  return names.length > 0 ? names.join(', ') : 'no other'
}
