import { useEffect, useState } from 'react'

import { CaipAddress, limits } from '@gatefold/protocol'

import { compare, roundDown } from '../../../core/money/decimal.ts'
import { formatRate } from '../../../core/money/formatRate.ts'
import { moneyDecimals } from '../../../core/money/onramp/buyState.ts'
import type { OnrampOrder } from '../../../core/money/onramp/onramp.ts'
import { shortAddress } from '../../../core/account/shortAddress.ts'
import { GatewayError } from '../../../core/kit/requestErrors.ts'
import { explorerUrl } from '../../../core/networks/explorerUrl.ts'
import { safeHref } from '../../../core/platform/safeHref.ts'
import { reset, returnTo } from '../../../core/view/navigate.ts'
import type { BuyArguments, ViewData } from '../../../core/view/ViewData.ts'
import { useInstance, useKitState } from '../../../react/context.ts'
import { useKitOnrampOrder } from '../../../react/onramp.ts'
import { copy as copyIcon } from '../../icons/account.ts'
import { check, spin } from '../../icons/base.ts'
import { pane } from '../../icons/buy.ts'
import { external } from '../../icons/guide.ts'
import { Button } from '../../parts/Button.tsx'
import { Empty } from '../../parts/Empty.tsx'
import { FacingPages } from '../../parts/FacingPages.tsx'
import type { FacingPagesState } from '../../parts/FacingPages.tsx'
import { Icon } from '../../parts/Icon.tsx'
import { Message } from '../../parts/Message.tsx'
import { Fact, Facts } from '../../parts/money/Facts.tsx'
import { Note } from '../../parts/Note.tsx'
import { Skeletons } from '../../parts/money/Skeletons.tsx'
import { Style } from '../../parts/Style.tsx'
import { useCopy } from '../../hooks/useCopy.ts'
import { useText } from '../../hooks/useText.ts'
import { buyText } from '../../strings/buy.ts'
import css from '../../styles/buy.css?inline'
import { useOrderReport } from './useOrderReport.ts'
import { useOrderTexts } from './useOrderTexts.ts'
import { useOrderWindow } from './windows.ts'

/**
 * An order: its page, its progress and its outcome, all of which come from the gateway.
 *
 * @see docs/views.md#buyinprogress
 */
export function BuyInProgress({ data }: { data: ViewData['BuyInProgress'] }) {
  const kit = useInstance()
  const t = useText(buyText)
  const { orderId } = data
  const { data: order, error, isError } = useKitOnrampOrder(orderId)
  const { outcome } = useOrderTexts(undefined)
  const isGone = error instanceof GatewayError && error.status === 404
  useOrderReport(orderId, order, isGone, outcome)
  const again = () =>
    returnTo(kit, { name: 'OnRampProviders', data: data.purchase ?? (order && purchaseOf(order)) })
  if (isGone)
    return (
      <div className="gf-body">
        <Empty plate="torn" role="alert" title={t('buy.gone')}>
          {t('buy.goneHint')}
        </Empty>
        <Button onClick={again}>{t('buy.again')}</Button>
      </div>
    )
  return (
    <div className="gf-body">
      <Style css={css} />
      {order ? (
        <Progress order={order} onAgain={again} />
      ) : (
        <Skeletons label={t('buy.checking')} heights={[160, 79, 114, 48]} />
      )}
      {isError && (
        <Note kind="warn" role="status">
          {t('buy.unchecked')}
        </Note>
      )}
    </div>
  )
}

function Progress({ order, onAgain }: { order: OnrampOrder; onAgain: () => void }) {
  switch (order.status) {
    case 'created':
      return <Unpaid order={order} />
    case 'pending':
      return <Pending order={order} />
    case 'paid':
      return <Paid order={order} />
    default:
      return <Ended order={order} onAgain={onAgain} />
  }
}

