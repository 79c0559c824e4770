/** Calls `visitor` with each node of a syntax tree, parents first. */
export function visitNodes(node: unknown, visitor: (node: Record<string, unknown>) => void): void {
  if (typeof node !== 'object' || node === null) return
  if (!Array.isArray(node)) visitor(node as Record<string, unknown>)
  for (const child of Object.values(node)) visitNodes(child, visitor)
}
