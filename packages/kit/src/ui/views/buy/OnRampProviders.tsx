import { useEffect, useState } from 'react'

import { limits } from '@gatefold/protocol'

import { compare, roundDown } from '../../../core/money/decimal.ts'
import { formatMoney } from '../../../core/money/formatMoney.ts'
import { formatRate } from '../../../core/money/formatRate.ts'
import { buyState, moneyDecimals } from '../../../core/money/onramp/buyState.ts'
import type { OnrampQuote, OnrampRefusal } from '../../../core/money/onramp/onramp.ts'
import type { OnrampOptions, OnrampToken } from '../../../core/money/onramp/options.ts'
import { forgetOrder } from '../../../core/money/onramp/orders.ts'
import { openPopup } from '../../../core/platform/openPopup.ts'
import { GatewayError } from '../../../core/kit/requestErrors.ts'
import { push } from '../../../core/view/navigate.ts'
import { currentView } from '../../../core/view/view.ts'
import type { BuyArguments, ViewData } from '../../../core/view/ViewData.ts'
import { useInstance, useKitState } from '../../../react/context.ts'
import { useKitCreateOnrampOrder, useKitOnrampOrder } from '../../../react/onramp.ts'
import { buy } from '../../icons/account.ts'
import { retry as retryIcon } from '../../icons/base.ts'
import { bank } from '../../icons/buy.ts'
import { AmountField } from '../../parts/money/AmountField.tsx'
import { Artwork } from '../../parts/Artwork.tsx'
import { Button } from '../../parts/Button.tsx'
import { Empty } from '../../parts/Empty.tsx'
import { Icon } from '../../parts/Icon.tsx'
import { List, Row, RowChevron, RowSkeleton } from '../../parts/List.tsx'
import { Note } from '../../parts/Note.tsx'
import { Scroll } from '../../parts/Scroll.tsx'
import { Segmented } from '../../parts/Segmented.tsx'
import { Skeletons } from '../../parts/money/Skeletons.tsx'
import { Style } from '../../parts/Style.tsx'
import { useEntryState } from '../../hooks/useEntryState.ts'
import { useText } from '../../hooks/useText.ts'
import { buyText } from '../../strings/buy.ts'
import css from '../../styles/buy.css?inline'
import { useBuyOptions, useChoice, useNewestOrder } from './useBuy.ts'
import { useFollowOrder } from './useOrderReport.ts'
import { useOrderTexts } from './useOrderTexts.ts'
import { useQuotes } from './useQuotes.ts'
import { setWindow } from './windows.ts'

/** Amounts to choose from. @see spec §9.5 */
const presets = ['100', '250', '500', '1000'] as const

/** Height of the list of providers before it scrolls, in units: three rows and a half. */
const listHeight = 200

const initialState = (): { purchase: BuyArguments | undefined } => ({ purchase: undefined })

/**
 * Buys tokens with money: the amount, and the providers with their prices.
 *
 * @see docs/views.md#onrampproviders
 */
export function OnRampProviders({ data }: { data: ViewData['OnRampProviders'] }) {
  const t = useText(buyText)
  const saved = useEntryState(initialState)
  const [purchase, setPurchase] = useState<BuyArguments>(saved.purchase ?? data ?? {})
  useEffect(() => void Object.assign(saved, { purchase }), [saved, purchase])
  const { options, isFailed, isFetching, retry } = useBuyOptions()
  const choice = useChoice(options, purchase)
  if (isFailed)
    return (
      <div className="gf-body">
        <Empty plate="torn" role="alert" title={t('buy.optionsFailed')}>
          {t('buy.optionsFailedHint')}
        </Empty>
        <Button kind="primary" icon={retryIcon} busy={isFetching} onClick={retry}>
          {t('buy.tryAgain')}
        </Button>
      </div>
    )
  if (!options)
    return (
      <div className="gf-body">
        <Skeletons label={t('buy.loading')} heights={[44, 252, 44, 168, 48, 28]} />
      </div>
    )
  if (!choice)
    return (
      <div className="gf-body">
        <Empty title={t('buy.unavailable')}>{t('buy.unavailableHint')}</Empty>
      </div>
    )
  return (
    <Purchase
      {...choice}
      options={options}
      purchase={purchase}
      onChange={(next) => setPurchase((last) => ({ ...last, ...next }))}
    />
  )
}

type Choice = NonNullable<ReturnType<typeof useChoice>> & { options: OnrampOptions }

function Purchase(
  props: Choice & { purchase: BuyArguments; onChange: (next: BuyArguments) => void },
) {
  const { currency, method, onChange } = props
  const t = useText(buyText)
  const newest = useNewestOrder()
  const form = <Form {...props} />
  return (
    <div className="gf-body">
      <Style css={css} />
      {newest && <Unfinished id={newest} />}
      {currency.methods.length > 1 ? (
        <Segmented
          label={t('buy.ways')}
          tabs={currency.methods.map(({ id }) => ({
            value: id,
            label: (
              <>
                <Icon d={id === 'card' ? buy : bank} size={16} />
                {t(`buy.${id}`)}
              </>
            ),
          }))}
          value={method.id}
          onChange={(id) => onChange({ method: id })}
        >
          {form}
        </Segmented>
      ) : (
        form
      )}
    </div>
  )
}