/** The order is not paid: its window is open, was closed, or did not open. */
function Unpaid({ order }: { order: OnrampOrder }) {
  const t = useText(buyText)
  const { state, reopen, link, show } = useOrderWindow(order.id)
  const { money, amount } = useOrderTexts(order)
  const { copied, copy } = useCopy(t('buy.copyFailed'))
  const { url, providerName: provider } = order
  const [pages, name] = (
    {
      open: ['wait', 'finish'],
      linked: ['wait', 'finish'],
      closed: ['late', 'waiting'],
      blocked: ['on', 'blocked'],
    } as const
  )[state]
  const copyButton = url && (
    <Button icon={copied ? check : copyIcon} onClick={() => copy(url)}>
      {t(copied ? 'buy.copied' : 'buy.copy')}
    </Button>
  )
  return (
    <>
      <Pages order={order} state={pages} />
      <Message
        key={name}
        role={state === 'blocked' ? 'alert' : 'status'}
        title={t(`buy.${name}`, { provider })}
      >
        {t(`buy.${name}Hint`)}
      </Message>
      {state !== 'blocked' && (
        <Facts>
          <Fact label={t('buy.pay')}>{money}</Fact>
          <Fact label={t('buy.get')}>
            <bdi>{amount}</bdi>
          </Fact>
          <Receiver order={order} />
        </Facts>
      )}
      {url && state === 'blocked' && (
        <Button kind="primary" icon={external} href={url} onClick={link}>
          {t('buy.open', { provider })}
        </Button>
      )}
      {url && state === 'closed' && (
        <Button
          kind="primary"
          icon={pane}
          onClick={() => reopen(url, t('buy.opening', { provider }))}
        >
          {t('buy.openAgain')}
        </Button>
      )}
      {state === 'open' ? (
        <div className="gf-buttons">
          {copyButton}
          <Button icon={pane} onClick={show}>
            {t('buy.show')}
          </Button>
        </div>
      ) : (
        copyButton
      )}
      {url && state === 'linked' && (
        <Button icon={external} href={url}>
          {t('buy.openAgain')}
        </Button>
      )}
      <p className="gf-hidden" role="status">
        {copied && t('buy.copied')}
      </p>
    </>
  )
}

/** The order is paid, but the tokens have not arrived. */
function Pending({ order }: { order: OnrampOrder }) {
  const kit = useInstance()
  const t = useText(buyText)
  const { money, amount } = useOrderTexts(order)
  // An order that is paid changes next when the tokens have arrived.
  const { network, providerName: provider, updatedAt: paidAt } = order
  const isSlow = useHasPassed(paidAt + limits.onrampSlowMs)
  const steps = [
    ['done', t('buy.stepPaid', { money }), t('buy.stepPaidHint', { provider })],
    [
      'now',
      t('buy.stepSent'),
      network ? t('buy.stepSentHint', { amount, network: network.name }) : amount,
    ],
    ['next', t('buy.stepArrived'), shortAddressOf(order)],
  ] as const
  return (
    <>
      <Pages order={order} state={isSlow ? 'late' : 'wait'} />
      <Message role="status" title={t(isSlow ? 'buy.slow' : 'buy.paidTitle')}>
        {t(isSlow ? 'buy.slowHint' : 'buy.pendingHint', { provider })}
      </Message>
      <ol className="gf-steps">
        {steps.map(([state, title, hint]) => (
          <li key={state} data-state={state} aria-current={state === 'now' ? 'step' : undefined}>
            <span className="gf-step">
              {state !== 'next' && (
                <Icon d={state === 'done' ? check : spin} size={16} spin={state === 'now'} />
              )}
            </span>
            <span>
              <b>{title}</b>
              <bdi dir={state === 'next' ? 'ltr' : undefined}>{hint}</bdi>
            </span>
            {state === 'done' && <Time of={paidAt} />}
          </li>
        ))}
      </ol>
      <Button onClick={() => kit.close()}>{t('buy.close')}</Button>
    </>
  )
}

