import { useRef, useState } from 'react'
import { usePhone } from '../usePhone.ts'
import { explainError } from '../texts.ts'

/** A field for a pairing link. Pasting a complete link submits it. */
export function PasteField({ onPaired }: { onPaired?: () => void }) {
  const phone = usePhone()
  const [problem, setProblem] = useState<string>()
  const field = useRef<HTMLInputElement>(null)

  async function pair(text: string) {
    setProblem(undefined)
    try {
      await phone.pair(text)
      if (field.current) field.current.value = ''
      onPaired?.()
    } catch (error) {
      setProblem(explainError(error))
      field.current?.focus()
    }
  }

  return (
    <form
      className="paste"
      onSubmit={(event) => {
        event.preventDefault()
        void pair(field.current?.value ?? '')
      }}
    >
      <div className="field" data-error={problem ? true : undefined}>
        <input
          ref={field}
          type="text"
          aria-label="Link from the app"
          aria-invalid={problem ? true : undefined}
          aria-describedby="paste-problem"
          placeholder="Or paste a link (wc:…)"
          autoCapitalize="off"
          autoComplete="off"
          spellCheck={false}
          onPaste={(event) => {
            const text = event.clipboardData.getData('text')
            if (!/wc(?::|%3a)/i.test(text)) return
            event.preventDefault()
            event.currentTarget.value = text
            void pair(text)
          }}
        />
        <button type="submit" className="button" data-size="small">
          Connect
        </button>
      </div>
      <p id="paste-problem" className="problem" role="alert">
        {problem}
      </p>
    </form>
  )
}
