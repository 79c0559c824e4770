import { useEffect, useState } from 'react'

import { useText } from '../../hooks/useText.ts'
import { accountText } from '../../strings/account.ts'

/** Seconds until the next request. @see spec §9.1.3 */
export function Countdown({ until }: { until: number }) {
  const t = useText(accountText)
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000)
    return () => clearInterval(timer)
  }, [])
  const seconds = Math.max(0, Math.ceil((until - now) / 1_000))
  return (
    <small>
      {seconds > 0 ? t('account.balanceAgain', { n: seconds }) : t('account.balanceNow')}
    </small>
  )
}
