import { useId } from 'react'
import type { ReactNode } from 'react'

import { decimalSeparator } from '../../../core/money/decimalSeparator.ts'
import { toPlainNumber } from '../../../core/money/toPlainNumber.ts'
import type { Token } from '../../../core/money/tokens.ts'
import { useKitState } from '../../../react/context.ts'
import { down } from '../../icons/account.ts'
import css from '../../styles/amount.css?inline'
import { Artwork } from '../Artwork.tsx'
import { Icon } from '../Icon.tsx'
import { Style } from '../Style.tsx'

/** A partially typed amount: digits and at most one point. */
const typed = /^\d*\.?\d*$/

/** Maximum length of an amount: 2^256 has 78 digits. */
const maxLength = 80

/**
 * A field for an amount of a token, with a button that selects the token. The digits and decimal separators of
 * `toPlainNumber` can be typed; other characters are ignored.
 *
 * @param props.value - a plain decimal number, shown with the locale's separator; shown as it is if read-only
 * @param props.onChange - without it, the field is read-only
 * @param props.unit - shown before the amount, such as `$` for an amount in dollars
 * @param props.end - at the end of the first line: the balance, and a button for the maximum
 * @param props.under - below the amount, such as its value
 * @param props.error - the problem with the amount
 */
export function AmountField(props: {
  label: string
  value: string
  onChange?: ((value: string) => void) | undefined
  unit?: string | undefined
  token: Pick<Token, 'symbol' | 'image'> | undefined
  selectLabel: string
  onSelect?: (() => void) | undefined
  end?: ReactNode
  under?: ReactNode
  error?: string | undefined
  busy?: boolean
}) {
  const { value, onChange, token, error } = props
  const id = useId()
  const separator = useKitState(({ locale }) => decimalSeparator(locale))
  const change = (text: string) => {
    const next = toPlainNumber(text)
    if (typed.test(next)) onChange?.(next)
  }
  return (
    <>
      <Style css={css} />
      <div className="gf-amount" data-state={error ? 'bad' : undefined} aria-busy={props.busy}>
        <div>
          <label htmlFor={id}>{props.label}</label>
          {props.end}
        </div>
        <div>
          {props.unit && <span aria-hidden>{props.unit}</span>}
          <input
            id={id}
            inputMode="decimal"
            placeholder="0"
            dir="ltr"
            maxLength={maxLength}
            value={onChange ? value.replace('.', separator) : value}
            readOnly={!onChange}
            onChange={(event) => change(event.target.value)}
            aria-invalid={error ? true : undefined}
            aria-describedby={error ? `${id}error` : undefined}
            autoComplete="off"
            spellCheck={false}
          />
          <button
            type="button"
            className="gf-token-button"
            aria-label={token ? `${props.selectLabel}: ${token.symbol}` : props.selectLabel}
            onClick={props.onSelect}
          >
            {token && <Artwork size={24} shape="round" name={token.symbol} src={token.image} />}
            <bdi>{token ? token.symbol : props.selectLabel}</bdi>
            <Icon d={down} size={16} />
          </button>
        </div>
        <div>
          {error ? (
            <span className="gf-amount-error" id={`${id}error`} role="alert">
              {error}
            </span>
          ) : (
            props.under
          )}
        </div>
      </div>
    </>
  )
}
