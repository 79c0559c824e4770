/** @jsxImportSource preact */
import type { ComponentChildren, RefObject } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { frameText } from '../strings/frame.ts'
import { useText } from '../strings/useText.ts'
import { Place } from './Place.tsx'

/**
 * The layout of every card of the frame: its origin, a body that scrolls, and
 * buttons that stay visible. The card takes the focus, and Escape closes it.
 */
export function Card(props: {
  /** The accessible name. */
  label: string
  /** Origin of the frame. */
  site: string
  /** Beside the origin. */
  corner?: ComponentChildren
  children: ComponentChildren
  /** Between the body and the buttons. */
  note?: ComponentChildren
  /** Replaces the button that closes the card. */
  buttons?: ComponentChildren
  closeText?: string
  onClose: () => void
  isBusy?: boolean
  /** How dangerous the request is. */
  level?: string
  /** The accessible name of the body, if it is a text that the visitor has to read. */
  bodyLabel?: string
  /** The card takes the focus again when this changes. */
  content?: unknown
  element?: RefObject<HTMLElement>
}) {
  const { label, site, corner, children, note, buttons, onClose, isBusy = false, level } = props
  const t = useText(frameText)
  const { closeText = t('frame.cancel'), bodyLabel, content } = props
  const own = useRef<HTMLElement>(null)
  const element = props.element ?? own

  useEffect(() => element.current!.focus(), [element, content])

  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- Escape works anywhere inside
    <section
      ref={element}
      class="card"
      tabIndex={-1}
      role="dialog"
      aria-label={label}
      aria-busy={isBusy}
      data-level={level}
      onKeyDown={({ key }) => {
        if (key === 'Escape') onClose()
      }}
    >
      <Place site={site}>{corner}</Place>
      <div
        class="body"
        {...(bodyLabel !== undefined && {
          role: 'group',
          'aria-label': bodyLabel,
          'aria-live': 'polite',
          // Focusable, so that it can be scrolled with the keyboard.
          tabIndex: 0,
        })}
      >
        <div class="content">{children}</div>
      </div>
      {note}
      <footer>
        {buttons ?? (
          <button type="button" onClick={onClose}>
            {closeText}
          </button>
        )}
      </footer>
    </section>
  )
}
