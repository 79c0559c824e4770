/** @jsxImportSource preact */
import type { FrameUser } from '@gatefold/protocol/frame'
import { Card } from '../parts/Card.tsx'
import { Problem } from '../parts/Problem.tsx'
import { useWork } from '../parts/useWork.ts'
import { WorkButton } from '../parts/WorkButton.tsx'
import { createRecoveryPasskey } from './createRecoveryPasskey.ts'
import { readAutomatic } from './readAutomatic.ts'
import type { CardContext } from './RestoreCard.tsx'

/**
 * Offers a passkey beside automatic recovery, after a login.
 *
 * @see docs/custody.md#recovery-methods
 */
export function OfferCard(props: { context: CardContext; user: FrameUser; done: () => void }) {
  const { context, user, done } = props
  const { api, wallet, site } = context
  const work = useWork()

  async function add() {
    const methods = await api.send('wallet/methods', {})
    const toWrap = await createRecoveryPasskey(user, methods.wraps)
    const key = await readAutomatic({ api, user, methods })
    await wallet.changeMethods({
      user,
      version: methods.version,
      key,
      isAutomatic: true,
      toWraps: async (used) => [...methods.wraps, await toWrap(used)],
    })
    key.bytes.fill(0)
    done()
  }

  return (
    <Card label="Add a passkey" site={site} closeText="Not now" onClose={done}>
      <h1>Add a passkey to your wallet?</h1>
      <p class="by">
        Then you can restore it on another device even if the server’s automatic recovery fails.
      </p>
      <Problem text={work.problem} />
      <WorkButton
        work={work}
        name="passkey"
        text="Create a passkey"
        busyText="Saving…"
        isAccent
        onWork={add}
      />
      <p class="by">
        Automatic recovery is on: the operator of this server can restore your wallet, too. With a
        passkey, you can turn that off in the wallet’s settings.
      </p>
    </Card>
  )
}
