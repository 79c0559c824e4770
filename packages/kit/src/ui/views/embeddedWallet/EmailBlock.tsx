import { EmailField } from './EmailField.tsx'

/** The e-mail login among the ways to connect. */
export function EmailBlock() {
  return <EmailField />
}
