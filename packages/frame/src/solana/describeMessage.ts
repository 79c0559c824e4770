import { toHex } from 'viem'
import { describeMessage as describeBytes } from '../approval/describeMessage.ts'
import type { Statement } from '../approval/Statement.ts'
import { isTransaction } from './decodeTransaction.ts'

/**
 * Describes a message of `solana_signMessage`. Bytes that are a transaction are refused: their signature would be good for
 * the transaction, and the message says nothing about what that does.
 *
 * @param options.origin - of the page that asks, from the browser
 */
export function describeMessage(options: { bytes: Uint8Array; origin: string }): Statement {
  const { bytes, origin } = options
  if (!isTransaction(bytes)) return describeBytes({ message: toHex(bytes), origin })
  const { host } = new URL(origin)
  return {
    heading: 'Sign',
    sentence: 'This is a transaction, not a message',
    level: 'refused',
    notes: [
      {
        level: 'refused',
        title: 'Blocked',
        text: `${host} asks for the signature of a transaction without saying so. That is how coins are stolen.`,
      },
    ],
    movements: [],
    details: [
      ['Asked by', host],
      ['Data', `${bytes.length} bytes`],
    ],
    action: 'Close',
  }
}
