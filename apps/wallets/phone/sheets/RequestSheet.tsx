import { useState } from 'react'
import type { PendingRequest } from '../../src/provider/createApprovals.ts'
import { AppIcon } from '../parts/AppIcon.tsx'
import { Sheet } from '../parts/Sheet.tsx'
import { useToast } from '../PhoneProvider.tsx'
import { usePhone } from '../usePhone.ts'
import { approvedText, hostOf } from '../texts.ts'
import { requestTitle } from './requestTitle.ts'
import { TrustNote } from './TrustNote.tsx'
import { RequestBody } from './RequestBody.tsx'
import { SessionBody } from './SessionBody.tsx'
import { SignInBody } from './SignInBody.tsx'

/**
 * A pending request with its approve and reject buttons. If the app fails verification, reject is the
 * primary button and approve requires a checkbox.
 */
export function RequestSheet({ request }: { request: PendingRequest }) {
  const { controls } = usePhone().wallet
  const { showToast } = useToast()
  const [confirmed, setConfirmed] = useState(false)
  const { app, details } = request
  const pendingCount = controls.pending.filter(({ hung }) => !hung).length
  const danger = app?.trust === 'mismatch' || app?.trust === 'scam'
  const title = requestTitle(request, controls)

  return (
    <Sheet name={title}>
      <div className="sheet-top">
        <span className="grip" aria-hidden="true" />
        {pendingCount > 1 && <span className="tag">1 of {pendingCount}</span>}
      </div>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrollable region must be focusable */}
      <div className="sheet-body" tabIndex={0} role="group" aria-label="Request">
        <div className="identity">
          <AppIcon src={app?.icon} name={app?.name ?? '?'} size={56} />
          <h2>{title}</h2>
          <p>
            Requested by <b>{app ? hostOf(app.attestedOrigin ?? app.url) : request.origin}</b>
          </p>
        </div>
        {app && <TrustNote app={app} />}
        {details?.kind === 'session' ? (
          <SessionBody details={details} />
        ) : details?.kind === 'signIn' ? (
          <SignInBody details={details} />
        ) : (
          <RequestBody request={request} />
        )}
      </div>
      <div className="sheet-foot">
        {danger && (
          <label className="group control-row confirm">
            <input
              type="checkbox"
              checked={confirmed}
              onChange={({ currentTarget }) => setConfirmed(currentTarget.checked)}
            />
            <span>I trust this app and want to continue.</span>
          </label>
        )}
        <div className="actions" data-danger={danger || undefined}>
          <button
            type="button"
            className="button"
            data-kind={danger ? 'primary' : undefined}
            onClick={() => {
              request.reject()
              showToast('Request rejected.')
            }}
          >
            Reject
          </button>
          <button
            type="button"
            className="button"
            data-kind={danger ? undefined : 'primary'}
            disabled={danger && !confirmed}
            onClick={() => {
              request.approve()
              showToast(approvedText(request))
            }}
          >
            {details?.kind === 'session' ? 'Connect' : 'Approve'}
          </button>
        </div>
      </div>
    </Sheet>
  )
}
