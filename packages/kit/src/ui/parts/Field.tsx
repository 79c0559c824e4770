import { useId } from 'react'
import type { ReactNode } from 'react'

import { warn } from '../icons/base.ts'
import { Icon } from './Icon.tsx'

/** One line of text; what is wrong with it stands under it, in words. */
export function Field(props: {
  label: string
  value: string
  onChange: (value: string) => void
  icon?: string
  placeholder?: string
  type?: 'text' | 'search' | 'email'
  error?: string | undefined
  end?: ReactNode
}) {
  const hint = useId()
  return (
    <>
      <label className="gf-field" data-state={props.error ? 'bad' : undefined}>
        {props.icon && <Icon d={props.icon} />}
        <input
          // A search box of type "search" would bring the browser's own cross and Escape key.
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
