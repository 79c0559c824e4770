/** @jsxImportSource preact */
import type { HandoverOpenResponse } from '@gatefold/protocol/frame'
import { useState } from 'preact/hooks'
import { sealForReceiver, toCheckDigits } from '../custody/handover.ts'
import type { RecoveryKey } from '../custody/wraps.ts'
import { Place } from '../parts/Place.tsx'
import { Problem } from '../parts/Problem.tsx'
import { Rich } from '../parts/Rich.tsx'
import { toProblemText } from '../parts/toProblemText.ts'
import { useOnce } from '../parts/useOnce.ts'
import { useWork } from '../parts/useWork.ts'
import { recoveryText } from '../strings/recovery.ts'
import { settingsText } from '../strings/settings.ts'
import { useLanguage, useText } from '../strings/useText.ts'
import type { CardContext } from '../recovery/RestoreCard.tsx'
import { UnlockForm } from '../recovery/UnlockForm.tsx'

const pageText = { ...recoveryText, ...settingsText }

/**
 * Gets the recovery key with a passkey or a password, and passes it to the
 * frame inside another page. This page never sees a share.
 *
 * @see docs/custody.md#pages
 */
export function RestorePage({ context, token }: { context: CardContext; token: string }) {
  const { api, stretch, site } = context
  const work = useWork()
  const language = useLanguage()
  const t = useText(pageText)
  const [opened, setOpened] = useState<HandoverOpenResponse & { digits: string }>()
  const [isDone, setDone] = useState(false)

  useOnce(() => {
    api
      .open('handover/open', { token })
      .then(async (found) => setOpened({ ...found, digits: await toCheckDigits(found.publicKey) }))
      .catch((error: unknown) => work.setProblem(toProblemText(error, language)))
  })

  async function pass(key: RecoveryKey) {
    await api.open('handover/put', {
      token,
      sealed: await sealForReceiver(opened!.publicKey, key.bytes),
    })
    key.bytes.fill(0)
    setDone(true)
  }

  return (
    <main class="page">
      <section class="sheet">
        <Place site={site} />
        <h1>{t(isDone ? 'handover.done' : 'restore.label')}</h1>
        {isDone && <p>{t('handover.doneHint')}</p>}
        <Problem text={work.problem} />
        {opened && !isDone && (
          <>
            <p>
              <Rich
                text={t('handover.for')}
                values={{
                  device: <b>{opened.deviceName}</b>,
                  site: <b dir="ltr">{opened.origin}</b>,
                }}
              />
            </p>
            <p class="digits">{opened.digits}</p>
            <UnlockForm
              work={work}
              locked={opened}
              stretch={stretch}
              action={t('recovery.restore')}
              busyText={t('recovery.restoring')}
              onKey={pass}
            />
          </>
        )}
      </section>
    </main>
  )
}
