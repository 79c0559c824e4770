import { useText } from '../../hooks/useText.ts'
import { embeddedText } from '../../strings/embedded.ts'
import { EmailField } from './EmailField.tsx'

/** Only the email login. */
export function EmailLogin() {
  const t = useText(embeddedText)
  return (
    <div className="gf-body">
      <EmailField hint={t('embedded.noPassword')} />
    </div>
  )
}
