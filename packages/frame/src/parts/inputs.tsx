/** @jsxImportSource preact */
import { loginText } from '../strings/login.ts'
import { useText } from '../strings/useText.ts'
import { Rich } from './Rich.tsx'

type InputProps = { value: string; onInput: (value: string) => void }

/** The field of an email address. */
export function EmailInput({ value, onInput }: InputProps) {
  const t = useText(loginText)
  return (
    <label class="field">
      <span>{t('login.email')}</span>
      <input
        type="email"
        autocomplete="email"
        required
        value={value}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
    </label>
  )
}

/**
 * The field of a code that was mailed to an address.
 *
 * @param props.origin - the page that the mail names
 */
export function CodeInput(props: InputProps & { email: string; origin: string }) {
  const { email, origin, value, onInput } = props
  const t = useText(loginText)
  return (
    <>
      <label class="field">
        <span>{t('login.code', { email })}</span>
        <input
          type="text"
          inputMode="numeric"
          autocomplete="one-time-code"
          maxLength={6}
          pattern="[0-9]{6}"
          required
          aria-describedby="names"
          value={value}
          onInput={(event) => onInput(event.currentTarget.value)}
        />
      </label>
      <p class="names" id="names">
        <Rich text={t('login.names')} values={{ origin: <b dir="ltr">{origin}</b> }} />
      </p>
    </>
  )
}
