import { useMemo } from 'react'

import { mergeActivities } from '../../../core/money/pending/mergeActivities.ts'
import type { ActivityEntry } from '../../../core/money/pending/mergeActivities.ts'
import { useKitActivity } from '../../../react/activity.ts'
import { useKitState } from '../../../react/context.ts'
import { useKitPendingTransactions } from '../../../react/pending.ts'

/** The transactions of the account: those of the gateway's history and those that this site submitted. */
export function useActivityEntries(): {
  entries: readonly ActivityEntry[]
  history: ReturnType<typeof useKitActivity>
} {
  const history = useKitActivity()
  const submitted = useKitPendingTransactions()
  const networks = useKitState((state) => state.networks)
  const { data } = history
  const entries = useMemo(() => {
    // A page may repeat a transaction of the previous page, because new
    // transactions shift the pages.
    const listed = new Map(
      data?.pages.flatMap(({ activities }) => activities.map((one) => [one.id, one] as const)),
    )
    return mergeActivities([...listed.values()], submitted, networks)
  }, [data, submitted, networks])
  return { entries, history }
}
