import { useEffect, useState } from 'react'

import { shortAddress } from '../../../core/account/shortAddress.ts'
import { fromUnits, multiply, roundDown, toUnits } from '../../../core/money/decimal.ts'
import { divide } from '../../../core/money/divide.ts'
import { formatAmount } from '../../../core/money/formatAmount.ts'
import { currencySymbol, moneyDecimalsOf } from '../../../core/money/formatMoney.ts'
import type { Token } from '../../../core/money/tokens.ts'
import { withReserve } from '../../../core/money/withReserve.ts'
import { showToast } from '../../../core/notifications/showToast.ts'
import type { Network } from '../../../core/networks/Network.ts'
import { push } from '../../../core/view/navigate.ts'
import type { ViewData } from '../../../core/view/view.ts'
import { networkArt } from '../../../core/wallets/art.ts'
import { useInstance, useKitState } from '../../../react/context.ts'
import { user } from '../../icons/account.ts'
import { close } from '../../icons/base.ts'
import { useEntryState } from '../../hooks/useEntryState.ts'
import { useText } from '../../hooks/useText.ts'
import { Artwork } from '../../parts/Artwork.tsx'
import { Avatar } from '../../parts/Avatar.tsx'
import { Button } from '../../parts/Button.tsx'
import { Empty } from '../../parts/Empty.tsx'
import { Field } from '../../parts/Field.tsx'
import { IconButton } from '../../parts/IconButton.tsx'
import { AmountField } from '../../parts/money/AmountField.tsx'
import { Money, TokenAmount } from '../../parts/money/Amounts.tsx'
import { Fact, Facts } from '../../parts/money/Facts.tsx'
import { Note } from '../../parts/Note.tsx'
import { Style } from '../../parts/Style.tsx'
import { sendText } from '../../strings/send.ts'
import css from '../../styles/send.css?inline'
import { useCurrentNetwork } from '../networks/useCurrentNetwork.ts'
import { FeeFact } from './FeeFact.tsx'
import { reasonOf } from './reasonOf.ts'
import { useCanBuy } from '../buy/useCanBuy.ts'
import { useOwnTokens } from './useOwnTokens.ts'
import { useRecipient } from './useRecipient.ts'
import type { Recipient } from './useRecipient.ts'
import { useTransfer } from './useTransfer.ts'

type Draft = {
  token: string | undefined
  amount: string
  to: string
  inMoney: boolean
  /** Whether the amount is the maximum, which another receiver can lower. */
  isMax?: boolean
}

const noDraft = (): { draft?: Draft } => ({})

/**
 * A transfer: token, amount and receiver, with the network fee and the
 * remaining balance.
 *
 * @see spec §5.2; docs/views.md#walletsend
 */
