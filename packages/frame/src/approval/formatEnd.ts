import { approvalText } from '../strings/approval.ts'
import type { Language } from '../strings/language.ts'
import { translate } from '../strings/translate.ts'

/** The end of the year 9999, in Unix time. */
const lastSecond = 253_402_300_799

/** The end of an allowance or of a signature. @param seconds - in Unix time */
export function formatEnd(seconds: bigint | number, language: Language): string {
  if (seconds > lastSecond) return translate(approvalText, language)('approval.noEnd')
  const style = { dateStyle: 'medium', timeStyle: 'short' } as const
  return new Date(Number(seconds) * 1000).toLocaleString(language.tag, style)
}
