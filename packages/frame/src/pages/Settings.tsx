/** @jsxImportSource preact */
import type { AuditEntry, FrameDevice } from '@gatefold/protocol/frame'
import { useState } from 'preact/hooks'
import { Address } from '../parts/Address.tsx'
import { Place } from '../parts/Place.tsx'
import { Problem } from '../parts/Problem.tsx'
import { useOnce } from '../parts/useOnce.ts'
import { useWork } from '../parts/useWork.ts'
import { WorkButton } from '../parts/WorkButton.tsx'
import { settingsText } from '../strings/settings.ts'
import type { Translate } from '../strings/translate.ts'
import { useLanguage, useText } from '../strings/useText.ts'
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
  const t = useText(settingsText)
  return (
    <>
      <section class="sheet">
        <Place site={context.site} />
        <h1>{t('settings.title')}</h1>
        <ul class="rows">
          <li>
            <span>
              {user.email ?? user.userName ?? t('settings.passkey')}
              <small>{t('settings.account')}</small>
            </span>
            <WorkButton
              work={work}
              name="out"
              text={t('settings.logOut')}
              onWork={async () => signOut(false)}
            />
          </li>
          <li>
            <span>
              <Address text={user.wallet!.eip155} />
              <small>{t('settings.ethereum')}</small>
            </span>
          </li>
          <li>
            <span>
              <Address text={user.wallet!.solana} />
              <small>{t('settings.solana')}</small>
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
  const t = useText(settingsText)
  const { tag } = useLanguage()
  const load = async () => setDevices((await api.send('devices', {})).devices)
  useOnce(() => void run('load', load))
  return (
    <section class="sheet" aria-labelledby="devices">
      <h2 id="devices">{t('devices.title')}</h2>
      <ul class="rows">
        {devices.map(({ id, name, origin, lastUsedAt, isThis }) => (
          <li key={id}>
            <span>
              {name}
              <small>
                {new URL(origin).host},{' '}
                {isThis
                  ? t('devices.this')
                  : t('devices.used', { time: formatTime(lastUsedAt, tag) })}
              </small>
            </span>
            {!isThis && (
              <WorkButton
                work={work}
                name={id}
                text={t('settings.remove')}
                label={t('devices.remove', { name, site: new URL(origin).host })}
                onWork={async () => {
                  await api.send('devices/revoke', { deviceId: id })
                  await load()
                  // Also replaces the recovery key, of which the device can have a copy.
                  await props.reload()
                }}
              />
            )}
          </li>
        ))}
      </ul>
      <p>{t('devices.hint')}</p>
      <Problem text={problem} />
      <WorkButton
        work={work}
        name="everywhere"
        text={t('devices.everywhere')}
        onWork={async () => props.signOut(true)}
      />
    </section>
  )
}

function History({ context }: { context: CardContext }) {
  const [entries, setEntries] = useState<AuditEntry[]>([])
  const { problem, run } = useWork()
  const t = useText(settingsText)
  const { tag } = useLanguage()
  useOnce(
    () => void run('load', async () => setEntries((await context.api.send('audit', {})).entries)),
  )
  return (
    <section class="sheet" aria-labelledby="history">
      <h2 id="history">{t('history.title')}</h2>
      <ul class="rows">
        {entries.map(({ at, event, deviceName, origin }) => (
          <li key={`${at} ${event}`}>
            <span>
              {toEventText(event, t)}
              <small>
                {[formatTime(at, tag), deviceName, origin && new URL(origin).host]
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

/** What happened; the code itself if this version does not know it. */
function toEventText(event: string, t: Translate<typeof settingsText>): string {
  const key = `history.${event}`
  return isKey(key) ? t(key) : event
}

function isKey(key: string): key is keyof typeof settingsText {
  return Object.hasOwn(settingsText, key)
}

function formatTime(at: number, language: string): string {
  return new Date(at).toLocaleString(language, { dateStyle: 'medium', timeStyle: 'short' })
}
