import { approvalText } from '../strings/approval.ts'
import type { Language } from '../strings/language.ts'
import { translate } from '../strings/translate.ts'
import type { Statement } from './Statement.ts'

/** The second question about a request that cannot be decoded. */
export function askAgain(options: {
  /** What could happen. */
  text: string
  details: [string, string][]
  exact: string
  language: Language
}): Statement {
  const { text, details, exact } = options
  const t = translate(approvalText, options.language)
  return {
    heading: t('approval.transaction'),
    sentence: t('approval.again'),
    level: 'danger',
    notes: [{ level: 'danger', title: t('approval.stillUnknown'), text }],
    movements: [],
    details,
    exact,
    tick: t('approval.tickUnknown'),
    action: t('approval.label'),
  }
}
