import { useEffect, useState } from 'react'
import type { ReactNode } from 'react'

import { limits } from '@gatefold/protocol'

import type { AccountFeature } from '../../../core/account/accountFeatures.ts'
import { setShowsSmall } from '../../../core/money/currency.ts'
import { isSmall } from '../../../core/money/tokens.ts'
import type { Token, TokenList } from '../../../core/money/tokens.ts'
import { getNetwork } from '../../../core/connection/account.ts'
import { push } from '../../../core/view/navigate.ts'
import type { ViewEntry } from '../../../core/view/view.ts'
import { useInstance, useKitState } from '../../../react/context.ts'
import { retry } from '../../icons/base.ts'
import { Money, TokenAmount } from '../../parts/money/Amounts.tsx'
import { Button } from '../../parts/Button.tsx'
import { Empty } from '../../parts/Empty.tsx'
import { Icon } from '../../parts/Icon.tsx'
import { List, Row, RowSkeleton } from '../../parts/List.tsx'
import { Note } from '../../parts/Note.tsx'
import { Segmented } from '../../parts/Segmented.tsx'
import { Scroll } from '../../parts/Scroll.tsx'
import { Style } from '../../parts/Style.tsx'
import { TokenStyle } from '../../parts/money/TokenStyle.tsx'
import { TokenPicture } from '../../parts/money/TokenPicture.tsx'
import { useEntryState } from '../../hooks/useEntryState.ts'
import { useLazyModule } from '../../hooks/useLazyModule.ts'
import { useMoney } from '../../hooks/useMoney.ts'
import { useText } from '../../hooks/useText.ts'
import { accountText } from '../../strings/account.ts'
import { shellText } from '../../strings/shell.ts'
import { tokensText } from '../../strings/tokens.ts'
import css from '../../styles/holdings.css?inline'
import { Countdown } from './Countdown.tsx'

/** Height of the list of tokens before it scrolls, in units: four rows and a half. */
const listHeight = 252
/** Height of the grid of NFTs before it scrolls, in units: a row, and most of the next pictures. */
const gridHeight = 344

/** The value of all tokens, in the visitor's currency. */
export function Total({ list }: { list: TokenList | undefined }) {
  const t = useText(tokensText)
  const money = useMoney()
  if (!list)
    return (
      <div className="gf-balance-state" role="status" aria-label={t('tokens.loading')}>
        <span className="gf-skeleton" />
      </div>
    )
  const [main, cents, rest] = money(list.total)
  const text = main + cents + rest
  return (
    <>
      <p
        className="gf-balance"
        aria-label={`${t('tokens.total')}: ${text}`}
        role="group"
        style={{ '--len': text.length }}
      >
        <bdi>
          {main}
          <span>{cents}</span>
          {rest}
        </bdi>
      </p>
      {list.isPartial && <small className="gf-at-least">{t('tokens.atLeast')}</small>}
    </>
  )
}

/** The account's actions as round buttons. */
export function RoundActions(props: {
  actions: readonly { name: AccountFeature['name']; view: string; icon: string }[]
}) {
  const kit = useInstance()
  const t = useText(accountText)
  if (props.actions.length === 0) return null
  return (
    <div className="gf-rounds" role="group" aria-label={t('account.actions')}>
      <Style css={css} />
      {props.actions.map(({ name, view, icon }) => (
        <button
          key={name}
          type="button"
          className="gf-round"
          onClick={() => push(kit, { name: view } as ViewEntry)}
        >
          <span>
            <Icon d={icon} size={24} />
          </span>
          {t(`account.${name}`)}
        </button>
      ))}
    </div>
  )
}

/** Tokens and, in other tabs, NFTs and activity. The tab is kept while the visitor opens other views. */
export function HoldingTabs(props: {
  holdings: Omit<Parameters<typeof Tokens>[0], 'canBuy'>
  hasNfts: boolean
  hasActivity: boolean
  canBuy: boolean
}) {
  const { hasNfts, hasActivity } = props
  const t = useText(tokensText)
  const saved = useEntryState(firstTab)
  const [tab, setTab] = useState(saved.tab)
  useEffect(() => void Object.assign(saved, { tab }), [saved, tab])
  const [isNear, setNear] = useState(false)
  const nfts = useLazyModule(hasNfts && (isNear || tab === 'nfts'), loadNfts)
  const activity = useLazyModule(hasActivity && (isNear || tab === 'activity'), loadActivity)
  const tokens = <Tokens {...props.holdings} canBuy={props.canBuy} />
  if (!hasNfts && !hasActivity) return tokens
  return (
    <Segmented
      label={t('tokens.sections')}
      tabs={[
        { value: 'tokens', label: t('tokens.label') },
        ...(hasNfts ? [{ value: 'nfts' as const, label: t('tokens.nfts') }] : []),
        ...(hasActivity ? [{ value: 'activity' as const, label: t('tokens.activity') }] : []),
      ]}
      value={tab}
      onChange={setTab}
      onIntent={setNear}
    >
      {tab === 'tokens' && tokens}
      {tab === 'nfts' && (nfts ? <nfts.NftGrid max={gridHeight} /> : <Loading />)}
      {tab === 'activity' && (activity ? <activity.ActivityList max={listHeight} /> : <Loading />)}
    </Segmented>
  )
}

