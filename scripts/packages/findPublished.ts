import { findWorkspaces, type Workspace } from '../checks/workspaces.ts'

/**
 * The workspaces that are published to npm, which are those that say in `files` what is packed; what
 * one depends on comes before it.
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
