import { returnTo } from '../../../core/view/navigate.ts'
import type { ViewData } from '../../../core/view/ViewData.ts'
import { useInstance } from '../../../react/context.ts'
import { TokenPicture } from '../../parts/money/TokenPicture.tsx'
import { TokenStyle } from '../../parts/money/TokenStyle.tsx'
import { useText } from '../../hooks/useText.ts'
import { buyText } from '../../strings/buy.ts'
import { useCurrentNetwork } from '../networks/useCurrentNetwork.ts'
import { SelectList } from './SelectList.tsx'
import { useBuyOptions } from './useBuy.ts'
import type { PicturedToken } from './useBuy.ts'

/**
 * The tokens that can be bought, those on the active network first. Choosing one returns to the purchase.
 *
 * @see docs/views.md#onramptokenselect
 */
export function OnRampTokenSelect({ data }: { data: ViewData['OnRampTokenSelect'] }) {
  const kit = useInstance()
  const t = useText(buyText)
  const source = useBuyOptions()
  const { network } = useCurrentNetwork()
  const purchase = data?.purchase
  const isElsewhere = (token: PicturedToken) =>
    token.network.caipNetworkId !== network?.caipNetworkId
  const items = (source.options?.tokens ?? []).toSorted(
    (a, b) => Number(isElsewhere(a)) - Number(isElsewhere(b)),
  )
  return (
    <>
      <TokenStyle />
      <SelectList
        source={source}
        label={t('buy.tokens')}
        searchLabel={t('buy.searchTokens')}
        items={items}
        describe={(token) => ({
          id: token.id,
          title: token.name,
          note: `${token.symbol} · ${token.network.name}`,
          start: <TokenPicture token={token} />,
          isCurrent: token.id === purchase?.token,
        })}
        onChoose={({ id }) =>
          returnTo(kit, { name: 'OnRampProviders', data: { ...purchase, token: id } })
        }
      />
    </>
  )
}
