import { useRef } from 'react'
import type { ReactNode } from 'react'

import { useInstance, useKitContext, useKitState } from '../../react/context.ts'
import { useIdlePrefetch } from '../../react/useIdlePrefetch.ts'
import { useCatalog, useText } from '../hooks/useText.ts'
import { buttonText } from '../strings/buttons.ts'
import css from '../styles/buttons.css?inline'

/** A single value, or one for narrow screens and one for screens from 768 px. */
export type Responsive<value> =
  | value
  | {
      /** Below 768 px. */
      smallScreen: value
      /** From 768 px. */
      largeScreen: value
    }

/** The root element of the buttons in the host page, with their stylesheet and the theme variables. */
export function Buttons({ children }: { children: ReactNode }) {
  const { nonce } = useInstance().options
  const { mode, variables } = useKitState((state) => state.theme)
  return (
    <>
      {/* React 19 hoists it to the head once per page. React 18 renders it here and would escape text children. */}
      <style
        href="gatefold-buttons"
        precedence="gatefold"
        nonce={nonce}
        suppressHydrationWarning // browsers hide the nonce
        dangerouslySetInnerHTML={{ __html: css }}
      />
      <span data-gf-buttons="" data-theme={mode} style={variables}>
        {children}
      </span>
    </>
  )
}

/**
 * A button that opens the modal. Prefetches the modal's code once the page has loaded, on hover and on focus. If the
 * code could not be loaded, the button says so, and the next click reloads the page, because browsers cache failed
 * imports.
 */
export function PageButton(props: {
  children: ReactNode
  kind?: 'primary' | 'bad' | undefined
  label?: string | undefined
  on?: On | undefined
  disabled?: boolean | undefined
  onClick: () => void
}) {
  const { kit, isBroken } = useKitContext()
  const t = useText(buttonText, useCatalog())
  const button = useRef<HTMLButtonElement>(null)
  useIdlePrefetch(button)
  const prefetch = () => kit.prefetch()
  return (
    <button
      ref={button}
      type="button"
      data-kind={props.kind}
      data-on={props.on}
      aria-label={isBroken ? undefined : props.label}
      aria-haspopup="dialog"
      disabled={props.disabled}
      onPointerEnter={prefetch}
      onPointerDown={prefetch}
      onFocus={prefetch}
      // Offline, a reload would fail.
      onClick={isBroken && navigator.onLine ? () => location.reload() : props.onClick}
    >
      {isBroken ? <span>{t('button.failed')}</span> : props.children}
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
