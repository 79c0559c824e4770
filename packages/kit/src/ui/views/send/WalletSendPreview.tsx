import { useState } from 'react'

import { getAccount } from '../../../core/connection/account.ts'
import { shortAddress } from '../../../core/account/shortAddress.ts'
import { fromUnits, multiply, toUnits } from '../../../core/money/decimal.ts'
import { formatAmount } from '../../../core/money/formatAmount.ts'
import { findLookAlike, readRecipients } from '../../../core/money/recipients.ts'
import { explorerUrl } from '../../../core/networks/explorerUrl.ts'
import { safeHref } from '../../../core/platform/safeHref.ts'
import { goBack, reset } from '../../../core/view/navigate.ts'
import type { ViewData } from '../../../core/view/view.ts'
import { networkArt } from '../../../core/wallets/art.ts'
import { useInstance, useKitState } from '../../../react/context.ts'
import { send as sendIcon } from '../../icons/account.ts'
import { retry } from '../../icons/base.ts'
import { useLastValue } from '../../hooks/useLastValue.ts'
import { useText } from '../../hooks/useText.ts'
import { useWalletArt } from '../../hooks/useWalletArt.ts'
import { useKitAccount } from '../../../react/hooks.ts'
import { useWalletName } from '../../hooks/useWalletName.ts'
import { AddressAvatar } from '../../parts/AddressAvatar.tsx'
import { Artwork } from '../../parts/Artwork.tsx'
import { Avatar } from '../../parts/Avatar.tsx'
import { Button } from '../../parts/Button.tsx'
import { Empty } from '../../parts/Empty.tsx'
import { FacingPages } from '../../parts/FacingPages.tsx'
import type { FacingPagesState } from '../../parts/FacingPages.tsx'
import { List, Row, Tag } from '../../parts/List.tsx'
import { Message } from '../../parts/Message.tsx'
import { Money, TokenAmount } from '../../parts/money/Amounts.tsx'
import { Fact, Facts } from '../../parts/money/Facts.tsx'
import { Skeletons } from '../../parts/money/Skeletons.tsx'
import { TokenStyle } from '../../parts/money/TokenStyle.tsx'
import { TokenPicture } from '../../parts/money/TokenPicture.tsx'
import { Note } from '../../parts/Note.tsx'
import { Style } from '../../parts/Style.tsx'
import { sendText } from '../../strings/send.ts'
import { tokensText } from '../../strings/tokens.ts'
import css from '../../styles/send.css?inline'
import { FeeFact } from './FeeFact.tsx'
import { reasonOf, textOf } from './reasonOf.ts'
import { useOwnTokens } from './useOwnTokens.ts'
import { useSendTransfer } from './useSendTransfer.ts'
import type { Sending } from './useSendTransfer.ts'
import { useTransfer } from './useTransfer.ts'

const text = { ...sendText, ...tokensText }

/**
 * A transfer before it is signed, while the wallet prompts, and until it is
 * confirmed.
 *
 * @see docs/views.md#walletsendpreview
 */
export function WalletSendPreview({ data }: { data: ViewData['WalletSendPreview'] }) {
  const { amount, to, name } = data
  const kit = useInstance()
  const t = useText(text)
  const locale = useKitState((state) => state.locale)
  const own = useKitState((state) => getAccount(state)?.address)
  const tokens = useOwnTokens()
  const isNative = useKitState(({ networks }) =>
    networks.some(({ caipNetworkId }) => caipNetworkId === data.token),
  )
  const listed = tokens?.find(({ id }) => id === data.token)
  // The balance may reach zero while the view is on screen.
  const token = useLastValue(listed, Boolean(listed))
  const native = tokens?.find(({ address }) => address === undefined)
  const units = token && toUnits(amount, token.decimals)
  const check = useTransfer({ token, to, amount: units })
  const sum = token ? `${formatAmount(amount, locale)} ${token.symbol}` : ''
  const { sending, send, review } = useSendTransfer({
    failed: t('send.notIncluded', { amount: sum }),
    unknown: t('send.unknown', { amount: sum }),
  })
  const [known] = useState(() => readRecipients(kit))
  const isSelf = own?.toLowerCase() === to.toLowerCase()
  const isNew = !isSelf && !known.includes(to)
  const lookAlike = findLookAlike(to, own ? [own, ...known] : known)

  if (!token || units === undefined) {
    if (!tokens)
      return (
        <div className="gf-body">
          <Skeletons
            label={t('tokens.loading')}
            // Only for the native currency, a row adds the fee to the amount.
            heights={[112, 39, isNative ? 114 : 79, 61, 48]}
          />
        </div>
      )
    return (
      <div className="gf-body">
        <Empty title={t('tokens.gone')}>{t('tokens.goneHint')}</Empty>
      </div>
    )
  }
  const { network, symbol } = token
  const start = () => send({ token, to, amount: units, gas: check.data?.gas })
  if (sending.status !== 'review')
    return (
      <Progress
        sending={sending}
        amount={sum}
        token={token}
        to={to}
        name={name}
        // The account or its balance may have changed in the meantime.
        onRetry={review}
      />
    )
  return (
    <div className="gf-body">
      <Style css={css} />
      <TokenStyle />
      <List label={t('send.review')}>
        <Row
          start={<TokenPicture token={token} />}
          title={t('send.review')}
          note={token.price && <Money value={multiply(amount, token.price)} />}
          end={
            <b className="gf-send-amount">
              <TokenAmount amount={amount} symbol={symbol} as="exact" />
            </b>
          }
        />
        <Row
          start={<Avatar address={to} size={40} />}
          title={t('send.recipient', { name: name ?? shortAddress(to) })}
          note={<bdi dir="ltr">{name ? shortAddress(to) : ''}</bdi>}
          end={
            isSelf ? <Tag>{t('send.self')}</Tag> : isNew && <Tag kind="warn">{t('send.new')}</Tag>
          }
        />
      </List>
      <p className="gf-send-address">
        <bdi dir="ltr">{to}</bdi>
      </p>
      <Facts>
        <Fact label={t('send.network')}>
          <Artwork {...networkArt(kit, network)} size={16} />
          {network.name}
        </Fact>
        {check.isLoading && <Fact label={t('send.fee')}>…</Fact>}
        {check.isLoading && isNative && <Fact label={t('send.total')}>…</Fact>}
        {check.data && (
          <>
            <FeeFact fee={check.data.fee} native={native} network={network} />
            {isNative && Boolean(check.data.fee) && (
              <Fact label={t('send.total')}>
                <TokenAmount
                  amount={fromUnits(units + check.data.fee!, token.decimals)}
                  symbol={symbol}
                  as="total"
                />
              </Fact>
            )}
          </>
        )}
      </Facts>
      {lookAlike ? (
        <Note kind="bad" role="alert" title={t('send.lookAlike')}>
          {t(lookAlike === own ? 'send.ownLookAlikeHint' : 'send.lookAlikeHint', {
            known: shortAddress(lookAlike),
          })}
        </Note>
      ) : check.isError ? (
        <Note kind="bad" role="alert">
          {reasonOf(check.error, t)}
        </Note>
      ) : (
        <Note kind={isNew || check.data?.isContract ? 'warn' : undefined}>
          {t('send.final')} {check.data?.isContract && t('send.contract')}{' '}
          {isNew && t('send.first')}
        </Note>
      )}
      <div className="gf-duo">
        <Button onClick={() => goBack(kit)}>{t('send.cancel')}</Button>
        <Button
          kind="primary"
          icon={sendIcon}
          busy={check.isLoading}
          disabled={check.isError}
          onClick={start}
        >
          {t('send.send')}
        </Button>
      </div>
    </div>
  )
}