export function WalletSend({ data }: { data: ViewData['WalletSend'] }) {
  const kit = useInstance()
  const t = useText(sendText)
  const { network, name: networkName } = useCurrentNetwork()
  const locale = useKitState((state) => state.locale)
  const currency = useKitState((state) => state.preferences.currency)
  const money = currencySymbol(currency, locale)
  const saved = useEntryState(noDraft)
  const [draft, setDraft] = useState<Draft>(
    saved.draft ?? {
      token: data?.token,
      amount: data?.amount ?? '',
      to: data?.to ?? '',
      inMoney: false,
    },
  )
  useEffect(() => void Object.assign(saved, { draft }), [saved, draft])
  const change = (next: Partial<typeof draft>) => setDraft((last) => ({ ...last, ...next }))

  const own = useOwnTokens()
  const native = own?.find(({ address }) => address === undefined)
  const token = own?.find(({ id }) => id === draft.token) ?? (draft.token ? undefined : native)
  const recipient = useRecipient(draft.to)
  const address = recipient.status === 'found' ? recipient.address : undefined

  const isInMoney = draft.inMoney && token?.price !== undefined
  const amount = token && readAmount(draft.amount, token, isInMoney)
  // Whether the visitor asked for the maximum, and the fee is still unknown.
  const [isReadingMax, setReadingMax] = useState(false)
  const isNative = token && token.address === undefined
  const empty = useTransfer({
    token,
    to: address,
    // The operation of a smart account uses more gas if it sends an amount.
    amount: token && (isNative && token.units > 0n ? 1n : 0n),
    // The code that estimates gas is loaded once the visitor has begun.
    enabled: isReadingMax || draft.amount !== '' || draft.to !== '',
  })
  const isTooMuch = token && amount !== undefined && amount > token.units
  const check = useTransfer({
    token,
    to: address,
    amount: address && amount && !isTooMuch ? amount : undefined,
  })
  const checked = check.data ?? empty.data
  const fee = checked?.fee
  const spent =
    fee === undefined || amount === undefined ? undefined : isNative ? amount + fee : fee
  // What a transfer takes from the balance of the token; unknown if its fee is.
  const taken = isNative ? spent : amount
  const lacksGas = spent !== undefined && (native?.units ?? 0n) < spent

  const missing = isTooMuch ? token : lacksGas ? native : undefined
  const canBuy = useCanBuy(missing?.id) && Boolean(missing)

  const selectToken = () => {
    const { token: id, to, amount: typed } = draft
    push(kit, { name: 'WalletSendSelectToken', data: { draft: { token: id, to, amount: typed } } })
  }
  // A transfer to another receiver can cost more than the maximum has left for its fee.
  const lowered =
    isNative && draft.isMax && lacksGas && check.data?.fee
      ? leftOf(token, withReserve(check.data.fee))
      : undefined
  if (lowered !== undefined && lowered !== draft.amount) setDraft({ ...draft, amount: lowered })
  // The fee is that of the receiver that is entered when the fee arrives.
  if (isReadingMax && token && (!isNative || empty.data)) {
    setReadingMax(false)
    const gasFee = isNative ? withReserve(empty.data?.fee ?? 0n) : 0n
    change({ amount: leftOf(token, gasFee), inMoney: false, isMax: true })
  }
  const [failedMax, setFailedMax] = useState<{ reason: string }>()
  if (isReadingMax && empty.isError && !empty.isFetching) {
    setReadingMax(false)
    setFailedMax({ reason: reasonOf(empty.error, t) })
  }
  useEffect(() => {
    if (failedMax) showToast(kit, 'error', failedMax.reason)
  }, [failedMax, kit])
  const setMax = () => {
    if (empty.isError) void empty.refetch()
    setReadingMax(true)
  }
  const flip = () => {
    if (!token?.price) return
    const convert = () =>
      isInMoney
        ? divide(draft.amount || '0', token.price!, token.decimals)
        : roundDown(multiply(draft.amount || '0', token.price!), moneyDecimalsOf(currency))
    const isTyped = draft.amount !== '' && amount !== undefined
    change({ inMoney: !isInMoney, amount: isTyped ? convert() : '', isMax: false })
  }

  if (!network)
    return (
      <div className="gf-body">
        <Empty title={t('send.unsupported', { network: networkName })}>
          {t('send.noTokensHint')}
        </Empty>
        <Button onClick={() => push(kit, { name: 'Networks' })}>{t('send.networks')}</Button>
      </div>
    )

  const symbol = token?.symbol ?? ''
  const amountError =
    !token || draft.amount === ''
      ? undefined
      : amount === undefined
        ? t('send.wrongAmount', { symbol })
        : isTooMuch
          ? t('send.tooMuch', { amount: `${formatAmount(token.amount, locale)} ${symbol}` })
          : undefined
  const problem = findProblem()
  function findProblem(): string | undefined {
    if (!token) return t('send.needToken')
    if (draft.amount === '') return t('send.needAmount')
    if (amount === undefined) return t('send.checkAmount')
    if (amount === 0n) return t('send.needAmount')
    if (isTooMuch) return t('send.needLess', { symbol })
    if (recipient.status === 'empty') return t('send.needAddress')
    if (recipient.status === 'resolving') return t('send.resolving')
    if (!address) return t('send.checkAddress')
    if (lacksGas) {
      const gasToken = native ?? network?.nativeCurrency
      return t('send.needLess', { symbol: gasToken?.symbol ?? '' })
    }
    if (check.isError) return t('send.checkAmount')
    return check.data ? undefined : t('send.checking')
  }
  const preview = () => {
    if (!token || !amount || recipient.status !== 'found') return
    push(kit, {
      name: 'WalletSendPreview',
      data: {
        token: token.id,
        amount: fromUnits(amount, token.decimals),
        to: recipient.address,
        name: recipient.name,
      },
    })
  }

  return (
    <div className="gf-body">
      <Style css={css} />
      <AmountField
        label={t('send.amount')}
        value={draft.amount}
        onChange={(next) => {
          setReadingMax(false)
          change({ amount: next, isMax: false })
        }}
        unit={isInMoney ? money : undefined}
        token={token}
        selectLabel={t(token ? 'send.token' : 'send.selectToken')}
        onSelect={selectToken}
        error={amountError}
        end={
          token && (
            <span className="gf-amount-end">
              <TokenAmount amount={token.amount} symbol={token.symbol} />
              <button
                type="button"
                className="gf-max"
                aria-disabled={isReadingMax || undefined}
                onClick={isReadingMax ? undefined : setMax}
              >
                {t('send.max')}
              </button>
            </span>
          )
        }
        under={
          token?.price !== undefined && (
            <button type="button" className="gf-link" onClick={flip}>
              {isInMoney ? (
                <TokenAmount
                  amount={fromUnits(amount ?? 0n, token.decimals)}
                  symbol={token.symbol}
                />
              ) : (
                <Money value={multiply(fromUnits(amount ?? 0n, token.decimals), token.price)} />
              )}
              <span className="gf-hidden">
                {' '}
                {t('send.inMoney', { unit: isInMoney ? symbol : money })}
              </span>
            </button>
          )
        }
      />
      <Receiver
        text={draft.to}
        recipient={recipient}
        onChange={(to) => change({ to })}
        onPaste={() =>
          void navigator.clipboard
            ?.readText()
            .then((to) => change({ to: to.trim() }))
            .catch(() => showToast(kit, 'error', t('send.pasteFailed')))
        }
      />
      {check.isError && !lacksGas && (
        <Note kind="bad" role="alert">
          {reasonOf(check.error, t)}
        </Note>
      )}
      {token && checked && (
        <Facts>
          <Fact label={t('send.network')}>
            <Artwork {...networkArt(kit, network)} size={16} />
            {network.name}
          </Fact>
          <FeeFact fee={fee} native={native} network={network} />
          {taken !== undefined && amount !== 0n && !isTooMuch && (
            <Fact label={t('send.left')}>
              <TokenAmount amount={leftOf(token, taken)} symbol={symbol} />
            </Fact>
          )}
        </Facts>
      )}
      {lacksGas && !isTooMuch && fee !== undefined && (
        <Note kind="warn" role="status">
          {t('send.noGas', { amount: formatFee(fee, network.nativeCurrency, locale) })}
        </Note>
      )}
      <Button kind="primary" disabled={problem !== undefined} onClick={preview}>
        {problem ?? t('send.preview')}
      </Button>
      {missing && canBuy && (
        <Button onClick={() => push(kit, { name: 'OnRampProviders', data: { token: missing.id } })}>
          {t('send.buy', { symbol: missing.symbol })}
        </Button>
      )}
    </div>
  )
}

