import { toHex } from 'viem'
import { describeMessage as describeBytes } from '../approval/describeMessage.ts'
import type { Statement } from '../approval/Statement.ts'
import { approvalText } from '../strings/approval.ts'
import { frameText } from '../strings/frame.ts'
import type { Language } from '../strings/language.ts'
import { solanaText } from '../strings/solana.ts'
import { translate } from '../strings/translate.ts'
import { isTransaction } from './decodeTransaction.ts'

/**
 * Describes a message of `solana_signMessage`. Refuses bytes that form a
 * transaction: the signature would also be valid for that transaction, and a
 * message approval does not show its effects.
 *
 * @param options.origin - of the requesting page, as reported by the browser
 */
export function describeMessage(options: {
  bytes: Uint8Array
  origin: string
  language: Language
}): Statement {
  const { bytes, origin, language } = options
  if (!isTransaction(bytes)) return describeBytes({ message: toHex(bytes), origin, language })
  const t = translate({ ...frameText, ...approvalText, ...solanaText }, language)
  const { host } = new URL(origin)
  return {
    heading: t('approval.sign'),
    sentence: t('solana.hidden'),
    level: 'refused',
    notes: [
      {
        level: 'refused',
        title: t('approval.blocked'),
        text: t('solana.hiddenHint', { site: host }),
      },
    ],
    movements: [],
    details: [
      [t('approval.askedBy'), host],
      [t('approval.data'), t('approval.bytes', { n: bytes.length })],
    ],
    action: t('frame.close'),
  }
}
