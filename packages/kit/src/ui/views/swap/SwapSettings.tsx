import { useId, useState } from 'react'

import { limits } from '@gatefold/protocol'

import { fromUnits } from '../../../core/money/decimal.ts'
import { decimalSeparator } from '../../../core/money/decimalSeparator.ts'
import { toPlainNumber } from '../../../core/money/toPlainNumber.ts'
import { formatPercent } from '../../../core/money/formatRate.ts'
import { parseAmount } from '../../../core/money/swap/swapState.ts'
import { useKitState } from '../../../react/context.ts'
import { useText } from '../../hooks/useText.ts'
import { Note } from '../../parts/Note.tsx'
import { swapText } from '../../strings/swap.ts'

/** Slippages to choose from, in basis points. */
const slippages = [50, 100, 300]

/**
 * A percentage has at most two decimals, so that it is a whole number of basis
 * points.
 */
const percentDecimals = 2
const maxSlippage = limits.swapSlippageMaxPercent * 100

/** Chooses the slippage, in basis points: one of three, or any other. */
export function SlippageChoice(props: { value: number; onChange: (value: number) => void }) {
  const { value, onChange } = props
  const t = useText(swapText)
  const locale = useKitState((state) => state.locale)
  const percent = (units: number) => formatPercent(units / 100, locale)
  return (
    <span className="gf-choice" role="radiogroup" aria-label={t('swap.slippage')}>
      {slippages.map((preset) => (
        <label key={preset}>
          <input
            type="radio"
            name="gf-slippage"
            checked={preset === value}
            onChange={() => onChange(preset)}
          />
          <span>{percent(preset)}</span>
        </label>
      ))}
      <NumberField
        label={t('swap.slippageOther')}
        placeholder={t('swap.other')}
        unit="%"
        value={slippages.includes(value) ? undefined : fromUnits(BigInt(value), percentDecimals)}
        parse={(text) => inRange(parseAmount(text, percentDecimals), maxSlippage)}
        error={t('swap.slippageRange', { a: percent(1), b: percent(maxSlippage) })}
        onChange={onChange}
      />
    </span>
  )
}

/** Sets the deadline, in minutes. */
export function DeadlineField(props: { value: number; onChange: (value: number) => void }) {
  const t = useText(swapText)
  const max = limits.swapDeadlineMaxMinutes
  return (
    <span className="gf-choice">
      <NumberField
        label={t('swap.deadlineMinutes')}
        unit={t('swap.minutesUnit')}
        value={String(props.value)}
        parse={(text) => inRange(parseAmount(text, 0), max)}
        error={t('swap.deadlineRange', { n: max })}
        onChange={props.onChange}
      />
    </span>
  )
}

/**
 * A warning about a slippage that costs more than usual, or with which the swap
 * is likely to fail.
 */
export function SlippageWarning({ slippage }: { slippage: number }) {
  const t = useText(swapText)
  const locale = useKitState((state) => state.locale)
  const percent = formatPercent(slippage / 100, locale)
  if (slippage >= limits.swapSlippageHighPercent * 100)
    return (
      <Note kind="warn" role="status" title={t('swap.slippageHigh')}>
        {t('swap.slippageHighHint', { percent })}
      </Note>
    )
  if (slippage < limits.swapSlippageLowPercent * 100)
    return (
      <Note kind="warn" role="status" title={t('swap.slippageLow')}>
        {t('swap.slippageLowHint', { percent })}
      </Note>
    )
  return null
}

/**
 * A small field for a number. While the text is not an accepted number, an
 * error is shown and the value does not change; when the field loses focus, it
 * shows the value again.
 *
 * @param props.value - shown while the field is not edited, with the locale's decimal separator; undefined for none
 * @param props.parse - undefined if the text is not accepted
 */
function NumberField(props: {
  label: string
  placeholder?: string
  unit: string
  value: string | undefined
  parse: (text: string) => number | undefined
  error: string
  onChange: (value: number) => void
}) {
  const { value = '', parse, error, onChange } = props
  const id = useId()
  const separator = useKitState(({ locale }) => decimalSeparator(locale))
  const [text, setText] = useState<string>()
  const isWrong = Boolean(text) && parse(text!) === undefined
  return (
    <>
      <span className="gf-number" data-state={isWrong ? 'bad' : undefined}>
        <input
          aria-label={props.label}
          aria-invalid={isWrong || undefined}
          aria-describedby={isWrong ? id : undefined}
          inputMode="decimal"
          dir="ltr"
          maxLength={5}
          placeholder={props.placeholder}
          value={(text ?? value).replace('.', separator)}
          onChange={(event) => {
            const next = toPlainNumber(event.target.value)
            setText(next)
            const number = parse(next)
            if (number !== undefined) onChange(number)
          }}
          onBlur={() => setText(undefined)}
          autoComplete="off"
          spellCheck={false}
        />
        <span aria-hidden>{props.unit}</span>
      </span>
      {isWrong && (
        <small className="gf-bad-text" id={id} role="alert">
          {error}
        </small>
      )}
    </>
  )
}

function inRange(value: bigint | undefined, max: number): number | undefined {
  return value !== undefined && value >= 1n && value <= BigInt(max) ? Number(value) : undefined
}