/** A transfer in the wallet or in the network, and how it ended. */
function Progress(props: {
  sending: Exclude<Sending, { status: 'review' }>
  amount: string
  token: { network: Parameters<typeof explorerUrl>[0]; symbol: string; image: string | undefined }
  to: string
  name: string | undefined
  onRetry: () => void
}) {
  const { sending, amount, token } = props
  const kit = useInstance()
  const t = useText(text)
  const { wallet, first } = useWalletName()
  const { connector } = useKitAccount()
  const art = useWalletArt(connector)
  const { status } = sending
  const transaction = status === 'submitted' ? sending.transaction : undefined
  const explorer = transaction?.hash && explorerUrl(token.network, transaction.hash, 'tx')
  const { state, title, hint } = describe()
  return (
    <div className="gf-body">
      <Style css={css} />
      <FacingPages
        state={state}
        from={transaction ? { name: token.symbol, src: token.image, shape: 'round' } : art}
        to={{
          name: props.name ?? shortAddress(props.to),
          shape: 'round',
          children: <AddressAvatar address={props.to} />,
        }}
      />
      <Message role={state === 'bad' ? 'alert' : 'status'} title={title}>
        {hint}
      </Message>
      {(status === 'rejected' || status === 'failed') && (
        <Button kind="primary" icon={retry} onClick={props.onRetry}>
          {t('send.again')}
        </Button>
      )}
      {(transaction || status === 'unknown') && (
        <Button kind="primary" onClick={() => reset(kit, { name: 'Account' })}>
          {t('send.done')}
        </Button>
      )}
      {explorer && <Button href={safeHref(explorer)}>{t('send.explorer')}</Button>}
    </div>
  )

  function describe(): { state: FacingPagesState; title: string; hint: string } {
    switch (sending.status) {
      case 'wallet':
        return sending.isSilent
          ? {
              state: 'late',
              title: t('send.silent', { wallet: first }),
              hint: t('send.silentHint'),
            }
          : { state: 'wait', title: t('send.confirm', { wallet }), hint: t('send.confirmHint') }
      case 'rejected':
        return { state: 'bad', title: t('send.declined', { wallet }), hint: t('send.declinedHint') }
      case 'unknown':
        return {
          state: 'bad',
          title: t('send.unknown', { amount }),
          hint: t('send.unknownHint', { wallet: first }),
        }
      case 'failed':
        return {
          state: 'bad',
          title: t('send.failed'),
          hint: t('send.failedHint', { reason: textOf(sending.error) }),
        }
      case 'submitted':
        return describeSubmitted(sending)
    }
  }

  function describeSubmitted({
    transaction: { status: result, reason = '' },
    isSlow,
  }: Extract<Sending, { status: 'submitted' }>): ReturnType<typeof describe> {
    switch (result) {
      case 'pending':
        return isSlow
          ? { state: 'late', title: t('send.slow'), hint: t('send.slowHint') }
          : { state: 'wait', title: t('send.pending', { amount }), hint: t('send.pendingHint') }
      case 'confirmed':
        return { state: 'good', title: t('send.sent', { amount }), hint: t('send.sentHint') }
      case 'failed':
        return { state: 'bad', title: t('send.reverted'), hint: t('send.revertedHint', { reason }) }
      default:
        return {
          state: 'bad',
          title: t('send.notIncluded', { amount }),
          hint: t('send.notIncludedHint'),
        }
    }
  }
}
