import { useEffect, useRef, type ReactNode } from 'react'
import { Icon } from '../parts/Icon.tsx'

type SlipProps = {
  heading: string
  onClose: () => void
  children: ReactNode
}

/** A leaf laid over the title page, with one job on it. Escape and the arrow put it away. */
export function Slip({ heading, onClose, children }: SlipProps) {
  const slip = useRef<HTMLElement>(null)
  useEffect(() => {
    const first = slip.current?.querySelector<HTMLElement>('input, textarea')
    first?.focus({ preventScroll: true })
  }, [])
  useEffect(() => {
    const leaf = slip.current
    const leave = (event: KeyboardEvent) => event.key === 'Escape' && onClose()
    leaf?.addEventListener('keydown', leave)
    return () => leaf?.removeEventListener('keydown', leave)
  }, [onClose])
  return (
    <main className="desk">
      <section ref={slip} className="slip" aria-labelledby="slip-heading">
        <header>
          <button type="button" className="round" aria-label="Back to the cover" onClick={onClose}>
            <Icon name="back" />
          </button>
          <h1 id="slip-heading">{heading}</h1>
        </header>
        {children}
      </section>
    </main>
  )
}
