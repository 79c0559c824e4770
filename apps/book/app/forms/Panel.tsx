import { useEffect, useRef, type ReactNode } from 'react'
import { Icon } from '../parts/Icon.tsx'

type PanelProps = {
  heading: string
  onClose: () => void
  children: ReactNode
}

/** A panel that replaces the title page and contains one form. Escape and its back button close it. */
export function Panel({ heading, onClose, children }: PanelProps) {
  const panel = useRef<HTMLElement>(null)
  useEffect(() => {
    const first = panel.current?.querySelector<HTMLElement>('input, textarea')
    first?.focus({ preventScroll: true })
  }, [])
  useEffect(() => {
    const element = panel.current
    const onKeyDown = (event: KeyboardEvent) => event.key === 'Escape' && onClose()
    element?.addEventListener('keydown', onKeyDown)
    return () => element?.removeEventListener('keydown', onKeyDown)
  }, [onClose])
  return (
    <main className="panel-page">
      <section ref={panel} className="panel" aria-labelledby="panel-heading">
        <header>
          <button
            type="button"
            className="icon-button"
            aria-label="Back to the cover"
            onClick={onClose}
          >
            <Icon name="back" />
          </button>
          <h1 id="panel-heading">{heading}</h1>
        </header>
        {children}
      </section>
    </main>
  )
}
