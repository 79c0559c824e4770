/** @jsxImportSource preact */
import { useState } from 'preact/hooks'
import { minPasswordLength, type PasswordProblem } from '../custody/wraps.ts'
import { problemText } from '../strings/problems.ts'
import { useText } from '../strings/useText.ts'
import type { Work } from './useWork.ts'

const name = 'password'

/**
 * A field for a password, with the button that uses it.
 *
 * @param props.check - returns what is wrong with a password, or `undefined` if
 *   it is acceptable.
 */
export function PasswordForm(props: {
  work: Work
  label: string
  action: string
  busyText: string
  isNew?: boolean
  isAccent?: boolean
  check?: (password: string) => PasswordProblem | undefined
  onWork: (password: string) => Promise<unknown>
}) {
  const { work, label, action, busyText, isNew = false, isAccent = false, check, onWork } = props
  const t = useText(problemText)
  const [password, setPassword] = useState('')
  return (
    <form
      class="form"
      onSubmit={(event) => {
        event.preventDefault()
        const wrong = check?.(password)
        if (wrong === undefined) void work.run(name, async () => onWork(password))
        else work.setProblem(t(`problem.${wrong}`, { n: minPasswordLength }))
      }}
    >
      <label class="field">
        <span>{label}</span>
        <input
          type="password"
          value={password}
          autocomplete={isNew ? 'new-password' : 'current-password'}
          required
          onInput={(event) => setPassword(event.currentTarget.value)}
        />
      </label>
      <button
        type="submit"
        class={isAccent ? 'accent' : ''}
        disabled={work.busy !== undefined || password === ''}
      >
        {work.busy === name ? busyText : action}
      </button>
    </form>
  )
}