function Form(props: Parameters<typeof Purchase>[0]) {
  const { purchase, token, currency, method, onChange } = props
  const kit = useInstance()
  const t = useText(buyText)
  const locale = useKitState((state) => state.locale)
  const text = purchase.amount ?? String(limits.onrampDefaultAmount)
  const state = { text, method, provider: purchase.provider }
  const { amount } = buyState({ ...state, quotes: undefined, isFailed: false })
  const { code } = currency
  const { quotes, isFailed, seconds, refresh } = useQuotes(
    amount === undefined ? undefined : { token, currency: code, amount, method: method.id },
  )
  const { status, quote } = buyState({ ...state, quotes, isFailed })
  const order = useStartOrder(purchase, refresh)
  const money = (value: string) => formatMoney(value, code, locale, { short: true }).join('')
  const select = (name: 'OnRampFiatSelect' | 'OnRampTokenSelect') =>
    push(kit, {
      name,
      data: { purchase: { ...purchase, token: token.id, currency: code, method: method.id } },
    })
  const { options } = props
  const nameOf = ({ provider }: OnrampRefusal) =>
    options.providers.find(({ id }) => id === provider)?.name ?? provider
  const limit = roundDown(status === 'tooLittle' ? method.min : method.max, moneyDecimals)
  const error = {
    decimals: t('buy.decimals'),
    tooLittle: t('buy.tooLittle', { money: money(method.min) }),
    tooMuch: t('buy.tooMuch', { money: money(method.max) }),
  }[status as string]
  const allowed = presets.filter(
    (preset) => compare(method.min, preset) <= 0 && compare(preset, method.max) <= 0,
  )
  return (
    <div className="gf-buy">
      <div className="gf-halves">
        <AmountField
          label={t('buy.pay')}
          value={text}
          onChange={(value) => onChange({ amount: value })}
          token={{ symbol: code, image: undefined }}
          selectLabel={t('buy.selectCurrency')}
          onSelect={() => select('OnRampFiatSelect')}
          error={error}
          under={
            <span>
              {quote
                ? t('buy.fee', { money: formatMoney(quote.fee, code, locale).join('') })
                : t('buy.limits', { min: money(method.min), max: money(method.max) })}
            </span>
          }
        />
        <AmountField
          label={t('buy.get')}
          value={quote ? formatRate(quote.receives, locale) : ''}
          token={token}
          selectLabel={t('buy.selectToken')}
          onSelect={() => select('OnRampTokenSelect')}
          busy={status === 'quoting'}
          under={<span>{token.network.name}</span>}
        />
      </div>
      {allowed.length > 0 && (
        <div className="gf-presets" role="group" aria-label={t('buy.presets')}>
          {allowed.map((preset) => (
            <button
              key={preset}
              type="button"
              aria-pressed={amount === preset}
              onClick={() => onChange({ amount: preset })}
            >
              {money(preset)}
            </button>
          ))}
        </div>
      )}
      {status === 'quoting' && (
        <List label={t('buy.quoting')}>
          <RowSkeleton />
        </List>
      )}
      {quotes && quote && (
        <Scroll max={listHeight}>
          <List label={t('buy.providers')}>
            {quotes.quotes.map((one) => (
              <ProviderRow
                key={one.id}
                quote={one}
                isBest={one === quotes.quotes[0] && quotes.quotes.length > 1}
                current={one === quote}
                onClick={() => onChange({ provider: one.provider })}
              />
            ))}
            {quotes.refusals.map((refusal) => (
              <RefusalRow
                key={refusal.provider}
                refusal={refusal}
                name={nameOf(refusal)}
                token={token}
                currency={code}
              />
            ))}
          </List>
        </Scroll>
      )}
      {status === 'refused' && (
        <Empty title={t('buy.none', { symbol: token.symbol, currency: code })}>
          {quotes?.refusals[0]?.description || t('buy.noneHint')}
        </Empty>
      )}
      {status === 'failed' && (
        <Note kind="warn" role="status" title={t('buy.failed')}>
          {t('buy.failedHint')}
        </Note>
      )}
      {order.error && status === 'ready' && <OrderError error={order.error} />}
      {status === 'refused' && (
        <div className="gf-buttons">
          <Button onClick={() => select('OnRampFiatSelect')}>{t('buy.selectCurrency')}</Button>
          <Button onClick={() => select('OnRampTokenSelect')}>{t('buy.selectToken')}</Button>
        </div>
      )}
      {status === 'failed' && <Button onClick={refresh}>{t('buy.tryAgain')}</Button>}
      {(status === 'tooLittle' || status === 'tooMuch') && (
        <Button kind="primary" onClick={() => onChange({ amount: limit })}>
          {t('buy.use', { money: money(limit) })}
        </Button>
      )}
      {['noAmount', 'decimals', 'quoting', 'ready'].includes(status) && (
        <Button
          kind="primary"
          busy={status === 'quoting' || order.isPending}
          disabled={!quote && status !== 'quoting'}
          onClick={() => quote && order.start(quote)}
        >
          {quote
            ? t(order.isPending ? 'buy.opening' : 'buy.continue', { provider: quote.providerName })
            : t(status === 'quoting' ? 'buy.quoting' : 'buy.enter')}
        </Button>
      )}
      <p className="gf-footer">
        {seconds !== undefined && quote && (
          <>{seconds > 0 ? t('buy.refresh', { n: seconds }) : t('buy.refreshing')} </>
        )}
        <button type="button" onClick={() => push(kit, { name: 'WhatIsABuy' })}>
          {t('buy.how')}
        </button>
      </p>
    </div>
  )
}

