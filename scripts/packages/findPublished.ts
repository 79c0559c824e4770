import { findWorkspaces, type Workspace } from '../checks/workspaces.ts'

/**
 * The workspaces published to npm (those with a `files` field), dependencies first.
 */
export function findPublished(root: string): Workspace[] {
  const published = findWorkspaces(root).filter(({ manifest }) => manifest.files)
  const sorted: Workspace[] = []
  const add = (workspace: Workspace) => {
    if (sorted.includes(workspace)) return
    const needed = Object.keys(workspace.manifest.dependencies ?? {})
    for (const other of published) if (needed.includes(other.name)) add(other)
    sorted.push(workspace)
  }
  for (const workspace of published) add(workspace)
  return sorted
}
