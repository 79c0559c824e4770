import { useState } from 'react'
import type { ReactNode } from 'react'

import { limits } from '@gatefold/protocol'

import { getAccount, getSession } from '../../../core/connection/account.ts'
import { UserRejectedError } from '../../../core/kit/errors.ts'
import { GatewayError, WrongHashError } from '../../../core/kit/requestErrors.ts'
import { fromUnits, multiply } from '../../../core/money/decimal.ts'
import { formatAmount } from '../../../core/money/formatAmount.ts'
import { formatPercent, formatRate } from '../../../core/money/formatRate.ts'
import {
  PermitSignerError,
  PriceMovedError,
  SwapChangedError,
  SwapNotIncludedError,
  SwapRevertedError,
  UnsafeTransactionError,
} from '../../../core/money/swap/errors.ts'
import { canBatch } from '../../../core/money/swap/batch.ts'
import { isRefusal, minimumOf } from '../../../core/money/swap/quote.ts'
import { buildApproval, getAllowance } from '../../../core/money/swap/swap.ts'
import { readPermit } from '../../../core/money/swap/permit.ts'
import type { SwapOrder } from '../../../core/money/swap/swap.ts'
import { idOf } from '../../../core/money/tokens.ts'
import { swapState } from '../../../core/money/swap/swapState.ts'
import type { Token } from '../../../core/money/tokens.ts'
import { explorerUrl } from '../../../core/networks/explorerUrl.ts'
import { openLink } from '../../../core/platform/openLink.ts'
import { safeHref } from '../../../core/platform/safeHref.ts'
import { goBack, reset } from '../../../core/view/navigate.ts'
import type { ViewData } from '../../../core/view/ViewData.ts'
import { useInstance, useKitState } from '../../../react/context.ts'
import { useKitAccount } from '../../../react/hooks.ts'
import { useKitQuery } from '../../../react/queries.ts'
import { check, retry } from '../../icons/base.ts'
import { external } from '../../icons/guide.ts'
import { Artwork } from '../../parts/Artwork.tsx'
import { Button } from '../../parts/Button.tsx'
import { Empty } from '../../parts/Empty.tsx'
import { FacingPages } from '../../parts/FacingPages.tsx'
import type { FacingPagesState } from '../../parts/FacingPages.tsx'
import { Icon } from '../../parts/Icon.tsx'
import { Message } from '../../parts/Message.tsx'
import { Money, TokenAmount } from '../../parts/money/Amounts.tsx'
import { Skeletons } from '../../parts/money/Skeletons.tsx'
import { Note } from '../../parts/Note.tsx'
import { Style } from '../../parts/Style.tsx'
import { useLastValue } from '../../hooks/useLastValue.ts'
import { useText } from '../../hooks/useText.ts'
import { useWalletName } from '../../hooks/useWalletName.ts'
import { swapText } from '../../strings/swap.ts'
import factsCss from '../../styles/facts.css?inline'
import css from '../../styles/swap.css?inline'
import { Estimate, costsOf, SwapFacts } from './SwapFacts.tsx'
import { SlippageWarning } from './SwapSettings.tsx'
import { useOperationFee } from './useOperationFee.ts'
import { isAsked, useSwapRun } from './useSwapRun.ts'
import type { SwapRun } from './useSwapRun.ts'
import { findPair, useGasPrice, usePriced, useQuote, useSwapTokens } from './useSwapTokens.ts'

/**
 * The terms of a swap, to confirm; then its progress and its result.
 *
 * @see docs/views.md#swappreview
 */
