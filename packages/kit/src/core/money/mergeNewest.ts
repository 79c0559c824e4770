import type { ActivityPage } from './activity.ts'

type Pages = { pages: ActivityPage[]; pageParams: (string | undefined)[] }

/**
 * Replaces the start of a list with a new first page. The cursors of the other
 * pages remain valid, because they point at older transactions.
 *
 * @returns only the new page if it does not overlap the list, because entries
 *   between them could be missing
 */
export function mergeNewest(list: Pages, newest: ActivityPage): Pages {
  const [first, ...others] = list.pages
  const last = newest.activities.at(-1)
  const end = first?.activities.findIndex(({ id }) => id === last?.id) ?? -1
  if (!first || end < 0) return { pages: [newest], pageParams: [undefined] }
  const activities = [...newest.activities, ...first.activities.slice(end + 1)]
  return { ...list, pages: [{ ...first, activities }, ...others] }
}
