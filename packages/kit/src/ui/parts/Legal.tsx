import type { KitInstance } from '../../core/kit/Kit.ts'
import { useInstance } from '../../react/context.ts'
import { check } from '../icons/base.ts'
import { connectText } from '../strings/connect.ts'
import { Icon } from './Icon.tsx'
import { useText } from '../hooks/useText.ts'

/** Whether the visitor has to accept the terms before connecting. */
export function needsConsent(kit: KitInstance): boolean {
  const { features, termsConditionsUrl, privacyPolicyUrl } = kit.options
  return Boolean(features?.legalCheckbox && (termsConditionsUrl || privacyPolicyUrl))
}

/** The checkbox to accept the terms. */
export function Consent(props: { accepted: boolean; onChange: (accepted: boolean) => void }) {
  return (
    <label className="gf-consent">
      <input
        type="checkbox"
        checked={props.accepted}
        onChange={(event) => props.onChange(event.target.checked)}
      />
      <span className="gf-checkbox">
        <Icon d={check} />
      </span>
      <span>
        <Sentence text="connect.consent" className="gf-link" />
      </span>
    </label>
  )
}

/** The terms as a footer; empty if the site has none. */
export function LegalFooter() {
  const { termsConditionsUrl, privacyPolicyUrl } = useInstance().options
  return termsConditionsUrl || privacyPolicyUrl ? (
    <p className="gf-footer">
      <Sentence text="connect.legal" />
    </p>
  ) : null
}

function Sentence(props: { text: 'connect.consent' | 'connect.legal'; className?: string }) {
  const { termsConditionsUrl, privacyPolicyUrl } = useInstance().options
  const t = useText(connectText)
  const [before, after] = t(props.text).split('{links}')
  const link = (url: string | undefined, label: string) =>
    url && (
      <a className={props.className} href={url} target="_blank" rel="noopener noreferrer">
        {label}
      </a>
    )
  return (
    <>
      {before}
      {link(termsConditionsUrl, t('connect.terms'))}
      {termsConditionsUrl && privacyPolicyUrl && ` ${t('connect.and')} `}
      {link(privacyPolicyUrl, t('connect.privacy'))}
      {after}
    </>
  )
}
