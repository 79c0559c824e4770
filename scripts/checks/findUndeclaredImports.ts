import { builtinModules } from 'node:module'
import { findSources, isTestFile, packageOf } from './sources.ts'
import { findWorkspaces, readManifest, type Workspace } from './workspaces.ts'

/**
 * Reports imports that package.json does not declare. Hoisting makes them resolve in this repository,
 * but not in a user's project, so a workspace must declare each package that it imports. A published
 * package's shipped code may not import a development dependency either. Tests and tool
 * configurations may also use the root's development tools. Also reports Node's modules that are
 * imported without `node:`.
 *
 * @returns One line for each problem.
 */
export function findUndeclaredImports(root: string): string[] {
  const workspaces = findWorkspaces(root)
  const tools = Object.keys(readManifest(root, '').devDependencies ?? {})
  const inWorkspaces = workspaces.flatMap((workspace) => undeclaredIn(root, workspace, tools))
  // The root's scripts belong to no workspace. They may use the root's tools and every workspace.
  const forScripts = new Set([...tools, ...workspaces.map(({ name }) => name)])
  const inScripts = findSources(root, 'scripts').flatMap(({ path, imports }) =>
    imports
      .map(({ specifier }) => packageOf(specifier))
      .filter((name) => name !== undefined && !forScripts.has(name))
      .map((name) => `${path} imports ${name}, which the root package.json does not declare`),
  )
  return [...inWorkspaces, ...inScripts]
}

function undeclaredIn(root: string, { folder, name, manifest }: Workspace, tools: string[]) {
  const shipped = new Set([
    name,
    ...Object.keys(manifest.dependencies ?? {}),
    ...Object.keys(manifest.optionalDependencies ?? {}),
    ...Object.keys(manifest.peerDependencies ?? {}),
  ])
  const develops = new Set([...shipped, ...Object.keys(manifest.devDependencies ?? {})])
  const published = manifest.private !== true

  return findSources(root, folder).flatMap(({ path, imports }) => {
    const tooling = isTestFile(path) || !path.startsWith(`${folder}/src/`)
    return imports.flatMap(({ specifier }) => {
      const wanted = packageOf(specifier)
      if (wanted === undefined || shipped.has(wanted)) return []
      if (builtinModules.includes(wanted))
        return [`${path} imports ${wanted}: write node:${wanted}`]
      if (tooling && tools.includes(wanted)) return []
      if (!develops.has(wanted)) {
        return [`${path} imports ${wanted}, which ${folder}/package.json does not declare`]
      }
      if (tooling || !published) return []
      return [
        `${path} is shipped and imports ${wanted}, which is only a development dependency of ${name}`,
      ]
    })
  })
}
