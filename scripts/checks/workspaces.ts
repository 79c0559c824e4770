import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The fields of a package.json that the checks read. */
export type Manifest = {
  name?: string
  private?: boolean
  workspaces?: string[]
  dependencies?: Record<string, string>
  devDependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
  peerDependencies?: Record<string, string>
  files?: string[]
  exports?: Record<string, Record<string, string>>
  overrides?: Record<string, unknown>
}

/** One workspace; `folder` is relative to the root, with forward slashes, `''` for the root. */
export type Workspace = { folder: string; name: string; manifest: Manifest }

/**
 * Finds the workspaces that the root's package.json lists, except folders without a package.json.
 * Supports the two patterns in use: `folder` and `folder/*`.
 */
export function findWorkspaces(root: string): Workspace[] {
  const patterns = readManifest(root, '').workspaces ?? []
  const folders = patterns.flatMap((pattern) => {
    if (!pattern.endsWith('/*')) return [pattern]
    const parent = pattern.slice(0, -2)
    if (!existsSync(join(root, parent))) return []
    const entries = readdirSync(join(root, parent), { withFileTypes: true })
    return entries.filter((entry) => entry.isDirectory()).map((entry) => `${parent}/${entry.name}`)
  })
  return folders
    .filter((folder) => existsSync(join(root, folder, 'package.json')))
    .map((folder) => {
      const manifest = readManifest(root, folder)
      return { folder, name: manifest.name ?? folder, manifest }
    })
}

/** Reads a folder's package.json. */
export function readManifest(root: string, folder: string): Manifest {
  return JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as Manifest
}
