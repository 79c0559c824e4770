import type { Translate } from '../../hooks/useText.ts'
import type { sendText } from '../../strings/send.ts'

type DetailedError = Error & { details?: string | undefined; shortMessage?: string }

/** Why a transfer would fail. */
export function reasonOf(error: Error, t: Translate<typeof sendText>): string {
  const { details }: DetailedError = error
  return details ? t('send.fails', { reason: details }) : textOf(error)
}

/** What an error says, for a transfer that has failed. */
export function textOf(error: Error): string {
  const { details, message, shortMessage = message }: DetailedError = error
  return details ?? shortMessage
}
