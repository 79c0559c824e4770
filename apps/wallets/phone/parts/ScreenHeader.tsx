import { useEffect, useRef } from 'react'
import { Icon } from './Icon.tsx'

/** A header with a back button and the title, which receives focus on mount. */
export function ScreenHeader({ title, onBack }: { title: string; onBack: () => void }) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  return (
    <header className="screen-header">
      <button type="button" className="round" aria-label="Back" onClick={onBack}>
        <Icon name="back" />
      </button>
      <h1 ref={heading} tabIndex={-1}>
        {title}
      </h1>
    </header>
  )
}
