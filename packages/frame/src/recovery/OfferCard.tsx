/** @jsxImportSource preact */
import type { FrameUser } from '@gatefold/protocol/frame'
import { Card } from '../parts/Card.tsx'
import { Problem } from '../parts/Problem.tsx'
import { useWork } from '../parts/useWork.ts'
import { WorkButton } from '../parts/WorkButton.tsx'
import { frameText } from '../strings/frame.ts'
import { recoveryText } from '../strings/recovery.ts'
import { useText } from '../strings/useText.ts'
import { createRecoveryPasskey } from './createRecoveryPasskey.ts'
import { readAutomatic } from './readAutomatic.ts'
import type { CardContext } from './RestoreCard.tsx'

const cardText = { ...frameText, ...recoveryText }

/**
 * After a login, offers a passkey in addition to automatic recovery.
 *
 * @see docs/custody.md#recovery-methods
 */
export function OfferCard(props: { context: CardContext; user: FrameUser; done: () => void }) {
  const { context, user, done } = props
  const { api, wallet, site } = context
  const work = useWork()
  const t = useText(cardText)

  async function add() {
    const methods = await api.send('wallet/methods', {})
    const toWrap = await createRecoveryPasskey(user, methods.wraps)
    const key = await readAutomatic({ api, user, methods })
    await wallet.changeMethods({
      user,
      methods,
      key,
      isAutomatic: true,
      kept: methods.wraps,
      toWrap,
    })
    key.bytes.fill(0)
    done()
  }

  return (
    <Card label={t('offer.label')} site={site} closeText={t('frame.notNow')} onClose={done}>
      <h1>{t('offer.title')}</h1>
      <p class="by">{t('offer.hint')}</p>
      <Problem text={work.problem} />
      <WorkButton
        work={work}
        name="passkey"
        text={t('recovery.createPasskey')}
        busyText={t('frame.saving')}
        isAccent
        onWork={add}
      />
      <p class="by">{t('offer.automatic')}</p>
    </Card>
  )
}
