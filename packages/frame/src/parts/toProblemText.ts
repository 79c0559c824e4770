import { problemText } from '../strings/problems.ts'
import type { Language } from '../strings/language.ts'
import { translate } from '../strings/translate.ts'

/**
 * The text of an error: the string for its code, or else the error's own
 * message. A code from the server takes precedence.
 */
export function toProblemText(error: unknown, language: Language): string {
  const { reason, code, shortMessage, message, waitSeconds } = error as Record<string, unknown>
  const t = translate(problemText, language)
  const key = [reason, code].map((one) => `problem.${String(one)}`).find(isKey)
  if (key) return t(key, { time: toDuration(Number(waitSeconds ?? 60), language) })
  const text = typeof shortMessage === 'string' ? shortMessage : message
  return typeof text === 'string' && text !== '' ? text : t('problem.unknown')
}

function isKey(key: string): key is keyof typeof problemText {
  return Object.hasOwn(problemText, key)
}

/** Seconds as “40 seconds”, “12 minutes” or “3 hours”, rounded up. */
function toDuration(seconds: number, { tag }: Language): string {
  const [unit, size] =
    seconds < 90
      ? (['second', 1] as const)
      : seconds < 5_400
        ? (['minute', 60] as const)
        : (['hour', 3_600] as const)
  const style = { style: 'unit', unit, unitDisplay: 'long' } as const
  return new Intl.NumberFormat(tag, style).format(Math.ceil(seconds / size))
}
