/** @jsxImportSource preact */
import type { KeyWrap, MethodsResponse } from '@gatefold/protocol/frame'
import { base64urlnopad } from '@scure/base'
import { useState } from 'preact/hooks'
import { createPasskey } from '../custody/passkeys.ts'
import {
  passwordProblem,
  wrapWithPasskey,
  wrapWithPassword,
  type RecoveryKey,
} from '../custody/wraps.ts'
import { hasMethod, unlockWithPasskey, unlockWithPassword } from '../recovery/createUnlock.ts'
import { PasswordForm, Problem, useWork } from '../recovery/MethodForm.tsx'
import { toPasskeyName } from '../recovery/toPasskeyName.ts'
import type { SectionProps } from './SectionProps.ts'

type Unlocked = { methods: MethodsResponse; key: RecoveryKey | undefined }

/**
 * The ways to restore the wallet. Each change needs the recovery key, and so one of the present ways.
 *
 * @see docs/custody.md#recovery-methods
 */
export function RecoveryMethods(props: SectionProps) {
  const { context, config, user, reload } = props
  const { api, wallet, stretch } = context
  const { busy, problem, setProblem, run } = useWork()
  const [methods, setMethods] = useState<MethodsResponse>()
  const [unlocked, setUnlocked] = useState<Unlocked>()
  const recovery = user.recovery!

  /** Starts a change. The recovery key under a password is released only after a login, because it can be guessed. */
  async function start() {
    const found = await api.send('wallet/methods', {})
    if (found.wraps.length > 0) return setMethods(found)
    if (!found.isAutomatic) return setUnlocked({ methods: found, key: undefined })
    const { recoveryKey } = await api.send('wallet/escrow', {})
    const bytes = new Uint8Array(base64urlnopad.decode(recoveryKey))
    return setUnlocked({ methods: found, key: { id: found.recoveryId, userId: user.id, bytes } })
  }

  async function save(
    { methods: before, key }: Unlocked,
    next: { isAutomatic?: boolean; toWraps?: (key: RecoveryKey) => Promise<KeyWrap[]> },
  ) {
    await wallet.changeMethods({
      user,
      version: before.version,
      key,
      isAutomatic: next.isAutomatic ?? before.isAutomatic,
      toWraps: next.toWraps ?? (() => Promise.resolve(before.wraps)),
    })
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
      <h2 id="recovery">Recovery</h2>
      <p>How you get your wallet back on another device.</p>
      {!unlocked && (
        <ul class="rows">
          {recovery.isAutomatic && <Automatic />}
          {recovery.passkeys > 0 && (
            <li>
              <span>{recovery.passkeys === 1 ? 'A passkey' : `${recovery.passkeys} passkeys`}</span>
            </li>
          )}
          {recovery.hasPassword && (
            <li>
              <span>A password</span>
            </li>
          )}
        </ul>
      )}
      {unlocked && (
        <ul class="rows">
          {unlocked.methods.isAutomatic && (
            <Automatic>
              {!isLast && (
                <button
                  type="button"
                  aria-label="Remove automatic recovery"
                  disabled={busy !== undefined}
                  onClick={() =>
                    void run('automatic', async () => save(unlocked, { isAutomatic: false }))
                  }
                >
                  Remove
                </button>
              )}
            </Automatic>
          )}
          {rows.map((wrap) => {
            const name = wrap.method === 'passkey' ? `Passkey: ${wrap.name}` : 'Password'
            return (
              <li key={wrap.wrapped}>
                <span>
                  {name}
                  <small>Added {new Date(wrap.createdAt).toLocaleDateString()}</small>
                </span>
                {!isLast && (
                  <button
                    type="button"
                    aria-label={`Remove ${name}`}
                    disabled={busy !== undefined}
                    onClick={() =>
                      void run('remove', async () =>
                        save(unlocked, { toWraps: () => Promise.resolve(others(wrap)) }),
                      )
                    }
                  >
                    Remove
                  </button>
                )}
              </li>
            )
          })}
        </ul>
      )}
      <Problem text={problem} />
      {!methods && !unlocked && (
        <button
          type="button"
          disabled={busy !== undefined}
          onClick={() => void run('start', start)}
        >
          Change the methods
        </button>
      )}
      {methods && !unlocked && (
        <StepUp
          methods={methods}
          isBusy={busy !== undefined}
          onPasskey={() =>
            void run('passkey', async () =>
              setUnlocked({
                methods,
                key: await unlockWithPasskey({ ...methods, userId: user.id }),
              }),
            )
          }
          onPassword={(password) =>
            void run('password', async () =>
              setUnlocked({
                methods,
                key: await unlockWithPassword({ ...methods, userId: user.id }, password, stretch),
              }),
            )
          }
        />
      )}
      {unlocked && (
        <>
          {offers('passkey') && (
            <button
              type="button"
              class="accent"
              disabled={busy !== undefined}
              onClick={() =>
                void run('passkey', async () => {
                  const passkey = await createPasskey({
                    userId: user.id,
                    userName: user.email ?? user.userName ?? 'Wallet',
                    excluded: rows.flatMap((wrap) =>
                      wrap.method === 'passkey' ? [wrap.credentialId] : [],
                    ),
                  })
                  const named = { ...passkey, name: toPasskeyName(navigator.userAgent) }
                  await save(unlocked, {
                    toWraps: async (key) => [
                      ...rows,
                      await wrapWithPasskey(key, named, Date.now()),
                    ],
                  })
                })
              }
            >
              Add a passkey
            </button>
          )}
          {offers('password') && (
            <PasswordForm
              label={hasMethod(rows, 'password') ? 'New password' : 'Recovery password'}
              action={hasMethod(rows, 'password') ? 'Change the password' : 'Set a password'}
              busyText="Saving…"
              isNew
              isBusy={busy !== undefined}
              onSubmit={(password) => {
                const wrong = passwordProblem(password, user.email)
                if (wrong !== undefined) return setProblem(wrong)
                void run('password', async () =>
                  save(unlocked, {
                    toWraps: async (key) => [
                      ...rows.filter(({ method }) => method !== 'password'),
                      await wrapWithPassword(key, password, { stretch, now: Date.now() }),
                    ],
                  }),
                )
              }}
            />
          )}
          {!unlocked.methods.isAutomatic && offers('automatic') && (
            <button
              type="button"
              disabled={busy !== undefined}
              onClick={() =>
                void run('automatic', async () => save(unlocked, { isAutomatic: true }))
              }
            >
              Turn on automatic recovery
            </button>
          )}
        </>
      )}
    </section>
  )
}

/** Labelled with who can use it. @see docs/custody.md */
function Automatic({ children }: { children?: preact.ComponentChildren }) {
  return (
    <li>
      <span>
        Automatic
        <small>A login is enough. The operator of this server can restore your wallet, too.</small>
      </span>
      {children}
    </li>
  )
}

function StepUp(props: {
  methods: MethodsResponse
  isBusy: boolean
  onPasskey: () => void
  onPassword: (password: string) => void
}) {
  const { wraps } = props.methods
  return (
    <>
      <p>Confirm that it’s you.</p>
      {hasMethod(wraps, 'passkey') && (
        <button type="button" class="accent" disabled={props.isBusy} onClick={props.onPasskey}>
          Use my passkey
        </button>
      )}
      {hasMethod(wraps, 'password') && (
        <PasswordForm
          label="Recovery password"
          action="Confirm"
          busyText="Checking…"
          isBusy={props.isBusy}
          onSubmit={props.onPassword}
        />
      )}
    </>
  )
}
