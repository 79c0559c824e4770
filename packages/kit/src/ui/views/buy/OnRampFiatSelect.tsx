import { currencyName } from '../../../core/money/formatMoney.ts'
import { returnTo } from '../../../core/view/navigate.ts'
import type { ViewData } from '../../../core/view/ViewData.ts'
import { useInstance, useKitState } from '../../../react/context.ts'
import { Artwork } from '../../parts/Artwork.tsx'
import { useText } from '../../hooks/useText.ts'
import { buyText } from '../../strings/buy.ts'
import { SelectList } from './SelectList.tsx'
import { useBuyOptions } from './useBuy.ts'

/**
 * The currencies to pay with. Choosing one returns to the purchase.
 *
 * @see docs/views.md#onrampfiatselect
 */
export function OnRampFiatSelect({ data }: { data: ViewData['OnRampFiatSelect'] }) {
  const kit = useInstance()
  const t = useText(buyText)
  const locale = useKitState((state) => state.locale)
  const source = useBuyOptions()
  const purchase = data?.purchase
  return (
    <SelectList
      source={source}
      // Providers accept only a few currencies.
      heights={[280]}
      label={t('buy.currencies')}
      searchLabel={t('buy.searchCurrencies')}
      items={source.options?.currencies ?? []}
      describe={({ code }) => ({
        id: code,
        title: currencyName(code, locale),
        note: code,
        start: <Artwork name={code} shape="round" />,
        isCurrent: code === purchase?.currency,
      })}
      onChoose={({ code }) =>
        returnTo(kit, { name: 'OnRampProviders', data: { ...purchase, currency: code } })
      }
    />
  )
}
