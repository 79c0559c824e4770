import { useState } from 'react'

/** Shows the code with a copy button. */
export function Code({ code }: { code: string }) {
  const [copied, setCopied] = useState<{ code: string; failed: boolean }>()
  const current = copied?.code === code ? copied : undefined
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(code)
      setCopied({ code, failed: false })
    } catch {
      setCopied({ code, failed: true })
    }
  }
  return (
    <section className="code" aria-labelledby="code-title">
      <header>
        <h2 id="code-title">Code</h2>
        <button type="button" onClick={() => void copy()}>
          {current ? (current.failed ? 'Copy failed' : 'Copied') : 'Copy'}
        </button>
        <span role="status" className="hidden">
          {current &&
            (current.failed
              ? 'Couldn’t copy the code. Select it and copy it manually.'
              : 'Code copied')}
        </span>
      </header>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrollable, so focusable */}
      <pre tabIndex={0} aria-label="TypeScript">
        {code
          .split(/('(?:[^'\\\n]|\\.)*')/u)
          .map((text, index) => (index % 2 === 1 ? <i key={index}>{text}</i> : text))}
      </pre>
    </section>
  )
}
