import { maxUint256, type Address, type TypedDataDefinition } from 'viem'
import type { Token } from './describeTransaction.ts'
import type { ChainConfig } from '../config.ts'
import { approvalText } from '../strings/approval.ts'
import type { Language } from '../strings/language.ts'
import { translate } from '../strings/translate.ts'
import { formatAmount } from './formatAmount.ts'
import type { Statement } from './Statement.ts'
import { label, short } from './text.ts'

/**
 * Describes typed data. For permits, including those of Permit2, it says that
 * the spender can take coins later.
 *
 * @see EIP-712, ERC-2612
 */
export async function describeTypedData(options: {
  data: TypedDataDefinition
  chain: ChainConfig
  token: (address: Address) => Promise<Token | undefined>
  language: Language
}): Promise<Statement> {
  const { data, chain, token, language } = options
  const t = translate(approvalText, language)
  const unnamed = t('approval.unnamedToken')
  const domain = (data.domain ?? {}) as { name?: string; verifyingContract?: Address }
  const message = signedFields(data)
  const exact = JSON.stringify(
    { primaryType: data.primaryType, domain: data.domain, message },
    (_, value: unknown) => (typeof value === 'bigint' ? value.toString() : value),
    2,
  )
  const details: [string, string][] = [
    ...(domain.verifyingContract
      ? ([[t('approval.contract'), domain.verifyingContract]] as [string, string][])
      : []),
    [t('approval.network'), chain.name],
  ]
  const spent = spendingOf(data.primaryType, message, domain.verifyingContract)
  if (!spent)
    return {
      heading: t('approval.sign'),
      sentence: t('approval.typedData', {
        name: label(domain.name ?? t('approval.someContract'), unnamed),
      }),
      level: 'warn',
      notes: [
        {
          level: 'warn',
          title: t('approval.canMove'),
          text: t('approval.canMoveHint'),
        },
      ],
      movements: [],
      details: [[t('approval.kind'), data.primaryType], ...details],
      exact,
      action: t('approval.sign'),
    }
  const known = await token(spent.token)
  const name = known ? label(known.symbol, unnamed) : short(spent.token)
  const isUnlimited = spent.amount > maxUint256 / 2n || spent.amount === 2n ** 160n - 1n
  const amount = known
    ? `${formatAmount(spent.amount, known.decimals, language)} ${name}`
    : t('approval.unitsOf', { n: String(spent.amount), token: name })
  const spender = short(spent.spender)
  return {
    heading: t('approval.sign'),
    sentence: isUnlimited
      ? t('approval.allowAll', { spender, token: name })
      : t('approval.allow', { spender, amount }),
    level: isUnlimited ? 'danger' : 'warn',
    notes: [
      {
        level: isUnlimited ? 'danger' : 'warn',
        title: t(isUnlimited ? 'approval.unlimitedTitle' : 'approval.moves'),
        text: isUnlimited ? t('approval.movesAllHint', { token: name }) : t('approval.movesHint'),
      },
    ],
    movements: [],
    details: [[t('approval.spender'), spent.spender], ...details],
    exact,
    ...(isUnlimited && { tick: t('approval.tickSpender') }),
    action: t('approval.sign'),
  }
}

type Spending = { token: Address; spender: Address; amount: bigint }

/** What a permit lets its spender take; `undefined` for other data. */
function spendingOf(
  primaryType: string,
  message: Record<string, unknown>,
  contract?: Address,
): Spending | undefined {
  const { spender } = message as { spender?: Address }
  if (typeof spender !== 'string') return undefined
  if (primaryType === 'Permit' && contract) {
    const { value, allowed } = message
    // DAI's permit has a flag instead of an amount.
    const amount = value === undefined ? (allowed === true ? maxUint256 : 0n) : toBigInt(value)
    return { token: contract, spender, amount }
  }
  const permitted = [message['permitted'] ?? message['details']].flat()[0] as
    | { token?: Address; amount?: unknown }
    | undefined
  if (typeof permitted?.token !== 'string') return undefined
  return { token: permitted.token, spender, amount: toBigInt(permitted.amount) }
}

/**
 * The fields of the message that its types declare. Other fields are not signed
 * and must not be shown.
 */
function signedFields({ types, primaryType, message }: TypedDataDefinition) {
  const structs = types as Record<string, readonly { name: string; type: string }[] | undefined>
  function pick(type: string, value: unknown): unknown {
    const item = /^(.*)\[\d*\]$/.exec(type)?.[1]
    if (item !== undefined)
      return Array.isArray(value) ? value.map((one: unknown) => pick(item, one)) : value
    const fields = structs[type]
    if (!fields) return value
    const record = (value ?? {}) as Record<string, unknown>
    return Object.fromEntries(
      fields.map((field) => [field.name, pick(field.type, record[field.name])]),
    )
  }
  return pick(primaryType, message) as Record<string, unknown>
}

/**
 * A value as an integer. A value that is not an integer becomes the maximum, so
 * that it is shown as unlimited.
 */
function toBigInt(value: unknown): bigint {
  try {
    return BigInt(value as string)
  } catch {
    return maxUint256
  }
}
