import { useEffect, useRef } from 'react'
import { Icon } from './Icon.tsx'

/** The head of a screen that was gone into: the way back, and its name, which takes the focus. */
export function Bar({ title, onBack }: { title: string; onBack: () => void }) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  return (
    <header className="bar">
      <button type="button" className="round" aria-label="Back" onClick={onBack}>
        <Icon name="back" />
      </button>
      <h1 ref={heading} tabIndex={-1}>
        {title}
      </h1>
    </header>
  )
}
