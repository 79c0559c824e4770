import { useId } from 'react'
import type { ReactNode } from 'react'

import { info, warn } from '../icons/base.ts'
import css from '../styles/field.css?inline'
import { Icon } from './Icon.tsx'
import { Style } from './Style.tsx'

/** A text field with a hint or an error message below it. */
export function Field(props: {
  label: string
  value: string
  onChange: (value: string) => void
  icon?: string | undefined
  /** Shown instead of the icon. */
  start?: ReactNode
  placeholder?: string
  type?: 'text' | 'search' | 'email'
  error?: string | undefined
  /** The `autocomplete` value; by default, autofill is off. */
  autoComplete?: 'email' | undefined
  disabled?: boolean
  /** Shown while there is no error. */
  hint?: string | undefined
  /** The direction of the field, if it does not depend on the language; `auto`: that of the typed text alone. */
  dir?: 'ltr' | 'auto' | undefined
  end?: ReactNode
}) {
  const id = useId()
  const message = props.error ?? props.hint
  const isAuto = props.dir === 'auto'
  return (
    <>
      <Style css={css} />
      <label
        className="gf-field"
        data-state={props.error ? 'bad' : undefined}
        dir={isAuto ? undefined : props.dir}
      >
        {props.start || (props.icon && <Icon d={props.icon} />)}
        <input
          // Type "search" would add the browser's clear button and handle Escape.
          type={props.type === 'search' ? 'text' : (props.type ?? 'text')}
          // The placeholder has the direction of the language.
          dir={isAuto && props.value ? 'auto' : undefined}
          enterKeyHint={props.type === 'search' ? 'search' : undefined}
          aria-label={props.label}
          aria-invalid={props.error ? true : undefined}
          aria-describedby={message ? id : undefined}
          placeholder={props.placeholder ?? props.label}
          value={props.value}
          onChange={(event) => props.onChange(event.target.value)}
          disabled={props.disabled}
          autoComplete={props.autoComplete ?? 'off'}
          autoCapitalize="off"
          spellCheck={false}
        />
        {props.end}
      </label>
      {message && (
        <p
          className="gf-hint"
          data-kind={props.error ? 'bad' : undefined}
          id={id}
          role={props.error ? 'alert' : undefined}
        >
          <Icon d={props.error ? warn : info} size={16} />
          {message}
        </p>
      )}
    </>
  )
}
