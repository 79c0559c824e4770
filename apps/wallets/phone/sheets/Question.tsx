import { useState } from 'react'
import type { PendingRequest } from '../../src/provider/createApprovals.ts'
import { Artwork } from '../parts/Artwork.tsx'
import { Sheet } from '../parts/Sheet.tsx'
import { useVoice } from '../PhoneProvider.tsx'
import { usePhone } from '../usePhone.ts'
import { doneWords, hostOf } from '../words.ts'
import { titleOf } from './titleOf.ts'
import { Trust } from './Trust.tsx'
import { RequestBody } from './RequestBody.tsx'
import { SessionBody } from './SessionBody.tsx'
import { SignInBody } from './SignInBody.tsx'

/**
 * What an app asks, and the two answers. Where the one who asks is not who it claims to be, “Reject”
 * is the button in front and “Approve” waits for a tick.
 */
export function Question({ request }: { request: PendingRequest }) {
  const { controls } = usePhone().wallet
  const { say } = useVoice()
  const [sure, setSure] = useState(false)
  const { app, subject } = request
  const waiting = controls.pending.filter(({ hung }) => !hung).length
  const danger = app?.trust === 'mismatch' || app?.trust === 'scam'
  const title = titleOf(request, controls)

  return (
    <Sheet name={title}>
      <div className="sheet-top">
        <span className="grip" aria-hidden="true" />
        {waiting > 1 && <span className="tag">1 of {waiting}</span>}
      </div>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the keyboard has to reach what scrolls */}
      <div className="sheet-body" tabIndex={0} role="group" aria-label="What is asked">
        <div className="who">
          <Artwork src={app?.icon} name={app?.name ?? '?'} size={56} />
          <h2>{title}</h2>
          <p>
            asked by <b>{app ? hostOf(app.seenAt ?? app.url) : request.origin}</b>
          </p>
        </div>
        {app && <Trust app={app} />}
        {subject?.kind === 'session' ? (
          <SessionBody subject={subject} />
        ) : subject?.kind === 'signIn' ? (
          <SignInBody subject={subject} />
        ) : (
          <RequestBody request={request} />
        )}
      </div>
      <div className="sheet-foot">
        {danger && (
          <label className="leaf pick sure">
            <input
              type="checkbox"
              checked={sure}
              onChange={({ currentTarget }) => setSure(currentTarget.checked)}
            />
            <span>I know who asks, and want this.</span>
          </label>
        )}
        <div className="duo" data-danger={danger || undefined}>
          <button
            type="button"
            className="button"
            data-kind={danger ? 'primary' : undefined}
            onClick={() => {
              request.reject()
              say(`Rejected. ${app?.name ?? 'The app'} was told so.`)
            }}
          >
            Reject
          </button>
          <button
            type="button"
            className="button"
            data-kind={danger ? undefined : 'primary'}
            disabled={danger && !sure}
            onClick={() => {
              request.approve()
              say(doneWords(request))
            }}
          >
            {subject?.kind === 'session' ? 'Connect' : 'Approve'}
          </button>
        </div>
      </div>
    </Sheet>
  )
}
