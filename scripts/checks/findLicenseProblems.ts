import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readLockfile, reachableFrom, type LockedPackage } from './findLockfileProblems.ts'
import { findWorkspaces } from './workspaces.ts'

/** SPDX identifiers of licenses that permit using, changing and shipping the code, data or font. */
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
 * Packages under other licenses, with the license and what they are used for. They are tools and
 * contract artifacts for development; shipped workspaces may not depend on them.
 */
const developmentOnly: readonly { name: RegExp; reason: string }[] = [
  { name: /^lightningcss(-.+)?$/, reason: 'MPL-2.0; the CSS minifier inside Vite' },
  { name: /^axe-core$/, reason: 'MPL-2.0; accessibility audits in browser tests' },
  { name: /^@uniswap\/.+$/, reason: 'GPL and BUSL; contract artifacts for the local chain' },
  { name: /^@safe-global\/safe-(contracts|4337)$/, reason: '(L)GPL-3.0; contract artifacts' },
  { name: /^@account-abstraction\/contracts$/, reason: 'GPL-3.0; contract artifacts' },
  { name: /^rpc-websockets$/, reason: 'LGPL-3.0; @solana/web3.js in tests of the local chain' },
  {
    name: /^(eyes|text-encoding-utf-8)$/,
    reason: 'state none (MIT and Unlicense in their files); @solana/web3.js in tests',
  },
  { name: /^@pimlico\/alto$/, reason: 'GPL-3.0; the bundler of the local chain' },
]

const developmentWorkspaces = new Set(['@gatefold/chain', '@gatefold/tests', '@gatefold/bench'])

/**
 * Reports packages in the lockfile whose license is not permissive. Accepts the packages listed above
 * if no shipped workspace depends on them.
 *
 * @returns One line for each problem.
 */
export function findLicenseProblems(root: string): string[] {
  const lockfile = readLockfile(root)
  const shipping = findWorkspaces(root).filter(({ name }) => !developmentWorkspaces.has(name))
  const shipped = reachableFrom(
    lockfile,
    shipping.map(({ folder }) => folder),
  )
  return Object.entries(lockfile.packages).flatMap(([path, entry]) => {
    if (!path.includes('node_modules/') || entry.link) return []
    const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
    const license = entry.license ?? installedLicense(root, path)
    if (license !== undefined && isPermissive(license)) return []
    const exception = developmentOnly.find((known) => known.name.test(name))
    const terms = license === undefined ? 'states no license' : `is under ${license}`
    const subject = `${name}@${entry.version} ${terms}`
    if (!exception)
      return [`${subject}, which scripts/checks/findLicenseProblems.ts does not allow`]
    return shipped.has(path)
      ? [`${subject} and allowed only for development, but would be shipped`]
      : []
  })
}

/**
 * Whether an SPDX expression, such as `(MIT AND Zlib)` or `MIT OR GPL-3.0`, can be satisfied with
 * permissive licenses.
 */
export function isPermissive(expression: string): boolean {
  const bare = expression.replace(/^\((.*)\)$/, '$1')
  const choices = bare.split(/ OR /i)
  return choices.some((choice) =>
    choice.split(/ AND /i).every((license) => permissive.has(license.replace(/[()]/g, '').trim())),
  )
}

/**
 * The license in the package's package.json, because npm omits it in the lockfile if the registry
 * has none.
 */
function installedLicense(root: string, path: string): string | undefined {
  try {
    const text = readFileSync(join(root, path, 'package.json'), 'utf8')
    return (JSON.parse(text) as LockedPackage).license
  } catch {
    return undefined // not installed: for another platform
  }
}
