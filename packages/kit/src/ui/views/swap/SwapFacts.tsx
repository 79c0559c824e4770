import { Fragment } from 'react'

import { limits } from '@gatefold/protocol'

import { add, fromNumber, fromUnits, multiply } from '../../../core/money/decimal.ts'
import { divide } from '../../../core/money/divide.ts'
import { formatPercent, formatRate } from '../../../core/money/formatRate.ts'
import { minimumOf } from '../../../core/money/swap/quote.ts'
import type { SwapQuote } from '../../../core/money/swap/quote.ts'
import type { Token } from '../../../core/money/tokens.ts'
import { useKitState } from '../../../react/context.ts'
import { chevron } from '../../icons/base.ts'
import { Money } from '../../parts/money/Amounts.tsx'
import { Fact, Facts } from '../../parts/money/Facts.tsx'
import { Icon } from '../../parts/Icon.tsx'
import { useText } from '../../hooks/useText.ts'
import { swapText } from '../../strings/swap.ts'
import { DeadlineField, SlippageChoice } from './SwapSettings.tsx'
import type { OperationFee } from './useOperationFee.ts'
import type { SwapSettings } from './useSwapSettings.ts'

/** Decimals of a rate before it is shortened for display. */
const rateDecimals = 18

/** The fees of a swap in US dollars, as decimal numbers; undefined without prices. */
export type Costs = { fee: string | undefined; gas: string | undefined; total: string | undefined }

/**
 * @param prices.native - the native currency, with its price
 * @param gasFee - in the smallest unit of the native currency
 */
export function costsOf(
  quote: SwapQuote,
  prices: { pay: Token | undefined; native: Token | undefined },
  gasFee: bigint | undefined,
): Costs & { gasAmount: string | undefined } {
  const { pay, native } = prices
  const paid = fromUnits(quote.amount, quote.pay.decimals)
  const share = quote.fee > 0 ? multiply(fromNumber(quote.fee) ?? '0', '0.01') : '0'
  const fee = pay?.price && multiply(multiply(paid, pay.price), share)
  const gasAmount = native && gasFee !== undefined ? fromUnits(gasFee, native.decimals) : undefined
  const gas = gasAmount && native?.price && multiply(gasAmount, native.price)
  return { fee, gas, gasAmount, total: fee && gas && add(fee, gas) }
}

/** An amount that may change, rounded down. */
export function Estimate({ units, token }: { units: bigint; token: Token }) {
  const locale = useKitState((state) => state.locale)
  return (
    <bdi>
      {formatRate(fromUnits(units, token.decimals), locale)} <bdi>{token.symbol}</bdi>
    </bdi>
  )
}

/** The rate of a quote as text, such as `1 ETH = 3,582.1 FLD`. An equation runs from left to right in every language. */
export function useRate(quote: SwapQuote | undefined): string {
  const t = useText(swapText)
  const locale = useKitState((state) => state.locale)
  if (!quote) return ''
  const { pay, get } = quote
  const rate = divide(
    fromUnits(quote.units, get.decimals),
    fromUnits(quote.amount, pay.decimals),
    rateDecimals,
  )
  return t('swap.rate', { a: pay.symbol, b: get.symbol, n: formatRate(rate, locale) })
}

/**
 * The terms of a swap.
 *
 * @param props.operation - the fee of a smart account
 * @param props.tokens - names the tokens on the route
 * @param props.slippage - in basis points
 * @param props.deadline - in minutes
 * @param props.onSettings - makes slippage and deadline editable
 */
export function SwapFacts(props: {
  quote: SwapQuote
  costs: ReturnType<typeof costsOf>
  operation: OperationFee | undefined
  native: Token | undefined
  tokens: readonly Token[]
  slippage: number
  deadline: number
  withRate?: boolean
  onSettings?: (change: SwapSettings) => void
}) {
  const { quote, costs, operation, native, tokens, slippage, deadline, onSettings } = props
  const t = useText(swapText)
  const locale = useKitState((state) => state.locale)
  const rate = useRate(quote)
  const percent = (value: number) => formatPercent(value, locale)
  const { priceImpact: impact } = quote
  const level =
    impact === undefined
      ? undefined
      : impact >= limits.priceImpactConfirmPercent
        ? 'gf-bad-text'
        : impact >= limits.priceImpactWarnPercent
          ? 'gf-warn-text'
          : 'gf-good-text'
  const route = quote.route.map((address, index) => {
    // Pools hold the token that wraps the native currency.
    if (index === 0) return quote.pay.symbol
    if (index === quote.route.length - 1) return quote.get.symbol
    const same = (token: Token) => token.address?.toLowerCase() === address.toLowerCase()
    return tokens.find(same)?.symbol ?? `${address.slice(0, 6)}…`
  })
  return (
    <Facts>
      {props.withRate && (
        <Fact label={t('swap.rateLabel')}>
          <bdi dir="ltr">{rate}</bdi>
        </Fact>
      )}
      <Fact label={t('swap.priceImpact')}>
        <span className={level}>{impact === undefined ? t('swap.unknown') : percent(impact)}</span>
      </Fact>
      <Fact label={t('swap.slippage')}>
        {onSettings ? (
          <SlippageChoice value={slippage} onChange={(value) => onSettings({ slippage: value })} />
        ) : (
          percent(slippage / 100)
        )}
      </Fact>
      <Fact label={t('swap.atLeast')}>
        <Estimate units={minimumOf(quote.units, slippage)} token={quote.get} />
      </Fact>
      {quote.hasDeadline && (
        <Fact label={t('swap.deadline')}>
          {onSettings ? (
            <DeadlineField value={deadline} onChange={(value) => onSettings({ deadline: value })} />
          ) : (
            t('swap.minutes', { n: deadline })
          )}
        </Fact>
      )}
      <Fact label={t('swap.fee')}>
        {costs.fee && <Money value={costs.fee} />}
        {costs.fee ? <small>{percent(quote.fee)}</small> : percent(quote.fee)}
      </Fact>
      {operation && !operation.fee ? (
        <Fact label={t('swap.gas')}>
          {operation.isLoading ? '…' : t(operation.fee === 0n ? 'swap.free' : 'swap.gasLater')}
        </Fact>
      ) : (
        costs.gasAmount &&
        native && (
          <Fact label={t(operation ? 'swap.gasUpTo' : 'swap.gas')}>
            {costs.gas ? (
              <Money value={costs.gas} />
            ) : (
              <bdi>
                {formatRate(costs.gasAmount, locale)} <bdi>{native.symbol}</bdi>
              </bdi>
            )}
          </Fact>
        )
      )}
      {route.length > 1 && (
        <Fact label={t('swap.route')}>
          <span className="gf-route">
            {route.map((symbol, index) => (
              <Fragment key={quote.route[index]}>
                {index > 0 && <Icon d={chevron} size={16} flip />}
                <bdi>{symbol}</bdi>
              </Fragment>
            ))}
          </span>
        </Fact>
      )}
    </Facts>
  )
}
