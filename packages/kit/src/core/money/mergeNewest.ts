import type { ActivityPage } from './activity.ts'

type Pages = { pages: ActivityPage[]; pageParams: (string | undefined)[] }

/**
 * Puts a new first page in place of what it covers of a list. The cursors of the other pages remain valid, because they
 * point at older transactions.
 *
 * @returns the new page alone if it has nothing in common with the list: what is between them would be missing
 */
export function mergeNewest(list: Pages, newest: ActivityPage): Pages {
  const [first, ...others] = list.pages
  const last = newest.activities.at(-1)
  const end = first?.activities.findIndex(({ id }) => id === last?.id) ?? -1
  if (!first || end < 0) return { pages: [newest], pageParams: [undefined] }
  const activities = [...newest.activities, ...first.activities.slice(end + 1)]
  return { ...list, pages: [{ ...first, activities }, ...others] }
}
