/** @jsxImportSource preact */
import type { KeyWrap, MethodsResponse } from '@gatefold/protocol/frame'
import type { MethodsChange } from '../wallet/createMethodsChanges.ts'
import { useState } from 'preact/hooks'
import { passwordProblem, wrapWithPassword, type RecoveryKey } from '../custody/wraps.ts'
import { PasswordForm } from '../parts/PasswordForm.tsx'
import { Problem } from '../parts/Problem.tsx'
import { useWork } from '../parts/useWork.ts'
import { WorkButton } from '../parts/WorkButton.tsx'
import { frameText } from '../strings/frame.ts'
import { recoveryText } from '../strings/recovery.ts'
import { settingsText } from '../strings/settings.ts'
import { useLanguage, useText } from '../strings/useText.ts'
import { createRecoveryPasskey } from '../recovery/createRecoveryPasskey.ts'
import { hasMethod } from '../recovery/createUnlock.ts'
import { readAutomatic } from '../recovery/readAutomatic.ts'
import { UnlockForm } from '../recovery/UnlockForm.tsx'
import type { SectionProps } from './SectionProps.ts'

const sectionText = { ...frameText, ...recoveryText, ...settingsText }

type Unlocked = { methods: MethodsResponse; key: RecoveryKey | undefined }

/**
 * The ways to restore the wallet. Each change requires the recovery key, and so
 * one of the current methods.
 *
 * @see docs/custody.md#recovery-methods
 */
