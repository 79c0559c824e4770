import type { CardKind } from '@gatefold/protocol/frame'

import type { EmbeddedClient } from '../../../connectors/embeddedWallet/createClient.ts'
import { embeddedOf } from '../../../connectors/embeddedWallet/embedded.ts'
import { useInstance } from '../../../react/context.ts'
import { useText } from '../../hooks/useText.ts'
import { embeddedText } from '../../strings/embedded.ts'
import { frameText } from '../../strings/frame.ts'
import { FrameBox, useFrameCard } from './FrameBox.tsx'

const viewText = { ...embeddedText, ...frameText }

const titles = {
  approval: 'title.ApproveTransaction',
  alone: 'frame.alone',
  confirm: 'frame.confirm',
  offer: 'frame.offer',
  passkey: 'title.ConnectingPasskey',
  message: 'frame.message',
  protect: 'frame.protect',
  restore: 'frame.restore',
  signIn: 'frame.signIn',
  typedData: 'frame.typedData',
} as const satisfies Record<CardKind, keyof typeof viewText>

const approvals: readonly CardKind[] = ['approval', 'message', 'signIn', 'typedData']

/**
 * A request that the visitor answers in the secure frame.
 *
 * @see docs/views.md#approvetransaction; spec §2.9, §4.14
 */
export function ApproveTransaction() {
  const t = useText(frameText)
  const client = useClient()
  const isApproval = approvals.includes(useKind(client))
  return <FrameBox client={client} hint={t(isApproval ? 'frame.approveHint' : 'frame.hint')} />
}

/**
 * The title for the card that the frame shows. The frame sends the kind of the
 * card; the kit has the text.
 */
export function CardTitle() {
  const t = useText(viewText)
  return t(titles[useKind(useClient())])
}

/** What the frame shows or, until it shows something, is about to show. */
function useKind(client: EmbeddedClient | undefined): CardKind {
  return useFrameCard(client)?.kind ?? client?.requested() ?? 'approval'
}

function useClient() {
  return embeddedOf(useInstance())?.client.current()
}

/** Replaces the back button, because the request must be answered or closed. */
export function NoLeading() {
  return <span />
}