/** A provider with its price, to choose. */
function ProviderRow(props: {
  quote: OnrampQuote
  isBest: boolean
  current: boolean
  onClick: () => void
}) {
  const { quote, isBest, current, onClick } = props
  const t = useText(buyText)
  const locale = useKitState((state) => state.locale)
  return (
    <Row
      start={<Artwork name={quote.providerName} />}
      title={quote.providerName}
      note={t('buy.feeOnly', { money: formatMoney(quote.fee, quote.currency, locale).join('') })}
      current={current}
      onClick={onClick}
      end={
        <span className="gf-price">
          <bdi>
            {formatRate(quote.receives, locale)} <bdi>{quote.token.symbol}</bdi>
          </bdi>
          {isBest && <small className="gf-best">{t('buy.best')}</small>}
        </span>
      }
    />
  )
}

const refusalCodes = [
  'token_not_sold',
  'currency_not_taken',
  'amount_out_of_range',
  'provider_down',
] as const

/** A provider without a price, and why. */
function RefusalRow(props: {
  refusal: OnrampRefusal
  name: string
  token: OnrampToken
  currency: string
}) {
  const { refusal, name, token, currency } = props
  const t = useText(buyText)
  const code = refusalCodes.find((one) => one === refusal.code)
  const values = { symbol: token.symbol, network: token.network.name, currency }
  return (
    <Row
      start={<Artwork name={name} />}
      title={name}
      note={code ? t(`buy.${code}`, values) : refusal.description}
    />
  )
}

/** The newest order whose outcome the visitor has not seen. */
function Unfinished({ id }: { id: string }) {
  const kit = useInstance()
  const t = useText(buyText)
  const { data: order, error } = useKitOnrampOrder(id)
  const isGone = error instanceof GatewayError && error.status === 404
  useEffect(() => {
    if (isGone || order?.status === 'expired') forgetOrder(kit, id)
  }, [kit, id, isGone, order])
  const { money, summary } = useOrderTexts(order)
  if (!order || isGone || order.status === 'expired') return null
  return (
    <List label={t('buy.purchases')}>
      <Row
        start={<Artwork name={order.providerName} />}
        title={t('buy.with', { money, provider: order.providerName })}
        note={summary}
        end={<RowChevron />}
        onClick={() => push(kit, { name: 'BuyInProgress', data: { orderId: id } })}
      />
    </List>
  )
}

/** Why an order could not be created. */
function OrderError({ error }: { error: Error }) {
  const t = useText(buyText)
  const { status, field } = error instanceof GatewayError ? error : {}
  const { shortMessage = error.message } = error as { shortMessage?: string }
  const [title, hint] =
    field === 'quoteId'
      ? [t('buy.expiredQuote'), t('buy.expiredQuoteHint')]
      : status === 429
        ? [t('buy.tooMany'), t('buy.tooManyHint')]
        : [t('buy.notStarted'), t('buy.notStartedHint', { reason: shortMessage })]
  return (
    <Note kind="bad" role="alert" title={title}>
      {hint}
    </Note>
  )
}

/**
 * Creates an order and opens its page in a window. If the visitor leaves the
 * view in the meantime, the order is followed in the background.
 *
 * @param onExpired - called if the quote has expired
 */
function useStartOrder(purchase: BuyArguments, onExpired: () => void) {
  const kit = useInstance()
  const t = useText(buyText)
  const { outcome } = useOrderTexts(undefined)
  const follow = useFollowOrder(outcome)
  const { mutateAsync, isPending, error } = useKitCreateOnrampOrder()
  const start = async (quote: OnrampQuote) => {
    // Before the request, because browsers block windows that open after one.
    const popup = openPopup(t('buy.opening', { provider: quote.providerName }))
    try {
      const { id, url } = await mutateAsync({ quote })
      setWindow(kit, id, popup)
      popup?.navigate(url)
      const { view } = kit.getState()
      if (view.open && currentView(view).name === 'OnRampProviders')
        push(kit, { name: 'BuyInProgress', data: { orderId: id, purchase } })
      else follow(id)
    } catch (cause) {
      popup?.close()
      if (cause instanceof GatewayError && cause.field === 'quoteId') onExpired()
    }
  }
  return { start: (quote: OnrampQuote) => void start(quote), isPending, error }
}
