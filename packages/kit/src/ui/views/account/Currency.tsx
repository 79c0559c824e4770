import { getCurrencies } from '../../../core/money/currency.ts'
import { setCurrency } from '../../../core/money/setCurrency.ts'
import { currencyName } from '../../../core/money/formatMoney.ts'
import { goBack } from '../../../core/view/navigate.ts'
import { useInstance, useKitState } from '../../../react/context.ts'
import { useKitQuery } from '../../../react/queries.ts'
import { useText } from '../../hooks/useText.ts'
import { Artwork } from '../../parts/Artwork.tsx'
import { tokensText } from '../../strings/tokens.ts'
import { SelectList } from '../buy/SelectList.tsx'

/**
 * The currencies of values and prices. Choosing one goes back.
 *
 * @see docs/views.md#currency
 */
export function Currency() {
  const kit = useInstance()
  const t = useText(tokensText)
  const locale = useKitState((state) => state.locale)
  const current = useKitState((state) => state.preferences.currency)
  const { data, isError, isFetching, refetch } = useKitQuery({
    name: 'currencies',
    key: [],
    staleTime: Infinity,
    load: () => getCurrencies(kit),
  })
  return (
    <SelectList
      source={{
        options: data,
        isFailed: isError,
        isFetching,
        retry: () => void refetch(),
      }}
      loading={t('tokens.currenciesLoading')}
      failed={t('tokens.currenciesFailed')}
      label={t('tokens.currencies')}
      searchLabel={t('tokens.searchCurrencies')}
      items={data ?? []}
      describe={(code) => ({
        id: code,
        title: currencyName(code, locale),
        note: code,
        start: <Artwork name={code} shape="round" />,
        isCurrent: code === current,
      })}
      onChoose={(code) => {
        setCurrency(kit, code)
        goBack(kit)
      }}
    />
  )
}