export function SwapPreview({ data }: { data: ViewData['SwapPreview'] }) {
  const kit = useInstance()
  const t = useText(swapText)
  const { network, tokens, native, isFailed: hasNoTokens } = useSwapTokens()
  const { fromToken, toToken, amount: text, slippage, deadline } = data.swap
  const live = useKitState((state) => Boolean(getAccount(state)))
  const account = useLastValue(
    useKitState((state) => getAccount(state)?.address),
    live,
  )
  const networkId = network?.caipNetworkId
  const [start] = useState({ account, networkId })
  const isChanged = account !== start.account || networkId !== start.networkId
  const { pay, get } = findPair(tokens, { fromToken, toToken })
  const { run, ...runs } = useSwapRun({
    failed: t('swap.failed'),
    unknown: t('swap.unsure'),
  })

  if (run) return <Progress run={run} onReview={runs.reset} />
  if (isChanged)
    return (
      <div className="gf-body">
        <Message role="alert" title={t('swap.changed')}>
          {t('swap.changedHint')}
        </Message>
        <Button kind="primary" onClick={() => goBack(kit)}>
          {t('swap.back')}
        </Button>
      </div>
    )
  if (!tokens)
    return (
      <div className="gf-body">
        <Style css={css} />
        {hasNoTokens ? (
          <Empty plate="torn" role="alert" title={t('swap.tokensFailed')}>
            {t('swap.tokensFailedHint')}
          </Empty>
        ) : (
          <Skeletons label={t('swap.loading')} heights={[112, 291, 61, 48]} />
        )}
      </div>
    )
  return (
    <Review
      pay={pay}
      get={get}
      native={native}
      tokens={tokens}
      text={text}
      slippage={slippage}
      deadline={deadline}
      account={account ?? ''}
      onStart={runs.start}
    />
  )
}