export function RecoveryMethods(props: SectionProps) {
  const { context, config, user, reload } = props
  const { api, wallet, stretch } = context
  const work = useWork()
  const t = useText(sectionText)
  const { tag } = useLanguage()
  const [methods, setMethods] = useState<MethodsResponse>()
  const [unlocked, setUnlocked] = useState<Unlocked>()
  const recovery = user.recovery!

  /** Starts a change. The recovery key under a password is released only after a login, because it can be guessed. */
  async function start() {
    const found = await api.send('wallet/methods', {})
    if (found.wraps.length > 0) return setMethods(found)
    if (!found.isAutomatic) return setUnlocked({ methods: found, key: undefined })
    const key = await readAutomatic({ api, user, methods: found })
    return setUnlocked({ methods: found, key })
  }

  /** Stores the public key of a method that had none, even if the visitor then changes nothing. */
  async function unlock(found: MethodsResponse, key: RecoveryKey) {
    if (!key.upgraded) return setUnlocked({ methods: found, key })
    const bytes = key.bytes.slice()
    const { isAutomatic, wraps: kept } = found
    await wallet.changeMethods({ user, methods: found, key, isAutomatic, kept })
    const changed = await api.send('wallet/methods', {})
    const isSameKey = changed.recoveryId === found.recoveryId
    setUnlocked({
      methods: changed,
      key: isSameKey ? { id: key.id, userId: user.id, bytes } : undefined,
    })
    await reload()
    return undefined
  }

  async function save(
    { methods: before, key }: Unlocked,
    next: Partial<Pick<MethodsChange, 'isAutomatic' | 'kept' | 'toWrap'>>,
  ) {
    const { isAutomatic, wraps: kept } = before
    await wallet.changeMethods({ user, methods: before, key, isAutomatic, kept, ...next })
    key?.bytes.fill(0)
    setUnlocked(undefined)
    setMethods(undefined)
    await reload()
  }

  const rows = unlocked?.methods.wraps ?? []
  const others = (wrap: KeyWrap) => rows.filter((one) => one !== wrap)
  const isLast = rows.length + Number(unlocked?.methods.isAutomatic ?? false) === 1
  const offers = (method: (typeof config.recovery)[number]) => config.recovery.includes(method)

  return (
    <section class="sheet" aria-labelledby="recovery">
      <h2 id="recovery">{t('methods.title')}</h2>
      <p>{t('methods.hint')}</p>
      {recovery.isOutdated && <p class="problem">{t('methods.outdated')}</p>}
      {!unlocked && (
        <ul class="rows">
          {recovery.isAutomatic && <Automatic />}
          {recovery.passkeys > 0 && (
            <li>
              <span>
                {recovery.passkeys === 1
                  ? t('methods.passkey')
                  : t('methods.passkeys', { n: recovery.passkeys })}
              </span>
            </li>
          )}
          {recovery.hasPassword && (
            <li>
              <span>{t('methods.password')}</span>
            </li>
          )}
        </ul>
      )}
      {unlocked && (
        <ul class="rows">
          {unlocked.methods.isAutomatic && (
            <Automatic>
              {!isLast && (
                <WorkButton
                  work={work}
                  name="automatic"
                  text={t('settings.remove')}
                  label={t('methods.removeAutomatic')}
                  onWork={async () => save(unlocked, { isAutomatic: false })}
                />
              )}
            </Automatic>
          )}
          {rows.map((wrap) => {
            const name =
              wrap.method === 'passkey'
                ? t('methods.named', { name: wrap.name })
                : t('methods.passwordName')
            return (
              <li key={wrap.wrapped}>
                <span>
                  {name}
                  <small>
                    {t('methods.added', {
                      date: new Date(wrap.createdAt).toLocaleDateString(tag, {
                        dateStyle: 'medium',
                      }),
                    })}
                  </small>
                  {wrap.publicKey === undefined && <small>{t('methods.unconfirmed')}</small>}
                </span>
                {!isLast && (
                  <WorkButton
                    work={work}
                    name={wrap.wrapped}
                    text={t('settings.remove')}
                    label={t('methods.removeNamed', { name })}
                    onWork={async () => save(unlocked, { kept: others(wrap) })}
                  />
                )}
              </li>
            )
          })}
        </ul>
      )}
      <Problem text={work.problem} />
      {!methods && !unlocked && (
        <WorkButton work={work} name="start" text={t('methods.change')} onWork={start} />
      )}
      {methods && !unlocked && (
        <>
          <p>{t('methods.confirm')}</p>
          <UnlockForm
            work={work}
            locked={{ ...methods, userId: user.id }}
            stretch={stretch}
            action={t('methods.confirmAction')}
            busyText={t('frame.checking')}
            onKey={async (key) => unlock(methods, key)}
          />
        </>
      )}
      {unlocked && (
        <>
          {offers('passkey') && (
            <WorkButton
              work={work}
              name="passkey"
              text={t('methods.addPasskey')}
              busyText={t('frame.saving')}
              isAccent
              onWork={async () => {
                const toWrap = await createRecoveryPasskey(user, rows)
                await save(unlocked, { toWrap })
              }}
            />
          )}
          {offers('password') && (
            <PasswordForm
              work={work}
              label={t(hasMethod(rows, 'password') ? 'methods.newPassword' : 'recovery.password')}
              action={t(
                hasMethod(rows, 'password') ? 'methods.changePassword' : 'methods.setPassword',
              )}
              busyText={t('frame.saving')}
              isNew
              check={(password) => passwordProblem(password, user.email)}
              onWork={async (password) =>
                save(unlocked, {
                  kept: rows.filter(({ method }) => method !== 'password'),
                  toWrap: (key) => wrapWithPassword(key, password, { stretch, now: Date.now() }),
                })
              }
            />
          )}
          {!unlocked.methods.isAutomatic && offers('automatic') && (
            <WorkButton
              work={work}
              name="automatic"
              text={t('methods.turnOn')}
              onWork={async () => save(unlocked, { isAutomatic: true })}
            />
          )}
        </>
      )}
    </section>
  )
}

/** The label says who can use the method. @see docs/custody.md */
function Automatic({ children }: { children?: preact.ComponentChildren }) {
  const t = useText(settingsText)
  return (
    <li>
      <span>
        {t('methods.automatic')}
        <small>{t('methods.automaticHint')}</small>
      </span>
      {children}
    </li>
  )
}
