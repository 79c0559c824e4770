import { useEffect, useState } from 'react'
import type { ReactNode } from 'react'

import { limits } from '@gatefold/protocol'

import { fromUnits, multiply } from '../../../core/money/decimal.ts'
import { formatPercent, formatRate } from '../../../core/money/formatRate.ts'
import { formatBalance } from '../../../core/account/formatBalance.ts'
import { isRefusal } from '../../../core/money/swap/quote.ts'
import { swapState } from '../../../core/money/swap/swapState.ts'
import type { Token } from '../../../core/money/tokens.ts'
import { withReserve } from '../../../core/money/withReserve.ts'
import { push } from '../../../core/view/navigate.ts'
import type { SwapArguments, ViewData } from '../../../core/view/ViewData.ts'
import { useInstance, useKitState } from '../../../react/context.ts'
import { down } from '../../icons/account.ts'
import { retry } from '../../icons/base.ts'
import { updown } from '../../icons/swap.ts'
import { AmountField } from '../../parts/money/AmountField.tsx'
import { Money } from '../../parts/money/Amounts.tsx'
import { Button } from '../../parts/Button.tsx'
import { Empty } from '../../parts/Empty.tsx'
import { Icon } from '../../parts/Icon.tsx'
import { Note } from '../../parts/Note.tsx'
import { Style } from '../../parts/Style.tsx'
import { useEntryState } from '../../hooks/useEntryState.ts'
import { useMoney } from '../../hooks/useMoney.ts'
import { useText } from '../../hooks/useText.ts'
import { swapText } from '../../strings/swap.ts'
import css from '../../styles/swap.css?inline'
import { useCanBuy } from '../buy/useCanBuy.ts'
import { useCurrentNetwork } from '../networks/useCurrentNetwork.ts'
import { costsOf, SwapFacts, useRate } from './SwapFacts.tsx'
import { SlippageWarning } from './SwapSettings.tsx'
import { useOperationFee } from './useOperationFee.ts'
import { useSwapSettings } from './useSwapSettings.ts'
import { findPair, useGasPrice, usePriced, useQuote, useSwapTokens } from './useSwapTokens.ts'

/** The slippage of a new swap, in basis points. @see spec §9.3.1 */
const defaultSlippage = limits.swapSlippagePercent * 100

type EntryState = { swap: SwapArguments | undefined; isOpen: boolean; wasUnsupported: boolean }

const initialState = (): EntryState => ({ swap: undefined, isOpen: false, wasUnsupported: false })

/**
 * The two sides of a swap, its rate and costs, and the first problem.
 *
 * @see docs/views.md#swap
 */
