import { useEffect, useState } from 'react'

import { cooldownSeconds } from '../../../connectors/embeddedWallet/loginRecords.ts'
import { useText } from '../../hooks/useText.ts'
import { embeddedText } from '../../strings/embedded.ts'

/**
 * A link that sends another mail once the waiting time is over.
 *
 * @see spec §5.11.1
 */
export function Resend({ label, onResend }: { label: string; onResend: () => void }) {
  const t = useText(embeddedText)
  const [seconds, setSeconds] = useState(cooldownSeconds)
  useEffect(() => {
    const timer = setInterval(() => setSeconds(cooldownSeconds()), 1_000)
    return () => clearInterval(timer)
  }, [])
  return seconds > 0 ? (
    <p>{t('embedded.againIn', { n: seconds })}</p>
  ) : (
    <button type="button" className="gf-link" onClick={onResend}>
      {label}
    </button>
  )
}
