/** @jsxImportSource preact */
import type { AuditEntry, FrameDevice } from '@gatefold/protocol/frame'
import { useState } from 'preact/hooks'
import { Place } from '../parts/Place.tsx'
import { Problem } from '../parts/Problem.tsx'
import { useOnce } from '../parts/useOnce.ts'
import { useWork } from '../parts/useWork.ts'
import { WorkButton } from '../parts/WorkButton.tsx'
import type { CardContext } from '../recovery/RestoreCard.tsx'
import { AddEmail } from './AddEmail.tsx'
import { Export } from './Export.tsx'
import { RecoveryMethods } from './RecoveryMethods.tsx'
import type { SectionProps } from './SectionProps.ts'

/** The sections of the settings. */
export function Settings(
  props: SectionProps & { signOut: (everywhere: boolean) => Promise<void> },
) {
  const { context, user, signOut } = props
  const work = useWork()
  return (
    <>
      <section class="sheet">
        <Place site={context.site} />
        <h1>Wallet settings</h1>
        <ul class="rows">
          <li>
            <span>
              {user.email ?? user.userName ?? 'Passkey'}
              <small>Account</small>
            </span>
            <WorkButton work={work} name="out" text="Log out" onWork={async () => signOut(false)} />
          </li>
          <li>
            <span>
              {user.wallet!.eip155}
              <small>Ethereum address</small>
            </span>
          </li>
          <li>
            <span>
              {user.wallet!.solana}
              <small>Solana address</small>
            </span>
          </li>
        </ul>
        <Problem text={work.problem} />
      </section>
      {user.email === null && <AddEmail {...props} />}
      <RecoveryMethods {...props} />
      <Devices {...props} />
      <Export {...props} />
      <History key={user.recovery?.version} context={context} />
    </>
  )
}

function Devices(props: SectionProps & { signOut: (everywhere: boolean) => Promise<void> }) {
  const { api } = props.context
  const [devices, setDevices] = useState<FrameDevice[]>([])
  const work = useWork()
  const { problem, run } = work
  const load = async () => setDevices((await api.send('devices', {})).devices)
  useOnce(() => void run('load', load))
  return (
    <section class="sheet" aria-labelledby="devices">
      <h2 id="devices">Devices</h2>
      <ul class="rows">
        {devices.map(({ id, name, origin, lastUsedAt, isThis }) => (
          <li key={id}>
            <span>
              {name}
              <small>
                {new URL(origin).host}, {isThis ? 'this window' : `used ${formatTime(lastUsedAt)}`}
              </small>
            </span>
            {!isThis && (
              <WorkButton
                work={work}
                name={id}
                text="Remove"
                label={`Remove ${name} at ${new URL(origin).host}`}
                onWork={async () => {
                  await api.send('devices/revoke', { deviceId: id })
                  await load()
                }}
              />
            )}
          </li>
        ))}
      </ul>
      <p>
        A device that you remove can’t sign by itself any more. If somebody else used it, move what
        you own to another wallet.
      </p>
      <Problem text={problem} />
      <WorkButton
        work={work}
        name="everywhere"
        text="Sign out everywhere"
        onWork={async () => props.signOut(true)}
      />
    </section>
  )
}

const events: Readonly<Record<string, string>> = {
  login: 'Logged in',
  login_new_device: 'Logged in on a new device',
  logout: 'Logged out',
  logout_everywhere: 'Signed out everywhere',
  session_reused: 'Ended a session whose token was used twice',
  wallet_created: 'Created the wallet',
  shares_changed: 'Set up the wallet on a device',
  recovery: 'Restored the wallet on a device',
  escrow: 'Used automatic recovery',
  recovery_changed: 'Changed the recovery methods',
  device_removed: 'Removed a device',
  phrase_shown: 'Showed the secret phrase',
  backup_saved: 'Saved a backup',
  passkey_added: 'Added a passkey',
  email_changed: 'Changed the e-mail address',
  email_change_undone: 'Undid the change of the e-mail address',
}

function History({ context }: { context: CardContext }) {
  const [entries, setEntries] = useState<AuditEntry[]>([])
  const { problem, run } = useWork()
  useOnce(
    () => void run('load', async () => setEntries((await context.api.send('audit', {})).entries)),
  )
  return (
    <section class="sheet" aria-labelledby="history">
      <h2 id="history">History</h2>
      <ul class="rows">
        {entries.map(({ at, event, deviceName, origin }) => (
          <li key={`${at} ${event}`}>
            <span>
              {events[event] ?? event}
              <small>
                {[formatTime(at), deviceName, origin && new URL(origin).host]
                  .filter(Boolean)
                  .join(', ')}
              </small>
            </span>
          </li>
        ))}
      </ul>
      <Problem text={problem} />
    </section>
  )
}

function formatTime(at: number): string {
  return new Date(at).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' })
}
