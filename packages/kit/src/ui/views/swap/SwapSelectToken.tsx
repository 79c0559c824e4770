import { useState } from 'react'
import type { ReactNode } from 'react'

import { byValue } from '../../../core/money/tokens.ts'
import type { Token } from '../../../core/money/tokens.ts'
import { push, returnTo } from '../../../core/view/navigate.ts'
import type { ViewData } from '../../../core/view/ViewData.ts'
import { useInstance } from '../../../react/context.ts'
import { retry as retryIcon } from '../../icons/base.ts'
import { search as searchIcon } from '../../icons/wallets.ts'
import { Button } from '../../parts/Button.tsx'
import { Empty } from '../../parts/Empty.tsx'
import { Field } from '../../parts/Field.tsx'
import { List, Row, RowSkeleton } from '../../parts/List.tsx'
import { Money, TokenAmount } from '../../parts/money/Amounts.tsx'
import { TokenPicture } from '../../parts/money/TokenPicture.tsx'
import { TokenStyle } from '../../parts/money/TokenStyle.tsx'
import { Scroll } from '../../parts/Scroll.tsx'
import { Style } from '../../parts/Style.tsx'
import { useText } from '../../hooks/useText.ts'
import { swapText } from '../../strings/swap.ts'
import css from '../../styles/swap.css?inline'
import { useCanBuy } from '../buy/useCanBuy.ts'
import { findPair, useSwapTokens } from './useSwapTokens.ts'

/** Maximum number of tokens in the list; the search finds the others. */
const maxRows = 100

/** Minimum number of tokens for which a search field is shown. */
const searchFrom = 5

/**
 * The tokens to pay with, or to get. Choosing a token returns to the swap;
 * choosing the other side's token swaps the sides.
 *
 * @see docs/views.md#swapselecttoken
 */
export function SwapSelectToken({ data }: { data: ViewData['SwapSelectToken'] }) {
  const { side, swap } = data
  const kit = useInstance()
  const t = useText(swapText)
  const { tokens, network, isFailed, isFetching, retry } = useSwapTokens()
  const canBuy = useCanBuy(network?.caipNetworkId)
  const [search, setSearch] = useState('')
  if (isFailed)
    return (
      <div className="gf-body">
        <Empty plate="torn" role="alert" title={t('swap.tokensFailed')}>
          {t('swap.tokensFailedHint')}
        </Empty>
        <Button kind="primary" icon={retryIcon} busy={isFetching} onClick={retry}>
          {t('swap.tryAgain')}
        </Button>
      </div>
    )

  const { pay, get } = findPair(tokens, swap)
  const isPaid = side === 'fromToken'
  const other = isPaid ? 'toToken' : 'fromToken'
  const [chosen, opposite] = isPaid ? [pay, get] : [get, pay]
  const all = tokens ?? []
  const held = all.filter((token) => token.units > 0n).toSorted(byValue)
  const rest = all
    .filter((token) => token.units === 0n)
    .toSorted((a, b) => a.name.localeCompare(b.name))
  const query = search.trim().toLowerCase()
  const matches = ({ name, symbol, address }: Token) =>
    name.toLowerCase().includes(query) ||
    symbol.toLowerCase().includes(query) ||
    address?.toLowerCase() === query
  const groups = [
    { label: t('swap.yours'), found: held.filter(matches) },
    // Only tokens that the account holds can be paid with.
    { label: t('swap.all'), found: isPaid ? [] : rest.filter(matches) },
  ].filter(({ found }) => found.length > 0)
  const isEmpty = tokens && isPaid && held.length === 0
  const choose = (token: Token) =>
    returnTo(kit, {
      name: 'Swap',
      data: {
        ...swap,
        ...(token === opposite && { [other]: chosen?.id }),
        [side]: token.id,
      },
    })
  return (
    <div className="gf-body">
      <Style css={css} />
      <TokenStyle />
      {(!tokens || (all.length >= searchFrom && !isEmpty)) && (
        <Field
          type="search"
          icon={searchIcon}
          label={t('swap.search')}
          value={search}
          onChange={setSearch}
        />
      )}
      {isEmpty && (
        <Empty title={t('swap.noTokens', { network: network?.name ?? '' })}>
          {t('swap.noTokensHint')}
        </Empty>
      )}
      {isEmpty && canBuy && network && (
        <Button
          kind="primary"
          onClick={() =>
            push(kit, { name: 'OnRampProviders', data: { token: network.caipNetworkId } })
          }
        >
          {t('swap.buy', { symbol: network.nativeCurrency.symbol })}
        </Button>
      )}
      {!tokens && (
        <Scroll max={392}>
          <List label={t('swap.loading')}>
            {[0, 1, 2, 3, 4, 5, 6].map((index) => (
              <RowSkeleton key={index} isRound />
            ))}
          </List>
        </Scroll>
      )}
      {tokens && !isEmpty && groups.length === 0 && (
        <>
          <Empty plate="search" title={t('swap.none', { x: search.trim() })}>
            {t('swap.noneHint')}
          </Empty>
          <Button onClick={() => setSearch('')}>{t('swap.showAll')}</Button>
        </>
      )}
      {groups.length > 0 && (
        <Scroll max={392}>
          {groups.map(({ label, found }) => (
            <Group key={label} label={label}>
              {found.slice(0, maxRows).map((token) => (
                <Row
                  key={token.id}
                  start={<TokenPicture token={token} />}
                  title={token.name}
                  note={
                    token.units > 0n ? (
                      <TokenAmount amount={token.amount} symbol={token.symbol} />
                    ) : (
                      token.symbol
                    )
                  }
                  end={
                    token.value !== undefined && (
                      <span className="gf-value">
                        <Money value={token.value} compact />
                      </span>
                    )
                  }
                  current={token === chosen}
                  onClick={() => choose(token)}
                />
              ))}
            </Group>
          ))}
        </Scroll>
      )}
      {groups.some(({ found }) => found.length > maxRows) && (
        <p className="gf-footer">{t('swap.more')}</p>
      )}
    </div>
  )
}

function Group({ label, children }: { label: string; children: ReactNode }) {
  return (
    <>
      <p className="gf-group" aria-hidden>
        {label}
      </p>
      <List label={label}>{children}</List>
    </>
  )
}