/** A time of day, with the date if it is not today's. @param props.of - as Unix time in ms */
function Time({ of: time }: { of: number }) {
  const locale = useKitState((state) => state.locale)
  const [today] = useState(() => new Date().toDateString())
  const date = new Date(time)
  return (
    <time dateTime={date.toISOString()}>
      {date.toLocaleString(locale, {
        dateStyle: date.toDateString() === today ? undefined : 'medium',
        timeStyle: 'short',
      })}
    </time>
  )
}

/** Whether a time has passed. @param time - as Unix time in ms */
function useHasPassed(time: number): boolean {
  const kit = useInstance()
  const [hasPassed, setPassed] = useState(() => Date.now() >= time)
  useEffect(() => kit.later(() => setPassed(true), time - Date.now()), [kit, time])
  return hasPassed
}

function Paid({ order }: { order: OnrampOrder }) {
  const kit = useInstance()
  const t = useText(buyText)
  const locale = useKitState((state) => state.locale)
  const { money, fee, amount } = useOrderTexts(order)
  const { received, quoted, symbol, network, hash } = order
  const isShort = received !== undefined && compare(received, quoted) < 0
  const explorer = hash && safeHref(explorerUrl(network, hash, 'tx'))
  const done = (
    <Button kind="primary" onClick={() => reset(kit, { name: 'Account' })}>
      {t('buy.done')}
    </Button>
  )
  return (
    <>
      <Pages order={order} state="good" />
      <Message role="status" title={t('buy.paid', { amount })}>
        {isShort ? t('buy.shortHint') : t('buy.paidHint', { money, provider: order.providerName })}
      </Message>
      <Facts>
        {isShort && (
          <Fact label={t('buy.quoted')}>
            <bdi>
              {formatRate(quoted, locale)} {symbol}
            </bdi>
          </Fact>
        )}
        <Fact label={t('buy.received')}>
          <bdi>{amount}</bdi>
        </Fact>
        <Fact label={t('buy.paidFact')}>{money}</Fact>
        <Fact label={t('buy.feeFact')}>{fee}</Fact>
        <Receiver order={order} />
      </Facts>
      {explorer ? (
        <div className="gf-buttons">
          <Button href={explorer}>{t('buy.explorer')}</Button>
          {done}
        </div>
      ) : (
        done
      )}
    </>
  )
}

/** The order has failed or expired. */
function Ended({ order, onAgain }: { order: OnrampOrder; onAgain: () => void }) {
  const t = useText(buyText)
  const { money } = useOrderTexts(order)
  const hasFailed = order.status === 'failed'
  return (
    <>
      <Pages order={order} state={hasFailed ? 'bad' : 'late'} />
      <Message role="alert" title={t(hasFailed ? 'buy.failedTitle' : 'buy.expired')}>
        {hasFailed ? (order.reason ?? t('buy.failedTitleHint')) : t('buy.expiredHint')}
      </Message>
      <Facts>
        <Fact label={t('buy.pay')}>{money}</Fact>
        <Receiver order={order} />
      </Facts>
      <Button kind="primary" onClick={onAgain}>
        {t(hasFailed ? 'buy.tryAgain' : 'buy.again')}
      </Button>
    </>
  )
}

function Pages({ order, state }: { order: OnrampOrder; state: FacingPagesState }) {
  const kit = useInstance()
  const { metadata } = kit.options
  return (
    <FacingPages
      state={state}
      from={{ name: metadata.name, src: metadata.icons[0] }}
      to={{ name: order.providerName }}
    />
  )
}

function Receiver({ order }: { order: OnrampOrder }) {
  const t = useText(buyText)
  return (
    <Fact label={t('buy.to')}>
      <bdi dir="ltr">{shortAddressOf(order)}</bdi>
      {order.network && <small>{order.network.name}</small>}
    </Fact>
  )
}

/** What to buy to repeat an order. */
function purchaseOf({ symbol, currency, amount }: OnrampOrder): BuyArguments {
  return { token: symbol, currency, amount: roundDown(amount, moneyDecimals) }
}

function shortAddressOf({ account }: OnrampOrder): string {
  return shortAddress(CaipAddress.toAddress(account))
}
