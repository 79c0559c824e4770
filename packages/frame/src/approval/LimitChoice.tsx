/** @jsxImportSource preact */
import { useEffect, useRef, useState } from 'preact/hooks'
import { approvalText } from '../strings/approval.ts'
import { useLanguage, useText } from '../strings/useText.ts'
import type { Pending } from './createApprovals.ts'
import { formatAmount } from './formatAmount.ts'
import { parseAmount, type AmountProblem } from './parseAmount.ts'
import type { Limit } from './Statement.ts'
import { label } from './text.ts'

/**
 * Lets the visitor choose how much a spender may take, if the site asks for an unlimited amount: what is needed, the
 * balance, any other amount, or unlimited.
 *
 * @param props.onEdit - called with `true` while the chosen amount is not entered yet
 * @param props.onChoose - called with an amount in atomic units, or `undefined` for unlimited
 */
export function LimitChoice(props: {
  limit: Limit
  change: Pending['change']
  onEdit: (isEditing: boolean) => void
  onChoose: (amount: bigint | undefined) => void
}) {
  const { limit, change, onEdit, onChoose } = props
  const { decimals, amount, needed, balance } = limit
  const t = useText(approvalText)
  const language = useLanguage()
  const id = `limit-${limit.call}`
  /** What the visitor has chosen. Until it is examined, `limit` has the previous amount. */
  const [picked, pick] = useState<'other' | { value: bigint | undefined }>()
  const [problem, setProblem] = useState<AmountProblem>()
  /** The amount that is being examined. */
  const examinedRef = useRef<bigint>()
  const token = label(limit.symbol, t('approval.unnamedToken'))
  const format = (atomic: bigint) => `${formatAmount(atomic, decimals, language)} ${token}`
  const isNeeded = needed !== undefined
  const isHeld = balance !== undefined && balance !== 0n && balance !== needed
  const isOffered = amount === undefined || amount === needed || (isHeld && amount === balance)
  const [text, setText] = useState(() =>
    isOffered ? '' : formatAmount(amount, decimals, language),
  )
  const isEntered = picked === 'other' || (!picked && !isOffered)
  const offered = typeof picked === 'object' ? picked.value : amount

  useEffect(() => {
    if (change !== 'examining') pick((before) => (before === 'other' ? before : undefined))
  }, [change, limit])

  function choose(value: bigint | undefined) {
    pick({ value })
    setProblem(undefined)
    onEdit(false)
    onChoose(value)
  }

  function enter() {
    if (text === '') return
    const parsed = parseAmount(text, decimals, language)
    if (typeof parsed === 'string') return setProblem(parsed)
    if (parsed === amount) return onEdit(false)
    // Enter and leaving the field can both report the same amount.
    if (change === 'examining' && parsed === examinedRef.current) return
    examinedRef.current = parsed
    onChoose(parsed)
  }

  const offer = (value: bigint | undefined, title: string, hint: string) => (
    <label>
      <input
        type="radio"
        name={id}
        checked={!isEntered && value === offered}
        onChange={() => choose(value)}
      />
      <b>{title}</b>
      <small>
        <bdi>{hint}</bdi>
      </small>
    </label>
  )

  return (
    <fieldset class="limit" aria-busy={change === 'examining'}>
      <legend>{t('limit.title', { token })}</legend>
      {isNeeded && offer(needed, t('limit.only', { amount: format(needed) }), t('limit.needed'))}
      {isHeld && offer(balance, t('limit.balance'), format(balance))}
      <div class="entry">
        <label>
          <input
            type="radio"
            name={id}
            checked={isEntered}
            onChange={() => {
              pick('other')
              onEdit(true)
              enter()
            }}
          />
          <b>{t('limit.other')}</b>
        </label>
        <input
          type="text"
          inputMode="decimal"
          autocomplete="off"
          dir="ltr"
          aria-label={t('limit.field', { token })}
          aria-invalid={problem !== undefined}
          aria-describedby={`${id}-problem`}
          value={text}
          onInput={(event) => {
            setText(event.currentTarget.value)
            setProblem(undefined)
            pick('other')
            onEdit(true)
          }}
          onBlur={() => isEntered && enter()}
          onKeyDown={({ key }) => {
            if (key === 'Enter') enter()
          }}
        />
      </div>
      {offer(undefined, t('approval.unlimited'), t('limit.unlimitedHint'))}
      <p id={`${id}-problem`} class="wrong" role="alert">
        {problem
          ? t(`limit.${problem}`, { token, n: decimals, example: formatAmount(25n, 1, language) })
          : change === 'failed' && t('limit.failed')}
      </p>
      {change === 'examining' && <p role="status">{t('limit.examining')}</p>}
    </fieldset>
  )
}
