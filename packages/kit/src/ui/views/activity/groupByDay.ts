import type { ActivityEntry } from '../../../core/money/pending/mergeActivities.ts'

const dayMs = 86_400_000

/**
 * Groups transactions, newest first, by local day: today, yesterday, then
 * weekday and date; transactions of earlier years are grouped by month. Pending
 * transactions are in today's group.
 *
 * @param now - Unix time in ms
 */
export function groupByDay(
  activities: readonly ActivityEntry[],
  locale: string,
  texts: { today: string; yesterday: string },
  now = Date.now(),
): {
  day: string
  activities: ActivityEntry[]
  /** Number of transactions in the groups above. */
  before: number
}[] {
  const days = new Map<string, ActivityEntry[]>()
  const thisYear = new Date(now).getFullYear()
  const dayFormat = new Intl.DateTimeFormat(locale, {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
  })
  const monthFormat = new Intl.DateTimeFormat(locale, { month: 'long', year: 'numeric' })
  const nameOf = (time: number) => {
    const date = new Date(time)
    const text = date.toDateString()
    if (text === new Date(now).toDateString()) return texts.today
    if (text === new Date(now - dayMs).toDateString()) return texts.yesterday
    return (date.getFullYear() === thisYear ? dayFormat : monthFormat).format(date)
  }
  for (const activity of activities) {
    const day = activity.status === 'pending' ? texts.today : nameOf(activity.time)
    const group = days.get(day)
    if (group) group.push(activity)
    else days.set(day, [activity])
  }
  let count = 0
  return [...days].map(([day, group]) => {
    const before = count
    count += group.length
    return { day, activities: group, before }
  })
}
