import { embeddedOf } from '../../../connectors/embeddedWallet/embedded.ts'
import { useInstance } from '../../../react/context.ts'
import { useText } from '../../hooks/useText.ts'
import { embeddedText } from '../../strings/embedded.ts'
import { FrameBox } from './FrameBox.tsx'

/**
 * What the visitor answers in the secure frame.
 *
 * @see docs/views.md#approvetransaction; spec §2.9, §4.14
 */
export function ApproveTransaction() {
  const t = useText(embeddedText)
  const client = embeddedOf(useInstance())?.client.current()
  return <FrameBox client={client} hint={t('embedded.approveHint')} />
}

/** In place of the back button: the request has to be answered or closed. */
export function NoLeading() {
  return <span />
}
