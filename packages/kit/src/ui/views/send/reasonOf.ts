import type { Translate } from '../../hooks/useText.ts'
import type { sendText } from '../../strings/send.ts'

/** Why a transfer would fail or has failed. */
export function reasonOf(error: Error, t: Translate<typeof sendText>): string {
  const {
    details,
    message,
    shortMessage = message,
  } = error as Error & {
    details?: string | undefined
    shortMessage?: string
  }
  return details ? t('send.fails', { reason: details }) : shortMessage
}
