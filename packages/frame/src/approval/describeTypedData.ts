import { getTypesForEIP712Domain, maxUint256, type Address, type TypedDataDefinition } from 'viem'
import type { Token } from './describeTransaction.ts'
import type { ChainConfig } from '../config.ts'
import { RequestError } from '../rpc/RequestError.ts'
import { approvalText } from '../strings/approval.ts'
import type { Language } from '../strings/language.ts'
import { translate } from '../strings/translate.ts'
import { formatAmount } from './formatAmount.ts'
import { formatEnd } from './formatEnd.ts'
import type { Statement } from './Statement.ts'
import { label, short, unlimitedAmount } from './text.ts'

/**
 * Describes typed data. For a permit, including those of Permit2 and of NFTs, it says what the spender can take later and
 * until when; for a transfer by signature, what is sent to whom.
 *
 * @param options.isSmart - whether a smart account signs: its signature is valid only on this network, regardless of
 * the data.
 * @throws {RequestError} for a permit of more coins than a visitor can be expected to read.
 * @see EIP-712, ERC-2612, ERC-3009, ERC-4494
 */
export async function describeTypedData(options: {
  data: TypedDataDefinition
  chain: ChainConfig
  token: (address: Address) => Promise<Token | undefined>
  isSmart: boolean
  language: Language
}): Promise<Statement> {
  const { data, chain, token, isSmart, language } = options
  const t = translate(approvalText, language)
  const unnamed = t('approval.unnamedToken')
  const domain = signedDomain(data)
  const message = signedFields(data)
  const exact = JSON.stringify(
    { primaryType: data.primaryType, domain, message },
    (_, value: unknown) => (typeof value === 'bigint' ? value.toString() : value),
    2,
  )
  // Without a chain id in the signed domain, the signature is valid on every network.
  const isBound = isSmart || domain.chainId !== undefined
  const network: [string, string] = [
    t('approval.network'),
    isBound ? chain.name : t('approval.anyNetwork'),
  ]
  const claim = readClaim(data.primaryType, message, domain.verifyingContract)
  if (!claim)
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
      details: [
        [t('approval.kind'), data.primaryType],
        ...contractRow(domain.verifyingContract),
        network,
      ],
      exact,
      action: t('approval.sign'),
    }
  const { by, items, kind, deadline } = claim
  if (items.length > maxItems)
    throw new RequestError(`The permit is for more than ${maxItems} coins.`)
  const readings = await Promise.all(items.map(readItem))
  const [only] = readings
  const unlimited = readings.filter(({ isUnlimited }) => isUnlimited)
  const isUnlimited = unlimited.length > 0
  const isDanger = isUnlimited || !isBound
  const endOfSignature: [string, string][] =
    deadline === undefined ? [] : [[t('approval.useUntil'), formatEnd(deadline, language)]]
  return {
    heading: t('approval.sign'),
    sentence:
      only && readings.length === 1
        ? only.sentence
        : t('approval.allowSeveral', { spender: short(by), n: items.length }),
    level: isDanger ? 'danger' : 'warn',
    notes: [
      isUnlimited
        ? {
            level: 'danger',
            title: t('approval.unlimitedTitle'),
            text: t('approval.movesAllHint', {
              token: unlimited.map(({ name }) => name).join(', '),
            }),
          }
        : {
            level: 'warn',
            title: t('approval.moves'),
            text: t(kind === 'send' ? 'approval.movesToHint' : 'approval.movesHint'),
          },
      ...(isBound
        ? []
        : [
            {
              level: 'danger',
              title: t('approval.anyNetworkTitle'),
              text: t('approval.anyNetworkHint'),
            } as const,
          ]),
    ],
    movements: [],
    ...(readings.length > 1 && {
      steps: readings.map(({ sentence, address, until }) => ({
        sentence,
        details: [until, ...contractRow(address)],
      })),
    }),
    details: [
      [t(kind === 'send' ? 'approval.to' : 'approval.spender'), by],
      ...(only && readings.length === 1 ? [only.until] : []),
      ...endOfSignature,
      ...contractRow(readings.length === 1 ? only?.address : domain.verifyingContract),
      network,
    ],
    exact,
    ...(isDanger && { tick: t('approval.tickSpender') }),
    action: t('approval.sign'),
  }

  function contractRow(address: Address | undefined): [string, string][] {
    return address ? [[t('approval.contract'), address]] : []
  }

  async function readItem({ token: address, amount, end }: Item) {
    // On another network, a different contract may have this address.
    const known = isBound ? await token(address) : undefined
    const name = known ? label(known.symbol, unnamed) : short(address)
    const spender = short(by)
    const hasLimit = kind === 'nft' || amount < unlimitedAmount
    const text = known
      ? `${formatAmount(amount, known.decimals, language)} ${name}`
      : t('approval.unitsOf', { n: String(amount), token: name })
    const sentence =
      kind === 'nft'
        ? t('approval.allowNft', { spender, id: String(amount), token: short(address) })
        : kind === 'send'
          ? t('approval.send', { amount: text, to: spender })
          : hasLimit
            ? t('approval.allow', { spender, amount: text })
            : t('approval.allowAll', { spender, token: name })
    const until: [string, string] = [
      t('approval.until'),
      end === 'block' ? t('approval.useBlock') : formatEnd(end, language),
    ]
    return { sentence, name, address, until, isUnlimited: kind === 'spend' && !hasLimit }
  }
}

