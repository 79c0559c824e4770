import { createNode } from './createNode.ts'

/**
 * Filters URLs to those at which a chain responds.
 *
 * @throws {Error} if no chain responds
 */
export async function reachable(urls: readonly string[]): Promise<string[]> {
  const found = await Promise.all(
    urls.map(async (url) =>
      createNode(url)
        .getChainId()
        .then(
          () => url,
          () => undefined,
        ),
    ),
  )
  const responding = found.filter((url) => url !== undefined)
  if (responding.length === 0)
    throw new Error(
      `No chain responds at ${urls.join(' or ')}. Run npm start first, or pass its URL.`,
    )
  return responding
}
