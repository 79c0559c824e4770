import { useState } from 'react'

import { push, returnTo } from '../../../core/view/navigate.ts'
import type { ViewData } from '../../../core/view/view.ts'
import { useInstance } from '../../../react/context.ts'
import { search as searchIcon } from '../../icons/wallets.ts'
import { useText } from '../../hooks/useText.ts'
import { Button } from '../../parts/Button.tsx'
import { Empty } from '../../parts/Empty.tsx'
import { Field } from '../../parts/Field.tsx'
import { List, RowSkeleton } from '../../parts/List.tsx'
import { TokenStyle } from '../../parts/money/TokenStyle.tsx'
import { Scroll } from '../../parts/Scroll.tsx'
import { sendText } from '../../strings/send.ts'
import { tokensText } from '../../strings/tokens.ts'
import { TokenRow } from '../account/Holdings.tsx'
import { useCanBuy } from '../buy/useCanBuy.ts'
import { useCurrentNetwork } from '../networks/useCurrentNetwork.ts'
import { useOwnTokens } from './useOwnTokens.ts'

/** Minimum number of tokens for which a search field is shown. */
const searchFrom = 5

/**
 * The account's tokens on the active network, to choose the one to send.
 *
 * @see docs/views.md#walletsendselecttoken
 */
export function WalletSendSelectToken({ data }: { data: ViewData['WalletSendSelectToken'] }) {
  const kit = useInstance()
  const t = useText({ ...sendText, ...tokensText })
  const { name, network } = useCurrentNetwork()
  const canBuy = useCanBuy(network?.caipNetworkId)
  const own = useOwnTokens()
  const [search, setSearch] = useState('')
  const query = search.trim().toLowerCase()
  const found = own?.filter(
    (token) =>
      token.name.toLowerCase().includes(query) ||
      token.symbol.toLowerCase().includes(query) ||
      token.address?.toLowerCase() === query,
  )
  if (!own || !found)
    return (
      <div className="gf-body">
        <List label={t('tokens.loading')}>
          {[0, 1, 2].map((index) => (
            <RowSkeleton key={index} isRound />
          ))}
        </List>
      </div>
    )
  if (own.length === 0)
    return (
      <div className="gf-body">
        <Empty title={t('send.noTokens', { network: name })}>{t('send.noTokensHint')}</Empty>
        {canBuy && network && (
          <Button
            kind="primary"
            onClick={() =>
              push(kit, { name: 'OnRampProviders', data: { token: network.caipNetworkId } })
            }
          >
            {t('send.buy', { symbol: network.nativeCurrency.symbol })}
          </Button>
        )}
      </div>
    )
  return (
    <div className="gf-body">
      <TokenStyle />
      {own.length >= searchFrom && (
        <Field
          type="search"
          icon={searchIcon}
          label={t('send.search')}
          value={search}
          onChange={setSearch}
        />
      )}
      {found.length === 0 ? (
        <Empty plate="search" title={t('send.none', { x: search.trim() })} />
      ) : (
        <Scroll max={392} fixed={own.length >= searchFrom}>
          <List label={t('tokens.label')}>
            {found.map((token) => (
              <TokenRow
                key={token.id}
                token={token}
                current={token.id === data?.draft?.token}
                onClick={() =>
                  returnTo(kit, { name: 'WalletSend', data: { ...data?.draft, token: token.id } })
                }
              />
            ))}
          </List>
        </Scroll>
      )}
    </div>
  )
}