const firstTab = (): { tab: 'tokens' | 'nfts' | 'activity' } => ({ tab: 'tokens' })
const loadNfts = () => import('../../chunks/nfts.ts')
const loadActivity = () => import('../../chunks/activity.ts')

/** The tokens of an account: while they load, if there are none, after a failure, and the list. */
export function Tokens(props: {
  list: TokenList | undefined
  isError: boolean
  isFetching: boolean
  failedAt: number
  canBuy: boolean
  onRetry: () => void
}) {
  const { list, isError, isFetching, onRetry } = props
  const kit = useInstance()
  const t = useText(tokensText)
  const [showsSpam, setShowsSpam] = useState(false)
  const showsSmall = useKitState((state) => state.preferences.showsSmall)
  const networkId = useKitState((state) => getNetwork(state)?.caipNetworkId)
  if (!list && isError)
    return (
      <Panel>
        <Empty plate="torn" title={t('tokens.failed')} role="alert">
          {t('tokens.failedHint')}
          <br />
          <Countdown until={isFetching ? 0 : props.failedAt + limits.balanceRetryDelayMs} />
        </Empty>
        <Button kind="primary" icon={retry} busy={isFetching} onClick={onRetry}>
          {t('tokens.askAgain')}
        </Button>
      </Panel>
    )
  if (!list) return <Loading label={t('tokens.loading')} />
  const listed = showsSpam ? list.tokens : list.tokens.filter(({ isSpam }) => !isSpam)
  const hidden = list.tokens.length - listed.length
  const large = listed.filter((token) => !isSmall(token, networkId))
  // Small balances are shown if the list would otherwise be empty.
  const small = large.length > 0 ? listed.length - large.length : 0
  const shown = showsSmall || small === 0 ? listed : large
  return (
    <Panel>
      {list.isPartial && (
        <Note
          kind="warn"
          role="status"
          title={t('tokens.partial')}
          end={
            <button type="button" className="gf-link" onClick={onRetry}>
              {t('tokens.askAgain')}
            </button>
          }
        >
          {t('tokens.partialHint')}
        </Note>
      )}
      {shown.length > 0 || hidden > 0 ? (
        <Scroll max={listHeight}>
          {shown.length > 0 && (
            <List label={t('tokens.label')}>
              {shown.map((token) => (
                <TokenRow
                  key={token.id}
                  token={token}
                  onClick={() => push(kit, { name: 'Token', data: { id: token.id } })}
                />
              ))}
            </List>
          )}
          {small > 0 && (
            <p className="gf-footer">
              {t(showsSmall ? 'tokens.small' : 'tokens.smallHidden', { n: small })}{' '}
              <button type="button" onClick={() => setShowsSmall(kit, !showsSmall)}>
                {t(showsSmall ? 'tokens.hideSmall' : 'tokens.showSmall')}
              </button>
            </p>
          )}
          {hidden > 0 && (
            <p className="gf-footer">
              {t('tokens.spam', { n: hidden })}{' '}
              <button type="button" onClick={() => setShowsSpam(true)}>
                {t('tokens.showSpam')}
              </button>
            </p>
          )}
          {showsSpam && <p className="gf-footer">{t('tokens.spamHint')}</p>}
        </Scroll>
      ) : (
        <>
          <Empty title={t('tokens.empty')}>{t('tokens.emptyHint')}</Empty>
          {props.canBuy && (
            <Button kind="primary" onClick={() => push(kit, { name: 'OnRampProviders' })}>
              {t('tokens.buy')}
            </Button>
          )}
        </>
      )}
    </Panel>
  )
}

/** Placeholders of rows, while a list or its code loads. */
function Loading(props: { label?: string }) {
  const t = useText(shellText)
  return (
    <Panel>
      <Scroll max={listHeight}>
        <List label={props.label ?? t('shell.loading')}>
          {[0, 1, 2, 3, 4].map((index) => (
            <RowSkeleton key={index} isRound />
          ))}
        </List>
      </Scroll>
    </Panel>
  )
}

function Panel({ children }: { children: ReactNode }) {
  return (
    <>
      <Style css={css} />
      <TokenStyle />
      <div className="gf-holdings">{children}</div>
    </>
  )
}

/**
 * A token with its balance and value. @param props.onClick - makes the row a
 * button
 */
export function TokenRow(props: {
  token: Token
  current?: boolean
  disabled?: boolean
  onClick?: () => void
}) {
  const { token, ...row } = props
  const t = useText(tokensText)
  return (
    <Row
      {...row}
      start={<TokenPicture token={token} />}
      title={
        <>
          {token.name}
          <span className="gf-hidden">
            {' '}
            {t('tokens.on', { name: '', network: token.network.name })}
          </span>
        </>
      }
      note={<TokenAmount amount={token.amount} symbol={token.symbol} />}
      end={
        <span className="gf-value">
          {token.value === undefined ? t('tokens.noPrice') : <Money value={token.value} compact />}
        </span>
      }
    />
  )
}
