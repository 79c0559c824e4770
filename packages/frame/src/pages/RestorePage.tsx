/** @jsxImportSource preact */
import type { HandoverOpenResponse } from '@gatefold/protocol/frame'
import { useState } from 'preact/hooks'
import { sealFor, toCheckDigits } from '../custody/handover.ts'
import type { RecoveryKey } from '../custody/wraps.ts'
import { Place } from '../parts/Place.tsx'
import { Problem } from '../parts/Problem.tsx'
import { useOnce } from '../parts/useOnce.ts'
import { useWork } from '../parts/useWork.ts'
import type { CardContext } from '../recovery/RestoreCard.tsx'
import { UnlockForm } from '../recovery/UnlockForm.tsx'

/**
 * Gets the recovery key with a passkey or a password, and passes it on to the frame inside another page. It sees no
 * share.
 *
 * @see docs/custody.md#pages
 */
export function RestorePage({ context, token }: { context: CardContext; token: string }) {
  const { api, stretch, site } = context
  const work = useWork()
  const [opened, setOpened] = useState<HandoverOpenResponse & { digits: string }>()
  const [isDone, setDone] = useState(false)

  useOnce(() => {
    api
      .open('handover/open', { token })
      .then(async (found) => setOpened({ ...found, digits: await toCheckDigits(found.publicKey) }))
      .catch((error: unknown) => work.setProblem((error as Error).message))
  })

  async function pass(key: RecoveryKey) {
    await api.open('handover/put', {
      token,
      sealed: await sealFor(opened!.publicKey, key.bytes),
    })
    key.bytes.fill(0)
    setDone(true)
  }

  return (
    <main class="page">
      <section class="sheet">
        <Place site={site} />
        <h1>{isDone ? 'Done' : 'Restore your wallet'}</h1>
        {isDone && <p>Go back to the page that opened this window. You can close this one.</p>}
        <Problem text={work.problem} />
        {opened && !isDone && (
          <>
            <p>
              For <b>{opened.deviceName}</b> at <b dir="ltr">{opened.origin}</b>. Go on only if you
              have just opened this window there, and it shows the same number:
            </p>
            <p class="digits">{opened.digits}</p>
            <UnlockForm
              work={work}
              locked={opened}
              stretch={stretch}
              action="Restore"
              busyText="Restoring…"
              onKey={pass}
            />
          </>
        )}
      </section>
    </main>
  )
}