function Review(props: {
  pay: Token | undefined
  get: Token | undefined
  native: Token | undefined
  tokens: readonly Token[]
  text: string
  slippage: number
  deadline: number
  account: string
  onStart: (order: SwapOrder) => void
}) {
  const { pay, get, native, tokens, text, slippage, deadline, account, onStart } = props
  const kit = useInstance()
  const t = useText(swapText)
  const locale = useKitState((state) => state.locale)
  const { wallet } = useWalletName()
  const [isAccepted, setAccepted] = useState(false)
  const gasPrice = useGasPrice(pay?.network)
  const priced = usePriced({ pay, get, native })
  const parameters = { pay, get, text, native, gasPrice }
  const { amount = 0n } = swapState({ ...parameters, quote: undefined, isFailed: false })
  const { quote: latest, isFailed } = useQuote({ pay, get }, amount)
  const quote = latest && !isRefusal(latest) ? latest : undefined
  const operation = useOperationFee({ pay, get, quote, slippage, deadline })
  const { status, fee } = swapState({ ...parameters, operation, quote: latest, isFailed })
  const spending = useKitQuery({
    name: 'swapAllowance',
    key: [pay && idOf(pay), get && idOf(get), String(amount), account],
    enabled: Boolean(pay?.address && get),
    staleTime: 0,
    load: async (_, signal) => {
      const order = { pay: pay!, get: get!, amount, account }
      const [allowance, permit, isBatch] = await Promise.all([
        getAllowance(kit, order, signal),
        readPermit(kit, order),
        canBatch(kit, pay!.network),
      ])
      // Only a remaining allowance may have to be reset.
      const isReset =
        allowance > 0n &&
        allowance < amount &&
        Boolean((await buildApproval(kit, order, signal).catch(() => undefined))?.reset)
      const way = isBatch
        ? isReset
          ? 'batchWithReset'
          : 'batch'
        : permit
          ? 'permit'
          : isReset
            ? 'thrice'
            : 'twice'
      return { allowance, way } as const
    },
  }).data
  const isShort = Boolean(pay?.address) && spending !== undefined && spending.allowance < amount
  const signing = isShort ? spending.way : 'once'
  const impact = quote?.priceImpact ?? 0
  const needsTick = impact >= limits.priceImpactConfirmPercent
  const percent = formatPercent(impact, locale)
  const isReady = status === 'ready' && (!needsTick || isAccepted)
  const problem = {
    balance: t('swap.notEnough', { symbol: pay?.symbol ?? '' }),
    gas: t('swap.notEnoughGas', { symbol: native?.symbol ?? '' }),
    refused: t('swap.noRoute'),
    failed: t('swap.noPrice'),
  }[status as string]
  const seconds = limits.quoteRefreshMs / 1000
  const confirm = () => {
    if (quote)
      onStart({
        pay: quote.pay,
        get: quote.get,
        amount: quote.amount,
        minimum: minimumOf(quote.units, slippage),
        slippage,
        deadline,
        account,
      })
  }
  return (
    <div className="gf-body">
      <Style css={css} />
      {/* For the buttons, also while there are no facts. */}
      <Style css={factsCss} />
      <div className="gf-sides">
        {pay && (
          <Side label={t('swap.pay')} token={pay} price={priced.pay?.price} units={amount}>
            <TokenAmount amount={fromUnits(amount, pay.decimals)} symbol={pay.symbol} as="exact" />
          </Side>
        )}
        {get && (
          <Side label={t('swap.get')} token={get} price={priced.get?.price} units={quote?.units}>
            {quote ? <Estimate units={quote.units} token={get} /> : '…'}
          </Side>
        )}
      </div>
      {status === 'quoting' && <Skeletons label={t('swap.quoting')} heights={[291, 61]} />}
      {quote && (
        <SwapFacts
          quote={quote}
          costs={costsOf(quote, priced, fee)}
          operation={operation}
          native={native}
          tokens={tokens}
          slippage={slippage}
          deadline={deadline}
          withRate
        />
      )}
      {quote && <SlippageWarning slippage={slippage} />}
      {impact >= limits.priceImpactWarnPercent ? (
        <Note kind={needsTick ? 'bad' : 'warn'} role="status" title={t('swap.impactWarn')}>
          {t('swap.impactHint', { percent })}
        </Note>
      ) : (
        pay &&
        quote && (
          <Note>
            {signing === 'once'
              ? t('swap.once', { wallet, n: seconds })
              : t(signingTexts[signing], {
                  wallet,
                  n: seconds,
                  amount: exact(amount, pay, locale),
                  symbol: pay.symbol,
                })}
          </Note>
        )
      )}
      {needsTick && (
        <label className="gf-consent">
          <input
            type="checkbox"
            checked={isAccepted}
            onChange={(event) => setAccepted(event.target.checked)}
          />
          <span className="gf-checkbox">
            <Icon d={check} />
          </span>
          <span>{t('swap.accept', { percent })}</span>
        </label>
      )}
      <div className="gf-duo">
        <Button onClick={() => goBack(kit)}>{t('swap.cancel')}</Button>
        <Button
          kind="primary"
          busy={status === 'quoting'}
          disabled={!isReady && status !== 'quoting'}
          onClick={confirm}
        >
          {problem ??
            t(
              signing === 'once'
                ? 'swap.confirm'
                : signing === 'permit'
                  ? 'swap.confirmPermit'
                  : 'swap.confirmApprove',
            )}
        </Button>
      </div>
    </div>
  )
}

/** How the visitor lets the contract spend the token. */
const signingTexts = {
  batch: 'swap.together',
  batchWithReset: 'swap.togetherReset',
  permit: 'swap.signOnce',
  thrice: 'swap.thrice',
  twice: 'swap.twice',
} as const

/** What remains of a swap that ended after a confirmed step. */
const stoppedTexts = {
  resetting: { rejected: 'swap.rejectedResetHint', unsafe: 'swap.unsafeResetHint' },
  approving: { rejected: 'swap.rejectedSwapHint', unsafe: 'swap.unsafeSwapHint' },
} as const

