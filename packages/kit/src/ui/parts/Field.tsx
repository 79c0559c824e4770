import { useId } from 'react'
import type { ReactNode } from 'react'

import { warn } from '../icons/base.ts'
import css from '../styles/field.css?inline'
import { Icon } from './Icon.tsx'
import { Style } from './Style.tsx'

/** A text field with an error message below it. */
export function Field(props: {
  label: string
  value: string
  onChange: (value: string) => void
  icon?: string | undefined
  /** Shown in place of the icon. */
  start?: ReactNode
  placeholder?: string
  type?: 'text' | 'search' | 'email'
  error?: string | undefined
  end?: ReactNode
}) {
  const hint = useId()
  return (
    <>
      <Style css={css} />
      <label className="gf-field" data-state={props.error ? 'bad' : undefined}>
        {props.start || (props.icon && <Icon d={props.icon} />)}
        <input
          // Type "search" would add the browser's clear button and handle Escape.
          type={props.type === 'search' ? 'text' : (props.type ?? 'text')}
          enterKeyHint={props.type === 'search' ? 'search' : undefined}
          aria-label={props.label}
          aria-invalid={props.error ? true : undefined}
          aria-describedby={props.error ? hint : undefined}
          placeholder={props.placeholder ?? props.label}
          value={props.value}
          onChange={(event) => props.onChange(event.target.value)}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
        />
        {props.end}
      </label>
      {props.error && (
        <p className="gf-hint" data-kind="bad" id={hint} role="alert">
          <Icon d={warn} size={16} />
          {props.error}
        </p>
      )}
    </>
  )
}
