import { useText } from '../../hooks/useText.ts'
import { retry } from '../../icons/base.ts'
import { Button } from '../../parts/Button.tsx'
import { Empty } from '../../parts/Empty.tsx'
import { activityText } from '../../strings/activity.ts'
import type { useActivityEntries } from './useActivityEntries.ts'

/** The history could not be loaded, and there is nothing else to show. @see spec §8.1.1 */
export function ActivityFailure(props: {
  history: ReturnType<typeof useActivityEntries>['history']
}) {
  const { isFetching, refetch } = props.history
  const t = useText(activityText)
  return (
    <>
      <Empty plate="torn" title={t('activity.failedTitle')} role="alert">
        {t('activity.failedHint')}
      </Empty>
      <Button kind="primary" icon={retry} busy={isFetching} onClick={() => void refetch()}>
        {t('activity.tryAgain')}
      </Button>
    </>
  )
}