/** One side of the swap. @param props.units - undefined until it is known */
function Side(props: {
  label: string
  token: Token
  price: string | undefined
  units: bigint | undefined
  /** The amount. */
  children: ReactNode
}) {
  const { label, token, price, units } = props
  return (
    <div className="gf-side">
      <Artwork name={token.symbol} src={token.image} shape="round" />
      <div>
        <span>{label}</span>
        <small>
          {units && price ? (
            <Money value={multiply(fromUnits(units, token.decimals), price)} />
          ) : (
            token.name
          )}
        </small>
      </div>
      <b>{props.children}</b>
    </div>
  )
}

/** The progress of a swap, and its result. */
function Progress({ run, onReview }: { run: SwapRun; onReview: () => void }) {
  const kit = useInstance()
  const t = useText(swapText)
  const locale = useKitState((state) => state.locale)
  const { wallet, first } = useWalletName()
  const { connector } = useKitAccount()
  const link = useKitState((state) => getSession(state, connector?.id)?.requestLink)
  const { order, status, hash } = run
  const { pay, get, amount, minimum } = order
  const paid = exact(amount, pay, locale)
  const least = rounded(minimum, get, locale)
  const explorer = hash && explorerUrl(pay.network, hash, 'tx')
  const isWaiting = status !== 'done' && status !== 'failed' && isAsked(status)
  const { state, title, hint } = describe()
  const isUnsafe = status === 'failed' && run.error instanceof UnsafeTransactionError
  const side = ({ symbol, image }: Token) => ({ name: symbol, src: image, shape: 'round' as const })

  function describe(): { state: FacingPagesState; title: string; hint: string } {
    switch (status) {
      case 'batch':
      case 'permit':
      case 'reset':
      case 'approve':
      case 'swap':
        if (run.status === status && run.isSilent)
          return {
            state: 'late',
            title: t('swap.silent', { wallet: first }),
            hint: t('swap.silentHint'),
          }
        if (status === 'batch')
          return {
            state: 'wait',
            title: t('swap.stepBatch', { wallet }),
            hint: t('swap.stepBatchHint', { a: paid, b: least }),
          }
        if (status === 'permit')
          return {
            state: 'wait',
            title: t('swap.stepPermit', { wallet, symbol: pay.symbol }),
            hint: t('swap.stepPermitHint', { amount: paid }),
          }
        if (status === 'reset')
          return {
            state: 'wait',
            title: t('swap.stepReset', { wallet }),
            hint: t('swap.stepResetHint', { symbol: pay.symbol }),
          }
        return status === 'approve'
          ? {
              state: 'wait',
              title: t('swap.stepApprove', { wallet, symbol: pay.symbol }),
              hint: t('swap.stepApproveHint', { amount: paid }),
            }
          : {
              state: 'wait',
              title: t('swap.stepSwap', { wallet }),
              hint: t('swap.stepSwapHint', { amount: least }),
            }
      case 'resetting':
        return {
          state: 'wait',
          title: t('swap.stepResetting'),
          hint: t('swap.stepResettingHint'),
        }
      case 'approving':
        return {
          state: 'wait',
          title: t('swap.stepApproving'),
          hint: t('swap.stepApprovingHint'),
        }
      case 'swapping':
        return {
          state: 'wait',
          title: t('swap.stepSwapping'),
          hint: t('swap.stepSwappingHint', { network: pay.network.name }),
        }
      case 'done':
        return {
          state: 'good',
          title: t('swap.done'),
          hint: t('swap.doneHint', { a: paid, b: least }),
        }
      case 'failed':
        return { state: 'bad', ...failure() }
    }
  }

  function failure(): { title: string; hint: string } {
    const { error, confirmed } = run as Extract<SwapRun, { status: 'failed' }>
    const approved = { amount: paid, symbol: pay.symbol }
    if (error instanceof UserRejectedError)
      return {
        title: t('swap.rejected', { wallet }),
        hint: t(confirmed ? stoppedTexts[confirmed].rejected : 'swap.rejectedHint', approved),
      }
    if (error instanceof UnsafeTransactionError)
      return {
        title: t('swap.unsafe'),
        hint: t(confirmed ? stoppedTexts[confirmed].unsafe : 'swap.unsafeHint', approved),
      }
    if (error instanceof PermitSignerError)
      return { title: t('swap.otherKey'), hint: t('swap.otherKeyHint', { wallet }) }
    if (error instanceof WrongHashError)
      return { title: t('swap.unsure'), hint: t('swap.unsureHint', { wallet: first }) }
    if (error instanceof SwapChangedError)
      return { title: t('swap.changed'), hint: t('swap.changedHint') }
    const reason = error instanceof GatewayError ? error.reason : undefined
    if (error instanceof PriceMovedError || reason === 'price_moved')
      return { title: t('swap.moved'), hint: t('swap.movedHint', { amount: least }) }
    if (error instanceof SwapRevertedError && /Transaction too old/.test(error.details ?? ''))
      return { title: t('swap.expired'), hint: t('swap.expiredHint') }
    if (error instanceof SwapRevertedError && /Too little received/.test(error.details ?? ''))
      return { title: t('swap.moved'), hint: t('swap.movedGasHint', { amount: least }) }
    if (error instanceof SwapRevertedError)
      return {
        title: t('swap.reverted'),
        hint: t('swap.revertedHint', { reason: error.details ?? '' }),
      }
    if (error instanceof SwapNotIncludedError)
      return { title: t('swap.notIncluded'), hint: t('swap.notIncludedHint') }
    const { symbol } = pay.network.nativeCurrency
    if (reason === 'low_native_balance')
      return {
        title: t('swap.notEnough', { symbol }),
        hint: t('swap.lowNativeHint', { symbol }),
      }
    if (reason === 'low_allowance')
      return {
        title: t('swap.lowAllowance'),
        hint: t('swap.lowAllowanceHint', { amount: paid }),
      }
    const values = { a: pay.symbol, b: get.symbol, network: pay.network.name }
    if (reason === 'low_liquidity')
      return { title: t('swap.lowLiquidity'), hint: t('swap.lowLiquidityHint', values) }
    if (reason === 'no_route')
      return { title: t('swap.noRoute'), hint: t('swap.noRouteHint', values) }
    const { shortMessage, message } = error as { shortMessage?: string; message?: string }
    return {
      title: t('swap.failed'),
      hint: t('swap.failedHint', { reason: shortMessage ?? message ?? '' }),
    }
  }

  return (
    <div className="gf-body">
      <Style css={css} />
      <FacingPages state={state} from={side(pay)} to={side(get)} />
      <Message role={state === 'bad' || state === 'late' ? 'alert' : 'status'} title={title}>
        {hint}
      </Message>
      {isWaiting && link && (
        <Button kind="primary" icon={external} onClick={() => openLink(link.href, link)}>
          {t('swap.open', { wallet })}
        </Button>
      )}
      {status === 'done' && (
        <Button kind="primary" onClick={() => reset(kit, { name: 'Account' })}>
          {t('swap.doneButton')}
        </Button>
      )}
      {status === 'failed' && (
        <Button
          kind="primary"
          icon={isUnsafe ? undefined : retry}
          onClick={isUnsafe ? () => goBack(kit) : onReview}
        >
          {t(isUnsafe ? 'swap.back' : 'swap.tryAgain')}
        </Button>
      )}
      {explorer && <Button href={safeHref(explorer)}>{t('swap.explorer')}</Button>}
    </div>
  )
}

/** The amount paid, with every digit. */
function exact(units: bigint, token: Token, locale: string): string {
  return `${formatAmount(fromUnits(units, token.decimals), locale)} ${token.symbol}`
}

/** The amount received, rounded down. */
function rounded(units: bigint, token: Token, locale: string): string {
  return `${formatRate(fromUnits(units, token.decimals), locale)} ${token.symbol}`
}
