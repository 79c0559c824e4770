import { useEffect, useId, useRef, useState } from 'react'
import type { ReactNode } from 'react'

import { toPlainNumber } from '../../../core/money/toPlainNumber.ts'
import { spin } from '../../icons/base.ts'
import { Icon } from '../../parts/Icon.tsx'
import { Style } from '../../parts/Style.tsx'
import css from '../../styles/embedded.css?inline'

/** Number of digits of a code. */
export const codeLength = 6

/**
 * The six boxes of a code. They are drawn behind one text field, so that pasting, autofill, arrow keys and screen readers
 * work as in any other field. The last digit submits the code.
 *
 * @param props.state - `bad` clears the code with the next digit
 * @param props.onCode - called with a complete code
 * @param props.children - shown below the boxes
 */
export function CodeField(props: {
  label: string
  state: 'typing' | 'busy' | 'bad'
  error?: string | undefined
  busyText: string
  onCode: (code: string) => void
  children?: ReactNode
}) {
  const { label, state, error, onCode } = props
  const [code, setCode] = useState('')
  const [hasFocus, setFocus] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  const errorId = useId()
  useEffect(() => {
    if (state !== 'busy') input.current?.focus()
  }, [state])
  return (
    <>
      <Style css={css} />
      <div className="gf-code" data-state={state} dir="ltr">
        <input
          ref={input}
          aria-label={label}
          aria-invalid={state === 'bad' || undefined}
          aria-describedby={error ? errorId : undefined}
          inputMode="numeric"
          autoComplete="one-time-code"
          pattern="[0-9]*"
          // Allows a seventh digit, which replaces a wrong code, and a pasted
          // code with spaces.
          maxLength={20}
          value={code}
          readOnly={state === 'busy'}
          onFocus={() => setFocus(true)}
          onBlur={() => setFocus(false)}
          onSelect={({ currentTarget: field }) => {
            // The caret stays at the end: the boxes do not show it.
            if (
              field.selectionStart !== field.value.length ||
              field.selectionEnd !== field.value.length
            )
              field.setSelectionRange(field.value.length, field.value.length)
          }}
          onChange={({ target }) => {
            const typed = toPlainNumber(target.value).replace(/\D/g, '')
            const isNew = state === 'bad' && typed.length > codeLength
            const next = isNew ? typed.slice(codeLength) : typed.slice(0, codeLength)
            setCode(next)
            if (next.length === codeLength && next !== code) onCode(next)
          }}
        />
        {Array.from({ length: codeLength }, (_, index) => (
          <span
            key={index}
            aria-hidden
            data-active={(hasFocus && state === 'typing' && index === code.length) || undefined}
          >
            {code[index]}
          </span>
        ))}
      </div>
      <div className="gf-code-notes">
        {state === 'busy' ? (
          <p role="status">
            <Icon d={spin} size={16} spin /> {props.busyText}
          </p>
        ) : (
          <>
            {error && (
              <p role="alert" id={errorId} data-kind="bad">
                {error}
              </p>
            )}
            {props.children}
          </>
        )}
      </div>
    </>
  )
}
