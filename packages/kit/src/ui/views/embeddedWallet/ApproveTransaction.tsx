import type { CardKind } from '@gatefold/protocol/frame'

import { embeddedOf } from '../../../connectors/embeddedWallet/embedded.ts'
import { useInstance } from '../../../react/context.ts'
import { useText } from '../../hooks/useText.ts'
import { embeddedText } from '../../strings/embedded.ts'
import { FrameBox, useFrameCard } from './FrameBox.tsx'

const titles = {
  approval: 'title.ApproveTransaction',
  alone: 'frame.alone',
  confirm: 'frame.confirm',
  offer: 'frame.offer',
  passkey: 'title.ConnectingPasskey',
  protect: 'frame.protect',
  restore: 'frame.restore',
} as const satisfies Record<CardKind, keyof typeof embeddedText>

/**
 * A request that the visitor answers in the secure frame.
 *
 * @see docs/views.md#approvetransaction; spec §2.9, §4.14
 */
export function ApproveTransaction() {
  const t = useText(embeddedText)
  const client = useClient()
  const kind = useFrameCard(client)?.kind ?? 'approval'
  return (
    <FrameBox
      client={client}
      hint={t(kind === 'approval' ? 'embedded.approveHint' : 'frame.hint')}
    />
  )
}

/** The title of what the frame shows: it names its kind, and the kit has the text. */
export function CardTitle() {
  const t = useText(embeddedText)
  return t(titles[useFrameCard(useClient())?.kind ?? 'approval'])
}

function useClient() {
  return embeddedOf(useInstance())?.client.current()
}

/** Replaces the back button, because the request must be answered or closed. */
export function NoLeading() {
  return <span />
}