export function Swap({ data }: { data: ViewData['Swap'] }) {
  const kit = useInstance()
  const t = useText(swapText)
  const locale = useKitState((state) => state.locale)
  const money = useMoney()
  const saved = useEntryState(initialState)
  const [settings, keepSettings] = useSwapSettings()
  const [swap, setSwap] = useState<SwapArguments>(saved.swap ?? { ...settings, ...data })
  const [isOpen, setOpen] = useState(saved.isOpen)
  const [isReadingMax, setReadingMax] = useState(false)
  useEffect(() => void Object.assign(saved, { swap, isOpen }), [saved, swap, isOpen])

  const { network, tokens, native, isUnsupported, ...list } = useSwapTokens()
  const pair = findPair(tokens, swap)
  const gasPrice = useGasPrice(isUnsupported ? undefined : network)
  const priced = usePriced({ ...pair, native })
  const text = swap.amount ?? ''
  const { slippage = defaultSlippage, deadline = limits.swapDeadlineMinutes } = swap
  const parameters = { ...pair, text, native, gasPrice }
  const { amount } = swapState({ ...parameters, quote: undefined, isFailed: false })
  const { quote: latest, isFailed } = useQuote(pair, amount)
  const quote = latest && !isRefusal(latest) ? latest : undefined
  const operation = useOperationFee({ ...pair, quote, slippage, deadline })
  const state = swapState({ ...parameters, operation, quote: latest, isFailed })
  const refused = latest && isRefusal(latest) ? latest.refused : undefined
  const rate = useRate(quote)
  const ordinaryGas = (gasPrice ?? 0n) * BigInt(limits.swapGasUnits)

  const missing =
    state.status === 'balance' ? pair.pay : state.status === 'gas' ? native : undefined
  const canBuy = useCanBuy(missing?.id) && Boolean(missing)

  const hasNoSwaps = isUnsupported || refused === 'no_swaps'
  useEffect(() => {
    // Opened only once, so that the visitor can go back from that view.
    if (!hasNoSwaps || saved.wasUnsupported) return
    Object.assign(saved, { wasUnsupported: true })
    push(kit, { name: 'UnsupportedChain', data: { context: 'swap' } })
  }, [kit, hasNoSwaps, saved])
  if (hasNoSwaps) return <Unsupported />

  if (!tokens && list.isFailed)
    return (
      <div className="gf-body">
        <Empty plate="torn" role="alert" title={t('swap.tokensFailed')}>
          {t('swap.tokensFailedHint')}
        </Empty>
        <Button kind="primary" icon={retry} busy={list.isFetching} onClick={list.retry}>
          {t('swap.tryAgain')}
        </Button>
      </div>
    )

  const { pay, get } = pair
  const change = (next: SwapArguments) => setSwap((last) => ({ ...last, ...next }))
  const setMax = async () => {
    if (!pay) return
    let max = state.max!
    if (operation && !pay.address && operation.fee === undefined) {
      setReadingMax(true)
      const fee = await operation.readFee()
      setReadingMax(false)
      const reserve = fee === undefined ? ordinaryGas : withReserve(fee)
      max = pay.units > reserve ? pay.units - reserve : 0n
    }
    change({ amount: fromUnits(max, pay.decimals) })
  }
  const select = (side: 'fromToken' | 'toToken') =>
    push(kit, {
      name: 'SwapSelectToken',
      data: {
        side,
        // The tokens are unknown while the list is loading.
        swap: tokens ? { ...swap, fromToken: pay?.id, toToken: get?.id } : swap,
      },
    })
  const amountText = (units: bigint, token: Token) =>
    `${formatRate(fromUnits(units, token.decimals), locale)} ${token.symbol}`
  const valueOf = (units: bigint | undefined, token: Token | undefined) =>
    units && token?.price ? multiply(fromUnits(units, token.decimals), token.price) : undefined
  const paidValue = valueOf(state.amount, priced.pay)
  const gotValue = valueOf(quote?.units, priced.get)
  const costs = quote && costsOf(quote, priced, state.fee)
  const { label, hint } = describe()

  function describe(): { label: string; hint?: string } {
    const values = { a: pay?.symbol ?? '', b: get?.symbol ?? '', network: network?.name ?? '' }
    const gas = native && state.fee !== undefined ? amountText(state.fee, native) : ''
    switch (state.status) {
      case 'noToken':
        return { label: t('swap.select') }
      case 'noAmount':
        return { label: t('swap.enter') }
      case 'decimals':
        return { label: t('swap.check') }
      case 'balance': {
        const label = t('swap.notEnough', { symbol: pay!.symbol })
        if (state.reserve === 0n || state.max === 0n) return { label }
        const left = { max: amountText(state.max!, pay!), gas: amountText(state.reserve, pay!) }
        return { label, hint: t('swap.upTo', left) }
      }
      case 'gas':
        return {
          label: t('swap.notEnoughGas', { symbol: native!.symbol }),
          hint: t('swap.gasHint', { gas }),
        }
      case 'quoting':
        return { label: t('swap.quoting') }
      case 'failed':
        return { label: t('swap.noPrice'), hint: t('swap.noPriceHint') }
      case 'refused':
        if (refused === 'low_liquidity')
          return { label: t('swap.lowLiquidity'), hint: t('swap.lowLiquidityHint', values) }
        return {
          label: t('swap.noRoute'),
          hint: t(refused === 'no_route' ? 'swap.noRouteHint' : 'swap.refusedHint', values),
        }
      case 'ready':
        return { label: t('swap.review') }
    }
  }

  return (
    <div className="gf-body">
      <Style css={css} />
      <div className="gf-halves" aria-busy={!tokens}>
        <AmountField
          label={t('swap.pay')}
          value={text}
          onChange={(value) => change({ amount: value })}
          token={pay}
          selectLabel={t('swap.select')}
          onSelect={() => select('fromToken')}
          error={state.status === 'decimals' ? t('swap.decimals', { n: pay!.decimals }) : undefined}
          end={
            pay && (
              <Balance token={pay} isShort={state.status === 'balance'}>
                <button
                  type="button"
                  className="gf-max"
                  disabled={state.max === 0n}
                  aria-disabled={isReadingMax || undefined}
                  onClick={isReadingMax ? undefined : () => void setMax()}
                >
                  {t('swap.max')}
                </button>
              </Balance>
            )
          }
          under={paidValue && <Money value={paidValue} />}
        />
        <AmountField
          label={t('swap.get')}
          value={quote ? formatRate(fromUnits(quote.units, quote.get.decimals), locale) : ''}
          token={get}
          selectLabel={t('swap.select')}
          onSelect={() => select('toToken')}
          busy={state.status === 'quoting'}
          end={get && <Balance token={get} />}
          under={gotValue && <Money value={gotValue} />}
        />
        <button
          type="button"
          className="gf-flip"
          aria-label={t('swap.flip')}
          disabled={!tokens}
          onClick={() =>
            change({
              fromToken: get?.id,
              toToken: pay?.id,
              amount: quote ? fromUnits(quote.units, quote.get.decimals) : text,
            })
          }
        >
          <Icon d={updown} />
        </button>
      </div>
      {quote && costs && (
        <div className="gf-costs">
          <button
            type="button"
            className="gf-unfold"
            aria-expanded={isOpen}
            onClick={() => setOpen(!isOpen)}
          >
            <span>
              <bdi dir="ltr">{rate}</bdi>
            </span>
            <span>
              {costs.total
                ? t('swap.cost', { money: money(costs.total).join('') })
                : t('swap.details')}
            </span>
            <Icon d={down} size={16} />
          </button>
          {isOpen && (
            <SwapFacts
              quote={quote}
              costs={costs}
              operation={operation}
              native={native}
              tokens={tokens ?? []}
              slippage={slippage}
              deadline={deadline}
              onSettings={(next) => {
                keepSettings(next)
                change(next)
              }}
            />
          )}
        </div>
      )}
      {quote && <SlippageWarning slippage={slippage} />}
      {quote && (quote.priceImpact ?? 0) >= limits.priceImpactWarnPercent && (
        <Note kind="warn" role="status" title={t('swap.impactWarn')}>
          {t('swap.impactHint', { percent: formatPercent(quote.priceImpact!, locale) })}
        </Note>
      )}
      {state.status === 'noToken' && tokens ? (
        <Button kind="primary" onClick={() => select(pay ? 'toToken' : 'fromToken')}>
          {label}
        </Button>
      ) : (
        <Button
          kind="primary"
          busy={state.status === 'quoting' || !tokens}
          disabled={state.status !== 'ready' && state.status !== 'quoting' && Boolean(tokens)}
          onClick={() =>
            push(kit, {
              name: 'SwapPreview',
              data: {
                swap: { fromToken: pay!.id, toToken: get!.id, amount: text, slippage, deadline },
              },
            })
          }
        >
          {tokens ? label : t('swap.loading')}
        </Button>
      )}
      {missing && canBuy && (
        <Button onClick={() => push(kit, { name: 'OnRampProviders', data: { token: missing.id } })}>
          {t('swap.buy', { symbol: missing.symbol })}
        </Button>
      )}
      <p className="gf-footer" role="status" hidden={!hint}>
        {hint}
      </p>
    </div>
  )
}

/**
 * The balance of a token.
 *
 * @param props.isShort - whether the amount is above it
 * @param props.children - a button after it
 */
function Balance(props: { token: Token; isShort?: boolean; children?: ReactNode }) {
  const { token, isShort, children } = props
  const t = useText(swapText)
  const locale = useKitState((state) => state.locale)
  const amount = `${formatBalance(token.amount, locale)} ${token.symbol}`
  return (
    <span className="gf-amount-end">
      {isShort ? (
        <span className="gf-bad-text" role="alert">
          {t('swap.only', { amount })}
        </span>
      ) : (
        <span>
          <span className="gf-hidden">{t('swap.balance', { amount })}</span>
          <bdi aria-hidden>{amount}</bdi>
        </span>
      )}
      {children}
    </span>
  )
}

/** The network has no swaps. Shown if the visitor goes back from UnsupportedChain. */
function Unsupported() {
  const kit = useInstance()
  const t = useText(swapText)
  const { name } = useCurrentNetwork()
  return (
    <div className="gf-body">
      <Empty title={t('swap.unsupported', { network: name })}>{t('swap.unsupportedHint')}</Empty>
      <Button onClick={() => push(kit, { name: 'Networks' })}>{t('swap.networks')}</Button>
    </div>
  )
}
