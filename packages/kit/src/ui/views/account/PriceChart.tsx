import { useState } from 'react'

import { fromNumber } from '../../../core/money/decimal.ts'
import { formatChange } from '../../../core/money/formatRate.ts'
import type { PriceHistory, PricePeriod } from '../../../core/money/priceHistory.ts'
import type { Token } from '../../../core/money/tokens.ts'
import { useKitState } from '../../../react/context.ts'
import { useKitPriceHistory } from '../../../react/prices.ts'
import { useText } from '../../hooks/useText.ts'
import { Money } from '../../parts/money/Amounts.tsx'
import { Sparkline } from '../../parts/money/Sparkline.tsx'
import { Segmented } from '../../parts/Segmented.tsx'
import { Style } from '../../parts/Style.tsx'
import { chartText } from '../../strings/chart.ts'
import css from '../../styles/chart.css?inline'

const periods = ['day', 'week', 'month'] as const

/**
 * The price of a token over a day, a week or a month. Renders nothing if the gateway does not serve price histories.
 *
 * @see docs/views.md#token
 */
export function PriceChart({ token }: { token: Token }) {
  const t = useText(chartText)
  const [period, setPeriod] = useState<PricePeriod>('day')
  const { data, isError, isFetching, refetch } = useKitPriceHistory({ token, period })
  if (data === null) return null
  return (
    <section className="gf-chart" aria-label={t('chart.label')}>
      <Style css={css} />
      <Segmented
        label={t('chart.periods')}
        tabs={periods.map((value) => ({ value, label: t(`chart.${value}`) }))}
        value={period}
        onChange={setPeriod}
      >
        <div className="gf-chart-panel">
          {data ? (
            <History history={data} period={period} />
          ) : isError ? (
            <p role="alert">
              {t('chart.failed')}{' '}
              <button
                type="button"
                className="gf-link"
                aria-disabled={isFetching || undefined}
                onClick={() => void refetch()}
              >
                {t('chart.tryAgain')}
              </button>
            </p>
          ) : (
            <span className="gf-skeleton" role="status" aria-label={t('chart.loading')} />
          )}
        </div>
      </Segmented>
    </section>
  )
}

function History({ history, period }: { history: PriceHistory; period: PricePeriod }) {
  const t = useText(chartText)
  const locale = useKitState((state) => state.locale)
  const { points, rates } = history
  const [first, last] = [points[0], points.at(-1)]
  if (!first || !last || points.length < 2) return <p>{t('chart.empty')}</p>
  const prices = points.map(({ price }) => price)
  const change = ((last.price - first.price) / first.price) * 100
  const direction = change > 0 ? 'up' : change < 0 ? 'down' : 'same'
  return (
    <>
      <p className="gf-change" data-direction={direction}>
        <b>
          <span aria-hidden>
            <bdi>{formatChange(change, locale)}</bdi>
          </span>
          <span className="gf-hidden">
            {t(`chart.${direction}`, { percent: formatChange(Math.abs(change), locale, 'never') })}
          </span>
        </b>{' '}
        <small>{t(rates === 'current' ? `chart.today.${period}` : `chart.last.${period}`)}</small>
      </p>
      <Sparkline points={points} />
      <p className="gf-range">
        <small>
          {t('chart.low')} <Money value={fromNumber(Math.min(...prices)) ?? '0'} />
        </small>
        <small>
          {t('chart.high')} <Money value={fromNumber(Math.max(...prices)) ?? '0'} />
        </small>
      </p>
    </>
  )
}
