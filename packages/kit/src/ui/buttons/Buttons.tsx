import { useRef } from 'react'
import type { ReactNode } from 'react'

import { useInstance, useKitState } from '../../react/context.ts'
import { useIdlePrefetch } from '../../react/useIdlePrefetch.ts'
import css from '../styles/buttons.css?inline'

/** A single value, or one for narrow screens and one for screens from 768 px. */
export type Responsive<value> = value | { smallScreen: value; largeScreen: value }

/** The root element of the buttons in the host page, with their stylesheet and the theme variables. */
export function Buttons({ children }: { children: ReactNode }) {
  const { nonce } = useInstance().options
  const variables = useKitState((state) => state.theme.variables)
  return (
    <>
      <style href="gatefold-buttons" precedence="gatefold" nonce={nonce}>
        {css}
      </style>
      <span data-gf-buttons="" style={variables}>
        {children}
      </span>
    </>
  )
}

/** A button that opens the modal. Prefetches the modal's code in idle time, on hover and on focus. */
export function PageButton(props: {
  children: ReactNode
  kind?: 'primary' | 'bad' | undefined
  label?: string | undefined
  on?: On | undefined
  disabled?: boolean | undefined
  onClick: () => void
}) {
  const kit = useInstance()
  const button = useRef<HTMLButtonElement>(null)
  useIdlePrefetch(button)
  const prefetch = () => kit.prefetch()
  return (
    <button
      ref={button}
      type="button"
      data-kind={props.kind}
      data-on={props.on}
      aria-label={props.label}
      aria-haspopup="dialog"
      disabled={props.disabled}
      onPointerEnter={prefetch}
      onPointerDown={prefetch}
      onFocus={prefetch}
      onClick={props.onClick}
    >
      {props.children}
    </button>
  )
}

/**
 * The screen widths at which an element is shown; undefined for all. CSS hides the element at other widths,
 * since the server does not know the width.
 */
export type On = 'small' | 'large' | 'none' | undefined

/** Returns the screen widths at which `shows` is true for the value. */
export function shownOn<value>(value: Responsive<value>, shows: (value: value) => boolean): On {
  const { smallScreen, largeScreen } = isResponsive(value)
    ? value
    : { smallScreen: value, largeScreen: value }
  const small = shows(smallScreen)
  const large = shows(largeScreen)
  if (small === large) return small ? undefined : 'none'
  return small ? 'small' : 'large'
}

function isResponsive<value>(
  value: Responsive<value>,
): value is { smallScreen: value; largeScreen: value } {
  return typeof value === 'object' && value !== null && 'smallScreen' in value
}