/** What somebody can take with a signature: coins or an NFT for a spender, or coins that are sent to an address. */
type Claim = {
  kind: 'spend' | 'nft' | 'send'
  by: Address
  items: Item[]
  /** The last second in which the signature can be used, in Unix time, if it gives an allowance with its own end. */
  deadline?: bigint
}

type Item = {
  token: Address
  /** In atomic units; for an NFT, its id. */
  amount: bigint
  /** The last second in which it can be taken, in Unix time, or the block that uses the signature. */
  end: bigint | 'block'
}

/** The end of allowances that do not end by themselves. */
const never = maxUint256

/** As many coins as a visitor can be expected to read in one approval. */
const maxItems = 20

/** @returns `undefined` for data that moves nothing by itself, or moves coins in a way that this function does not know */
function readClaim(
  primaryType: string,
  message: Record<string, unknown>,
  contract?: Address,
): Claim | undefined {
  const { spender, to, value, allowed, tokenId, deadline, details } = message as {
    [name: string]: unknown
    spender?: Address
    to?: Address
  }
  const isTransfer = /^(?:Transfer|Receive)WithAuthorization$/.test(primaryType)
  if (isTransfer && contract && typeof to === 'string') {
    const end = toBigInt(message['validBefore'])
    return { kind: 'send', by: to, items: [{ token: contract, amount: toBigInt(value), end }] }
  }
  if (typeof spender !== 'string') return undefined
  if (primaryType === 'Permit' && contract) {
    // DAI's permit has `expiry`, which is 0 for a signature without an end, and a flag instead of an amount.
    const { expiry } = message
    const claim = {
      by: spender,
      deadline:
        deadline === undefined && toBigInt(expiry) === 0n ? never : toBigInt(deadline ?? expiry),
    }
    if (tokenId !== undefined)
      return {
        ...claim,
        kind: 'nft',
        items: [{ token: contract, amount: toBigInt(tokenId), end: never }],
      }
    // An amount under an unknown name counts as the maximum.
    const amount = value === undefined && allowed === false ? 0n : toBigInt(value)
    return { ...claim, kind: 'spend', items: [{ token: contract, amount, end: never }] }
  }
  const permitted = [message['permitted'] ?? details].flat() as (
    | { token?: unknown; amount?: unknown; expiration?: unknown }
    | undefined
  )[]
  // A permit for transfers ends with its signature; one for an allowance contains the end of each token.
  const isAllowance = message['permitted'] === undefined
  const items = permitted.flatMap((item) => {
    if (typeof item?.token !== 'string') return []
    const end = toBigInt(isAllowance ? item.expiration : deadline)
    return [
      {
        token: item.token as Address,
        amount: toBigInt(item.amount),
        end: isAllowance && end === 0n ? ('block' as const) : end,
      },
    ]
  })
  if (items.length === 0) return undefined
  return {
    kind: 'spend',
    by: spender,
    items,
    ...(isAllowance && { deadline: toBigInt(message['sigDeadline']) }),
  }
}

/** The fields of the domain that are signed: those that its type declares. @see EIP-712, definition of `domainSeparator` */
function signedDomain(data: TypedDataDefinition) {
  const domain = (data.domain ?? {}) as Record<string, unknown>
  const { EIP712Domain = getTypesForEIP712Domain({ domain }) } = data.types as {
    EIP712Domain?: readonly { name: string }[]
  }
  return Object.fromEntries(EIP712Domain.map(({ name }) => [name, domain[name]])) as {
    name?: string
    chainId?: unknown
    verifyingContract?: Address
  }
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
    const record = value as Record<string, unknown>
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
