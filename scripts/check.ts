import { fileURLToPath } from 'node:url'
import { findApiProblems } from './checks/findApiProblems.ts'
import { findLicenseProblems } from './checks/findLicenseProblems.ts'
import { findLockfileProblems } from './checks/findLockfileProblems.ts'
import { findLayerBreaks } from './checks/findLayerBreaks.ts'
import { findUndeclaredImports } from './checks/findUndeclaredImports.ts'
import { findExportProblems } from './checks/findExportProblems.ts'
import { findCitationProblems } from './checks/findCitationProblems.ts'
import { findCaipSplits } from './checks/findCaipSplits.ts'
import { findImportCycles } from './checks/findImportCycles.ts'
import { findLargeFolders } from './checks/findLargeFolders.ts'
import { findNamedConnectors } from './checks/findNamedConnectors.ts'
import { findLimitProblems } from './checks/findLimitProblems.ts'
import { findGuardProblems } from './checks/findGuardProblems.ts'
import { findStalePictures } from './checks/findStalePictures.ts'
import { readCoverage } from './checks/readCoverage.ts'

/** Checks of the whole repository, in addition to the linter's rules. `npm test` runs them all. */
const checks: Record<string, (root: string) => string[]> = {
  'declared imports': findUndeclaredImports,
  layers: findLayerBreaks,
  'entries of published packages': findExportProblems,
  licenses: findLicenseProblems,
  'lockfile and versions': findLockfileProblems,
  'import cycles': findImportCycles,
  'folder sizes': findLargeFolders,
  citations: findCitationProblems,
  'CAIP id splits': findCaipSplits,
  'kit folders without connector names': findNamedConnectors,
  'docs/limits.md': findLimitProblems,
  'bundled pictures': findStalePictures,
  'guards and docs/security.md': findGuardProblems,
  'JSDoc and docs/api': findApiProblems,
  'spec rows in test titles': (root) => readCoverage(root).problems,
}

const root = fileURLToPath(new URL('..', import.meta.url))
for (const [name, find] of Object.entries(checks)) {
  const problems = find(root)
  console.log(`${name}: ${problems.length === 0 ? 'ok' : `${problems.length} problems`}`)
  for (const problem of problems) console.log(`  ${problem}`)
  if (problems.length > 0) process.exitCode = 1
}
