/** @jsxImportSource preact */
import type { RecoveryMethod } from '@gatefold/protocol/frame'
import { useEffect, useMemo, useState } from 'preact/hooks'
import { AskedBy } from '../parts/AskedBy.tsx'
import { Card } from '../parts/Card.tsx'
import { Problem } from '../parts/Problem.tsx'
import { useWork } from '../parts/useWork.ts'
import { WorkButton } from '../parts/WorkButton.tsx'
import { recoveryText } from '../strings/recovery.ts'
import { useText } from '../strings/useText.ts'
import { createPasskeyLogin } from './createPasskeyLogin.ts'
import type { CardContext } from './RestoreCard.tsx'

/**
 * Logs in with only a passkey, or creates a wallet with one. Browsers create
 * passkeys only during a tap in this document.
 *
 * @see docs/custody.md#passkey-login
 */
export function PasskeyCard(props: {
  context: CardContext
  /** The page that requested the login. */
  origin: string
  /** The recovery methods that the project offers. */
  methods: readonly RecoveryMethod[]
  /** Whether this document may use passkeys. */
  maySeePasskeys: boolean
  done: () => void
  cancel: () => void
}) {
  const { context, origin, methods, maySeePasskeys, done, cancel } = props
  const { api, wallet, site, projectId } = context
  const work = useWork()
  const t = useText(recoveryText)
  const stop = useMemo(() => new AbortController(), [])
  // Otherwise the browser's dialog could complete a login that the page has
  // cancelled.
  useEffect(() => () => stop.abort(), [stop])
  const logIn = useMemo(
    () => createPasskeyLogin({ api, wallet, projectId, origin, methods }),
    [api, wallet, projectId, origin, methods],
  )
  const [needsOther, setNeedsOther] = useState(false)
  const login = async (isNew: boolean) => {
    const { hasPrf } = await logIn({ isNew, signal: stop.signal })
    if (isNew && !hasPrf) setNeedsOther(true)
    else done()
  }
  if (needsOther)
    return (
      <Card label={t('passkey.title')} site={site} onClose={done}>
        <h1>{t('passkey.loginOnly')}</h1>
        <p class="by">
          {t(methods.includes('automatic') ? 'passkey.automatic' : 'passkey.password')}
        </p>
        <button type="button" class="accent" onClick={done}>
          {t('confirm.continue')}
        </button>
      </Card>
    )
  return (
    <Card label={t('passkey.title')} site={site} onClose={cancel}>
      <h1>{t('passkey.title')}</h1>
      <AskedBy origin={origin} />
      <Problem text={work.problem} />
      {maySeePasskeys ? (
        <>
          <WorkButton
            work={work}
            name="known"
            text={t('recovery.passkey')}
            busyText={t('passkey.opening')}
            isAccent
            onWork={async () => login(false)}
          />
          <WorkButton
            work={work}
            name="new"
            text={t('passkey.create')}
            busyText={t('passkey.creating')}
            onWork={async () => login(true)}
          />
          <p class="by">{t('passkey.hint')}</p>
        </>
      ) : (
        <p class="problem">{t('passkey.notAllowed')}</p>
      )}
    </Card>
  )
}
