import { useId } from 'react'
import type { KeyboardEvent, ReactNode } from 'react'

import css from '../styles/segmented.css?inline'
import { Style } from './Style.tsx'

/**
 * Tabs within a view, with `children` as the tab panel. Arrow keys move between tabs.
 *
 * @param props.onIntent - called with true when the visitor points at or focuses the tabs, and with false when the pointer
 *   leaves
 */
export function Segmented<value extends string>(props: {
  label: string
  tabs: readonly { value: value; label: ReactNode }[]
  value: value
  onChange: (value: value) => void
  onIntent?: (isNear: boolean) => void
  children: ReactNode
}) {
  const { tabs, value, onChange, onIntent } = props
  const id = useId()
  const move = (event: KeyboardEvent<HTMLElement>) => {
    const rtl = getComputedStyle(event.currentTarget).direction === 'rtl'
    const step = { ArrowRight: rtl ? -1 : 1, ArrowLeft: rtl ? 1 : -1 }[event.key]
    if (!step) return
    event.preventDefault()
    const index = tabs.findIndex((tab) => tab.value === value)
    const next = tabs[(index + step + tabs.length) % tabs.length]
    if (!next) return
    onChange(next.value)
    event.currentTarget.querySelectorAll<HTMLElement>('[role=tab]')[tabs.indexOf(next)]?.focus()
  }
  return (
    <>
      <Style css={css} />
      {/* oxlint-disable-next-line jsx-a11y/interactive-supports-focus -- the tabs inside are focusable */}
      <div
        className="gf-tabs"
        role="tablist"
        aria-label={props.label}
        onKeyDown={move}
        // Not `pointerenter`: the pointer may be where the tabs appear.
        onPointerMove={onIntent && (() => onIntent(true))}
        onPointerDown={onIntent && (() => onIntent(true))}
        onPointerLeave={onIntent && (() => onIntent(false))}
        onFocus={onIntent && (() => onIntent(true))}
      >
        {tabs.map((tab) => (
          <button
            key={tab.value}
            type="button"
            role="tab"
            id={`${id}${tab.value}`}
            aria-selected={tab.value === value}
            aria-controls={`${id}panel`}
            tabIndex={tab.value === value ? 0 : -1}
            onClick={() => onChange(tab.value)}
          >
            {tab.label}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${id}panel`} aria-labelledby={`${id}${value}`}>
        {props.children}
      </div>
    </>
  )
}
