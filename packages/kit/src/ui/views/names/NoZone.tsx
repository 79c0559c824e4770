import { useText } from '../../hooks/useText.ts'
import { retry } from '../../icons/base.ts'
import { Button } from '../../parts/Button.tsx'
import { Empty } from '../../parts/Empty.tsx'
import { Skeletons } from '../../parts/money/Skeletons.tsx'
import { namesText } from '../../strings/names.ts'
import type { Zone } from './useZone.ts'

/**
 * Shown until the zone is known, or if there is none.
 *
 * @param props.heights - the heights of the parts of the view, in units
 */
export function NoZone(props: {
  zone: Exclude<Zone, { status: 'ready' }>
  heights: readonly number[]
}) {
  const { zone } = props
  const t = useText(namesText)
  if (zone.status === 'loading')
    return (
      <div className="gf-body" aria-busy>
        <Skeletons label={t('names.loading')} heights={props.heights} />
      </div>
    )
  if (zone.status === 'none')
    return (
      <div className="gf-body">
        <Empty title={t('names.none')}>{t('names.noneHint')}</Empty>
      </div>
    )
  return (
    <div className="gf-body">
      <Empty plate="torn" role="alert" title={t('names.loadFailed')}>
        {t('names.loadFailedHint')}
      </Empty>
      <Button kind="primary" icon={retry} onClick={zone.onRetry}>
        {t('names.tryAgain')}
      </Button>
    </div>
  )
}