/** The field for the receiver, with the address to which a name resolves. */
function Receiver(props: {
  text: string
  recipient: Recipient
  onChange: (text: string) => void
  onPaste: () => void
}) {
  const { text, recipient } = props
  const t = useText(sendText)
  const { status } = recipient
  const error =
    status === 'noName' ||
    status === 'nameFailed' ||
    status === 'short' ||
    status === 'long' ||
    status === 'characters' ||
    status === 'checksum'
      ? t(`send.${status}`)
      : undefined
  // Older versions of Firefox do not let pages read the clipboard.
  const canPaste = typeof navigator !== 'undefined' && 'readText' in (navigator.clipboard ?? {})
  return (
    <Field
      label={t('send.to')}
      // A long address is cut at its end, in every language.
      dir="auto"
      placeholder={t('send.toHint')}
      icon={status === 'found' ? undefined : user}
      start={status === 'found' && <Avatar address={recipient.address} size={24} />}
      value={text}
      onChange={props.onChange}
      // An unfinished address is not an error yet.
      error={status === 'short' && text.length < 3 ? undefined : error}
      end={
        <>
          {status === 'found' && recipient.name && (
            <small className="gf-recipient">
              <bdi dir="ltr">{shortAddress(recipient.address)}</bdi>
            </small>
          )}
          {text !== '' ? (
            <IconButton icon={close} label={t('send.clear')} onClick={() => props.onChange('')} />
          ) : (
            canPaste && (
              <button type="button" className="gf-link" onClick={props.onPaste}>
                {t('send.paste')}
              </button>
            )
          )}
        </>
      }
    />
  )
}

/** The typed amount in the smallest unit; undefined if it is not an amount of the token. */
function readAmount(text: string, token: Token, isInMoney: boolean): bigint | undefined {
  // A point at either end means that the amount is still being typed.
  const number = text.replace(/^\./, '0.').replace(/\.$/, '')
  try {
    const whole = isInMoney ? divide(number, token.price!, token.decimals) : number
    return toUnits(whole, token.decimals)
  } catch {
    return undefined
  }
}

/** A fee with as many digits as `FeeFact` shows. */
function formatFee(fee: bigint, currency: Network['nativeCurrency'], locale: string): string {
  const amount = fromUnits(fee, currency.decimals)
  return `${formatAmount(amount, locale, { significantDigits: 2 })} ${currency.symbol}`
}

/** What is left of a token's balance. */
function leftOf(token: Token, spent: bigint): string {
  const left = token.units - spent
  return fromUnits(left > 0n ? left : 0n, token.decimals)
}
