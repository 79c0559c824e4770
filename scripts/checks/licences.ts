import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readLockfile, reachableFrom, type LockedPackage } from './lockfile.ts'
import { findWorkspaces } from './workspaces.ts'

/** SPDX identifiers that let anyone use, change and ship the code, or the data or font. */
const permissive = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC-BY-4.0',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  'OFL-1.1',
  'PostgreSQL',
  'Python-2.0',
  'Unlicense',
  'WTFPL',
  'Zlib',
])

/**
 * Packages under other terms, by name, with what they are used for. None may be reached from
 * something that ships; their code is run, not linked.
 */
const developmentOnly: readonly { name: RegExp; reason: string }[] = [
  { name: /^lightningcss(-.+)?$/, reason: 'MPL-2.0; the CSS minifier inside Vite' },
  { name: /^axe-core$/, reason: 'MPL-2.0; accessibility audits in browser tests' },
  { name: /^@uniswap\/.+$/, reason: 'GPL and BUSL; contract artefacts of the local chain' },
  { name: /^@safe-global\/safe-(contracts|4337)$/, reason: '(L)GPL-3.0; contract artefacts' },
  { name: /^@account-abstraction\/contracts$/, reason: 'GPL-3.0; contract artefacts' },
  { name: /^@pimlico\/alto$/, reason: 'GPL-3.0; the bundler of the local chain' },
]

/** Workspaces for development alone: what they need is not shipped. */
const workshops = new Set(['@gatefold/chain', '@gatefold/tests', '@gatefold/bench'])

/**
 * Packages of the lockfile whose licence is not permissive, the exceptions above aside.
 *
 * @returns One line for each problem.
 */
export function findLicenceProblems(root: string): string[] {
  const lockfile = readLockfile(root)
  const shipping = findWorkspaces(root).filter(({ name }) => !workshops.has(name))
  const shipped = reachableFrom(
    lockfile,
    shipping.map(({ folder }) => folder),
  )
  return Object.entries(lockfile.packages).flatMap(([path, entry]) => {
    if (!path.includes('node_modules/') || entry.link) return []
    const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
    const licence = entry.license ?? installedLicence(root, path)
    if (licence !== undefined && isPermissive(licence)) return []
    const exception = developmentOnly.find((known) => known.name.test(name))
    const said = `${name}@${entry.version} is under ${licence ?? 'no licence that it names'}`
    if (!exception) return [`${said}, which is not on the allow-list of scripts/checks/licences.ts`]
    return shipped.has(path) ? [`${said} and for development alone, but it would be shipped`] : []
  })
}

/** Whether an SPDX expression (`(MIT AND Zlib)`, `MIT OR GPL-3.0`) leaves a permissive choice. */
export function isPermissive(expression: string): boolean {
  const bare = expression.replace(/^\((.*)\)$/, '$1')
  const choices = bare.split(/ OR /i)
  return choices.some((choice) =>
    choice.split(/ AND /i).every((licence) => permissive.has(licence.replace(/[()]/g, '').trim())),
  )
}

/** npm leaves the field out of the lockfile where the registry had none; the package may say. */
function installedLicence(root: string, path: string): string | undefined {
  try {
    const text = readFileSync(join(root, path, 'package.json'), 'utf8')
    return (JSON.parse(text) as LockedPackage).license
  } catch {
    return undefined // not installed here: for another platform
  }
}
