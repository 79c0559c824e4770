import {
  unwrapOption,
  type AccountMeta,
  type Address,
  type Instruction,
  type InstructionWithData,
} from '@solana/kit'
import { parseSystemInstruction, SystemInstruction } from '@solana-program/system'
import {
  AssociatedTokenInstruction,
  AuthorityType,
  parseAssociatedTokenInstruction,
  parseTokenInstruction,
  TokenInstruction,
} from '@solana-program/token'
import { formatAmount } from '../approval/formatAmount.ts'
import type { Level, Note } from '../approval/Statement.ts'
import { short, toText } from '../approval/text.ts'
import { approvalText } from '../strings/approval.ts'
import type { Language } from '../strings/language.ts'
import { solanaText } from '../strings/solana.ts'
import { translate, type Translate } from '../strings/translate.ts'
import { attempt } from './decodeTransaction.ts'
import { programs } from './programs.ts'
import { isTokenProgram, readMint, readToken, type Accounts } from './readAccounts.ts'
import type { Power } from './simulate.ts'

/** An instruction with its accounts. */
export type FullInstruction = Instruction &
  InstructionWithData<Uint8Array> & { accounts: readonly AccountMeta[] }

/** A description of what an instruction does. */
export type Reading = {
  /** `undefined` for an auxiliary instruction, such as a compute unit limit. */
  sentence?: string
  level?: Extract<Level, 'danger' | 'refused'>
  notes?: Note[]
  details?: [string, string][]
  /** What the instruction lets others do with token accounts. */
  powers?: Power[]
  /** Whether the instruction is unknown. */
  isUnknown?: boolean
  tick?: string
  /** Whether the transaction can be sent at any later time. */
  isDurable?: boolean
}

/** The authorities over a token account. The others are over mints. */
const authorityKinds: ReadonlyMap<AuthorityType, Power['kind']> = new Map([
  [AuthorityType.AccountOwner, 'own'],
  [AuthorityType.CloseAccount, 'close'],
])

/** Half of the maximum amount of a token. Larger allowances are shown as unlimited. */
const unlimited = 2n ** 63n

/**
 * Describes an instruction from its bytes.
 *
 * @param options.owner - the visitor's account
 * @param options.known - the accounts that it names, in their state before the
 *   transaction
 * @param options.owners - owners of token accounts that the transaction itself
 *   creates, by their address
 */
export function readInstruction(options: {
  instruction: FullInstruction
  owner: string
  known: Accounts
  owners: ReadonlyMap<string, string>
  language: Language
}): Reading {
  const { programAddress, data } = options.instruction
  const t = translate(strings, options.language)
  if (programAddress === programs.computeBudget) return {}
  if (programAddress === programs.memo || programAddress === programs.earlierMemo) {
    const text = toText(new Uint8Array(data))
    return { details: [[t('solana.memo'), text ?? t('solana.memoBytes', { n: data.length })]] }
  }
  const reading = attempt(() => {
    if (programAddress === programs.system) return readSystem(options, t)
    if (isTokenProgram(programAddress)) return readTokenInstruction(options, t)
    if (programAddress === programs.associatedToken) return readAssociated(options, t)
    return undefined
  })
  return reading ?? unknownInstruction(options.instruction, t)
}

type Options = Parameters<typeof readInstruction>[0]

const strings = { ...approvalText, ...solanaText }
type Text = Translate<typeof strings>

/**
 * Accounts whose contents are needed to describe an instruction: all of its accounts if it calls a token program,
 * otherwise none.
 */
export function accountsToRead({ programAddress, accounts }: FullInstruction): string[] {
  return isTokenProgram(programAddress) ? accounts.map(({ address }) => address) : []
}

/** The address and the owner of the token account that an instruction creates. */
export function createdToken(instruction: FullInstruction): [string, string] | undefined {
  if (instruction.programAddress !== programs.associatedToken) return undefined
  const parsed = attempt(() => parseAssociatedTokenInstruction(instruction))
  if (!parsed || parsed.instructionType === AssociatedTokenInstruction.RecoverNestedAssociatedToken)
    return undefined
  return [parsed.accounts.ata.address, parsed.accounts.owner.address]
}

function readSystem({ instruction, owner, language }: Options, t: Text): Reading | undefined {
  const parsed = parseSystemInstruction(instruction)
  switch (parsed.instructionType) {
    case SystemInstruction.TransferSol: {
      const { source, destination } = parsed.accounts
      const isOwn = source.address === owner
      const amount = sol(parsed.data.amount, language)
      return {
        sentence: isOwn
          ? t('approval.send', { amount, to: short(destination.address) })
          : t('solana.move', {
              amount,
              from: short(source.address),
              to: short(destination.address),
            }),
        details: [
          ...(isOwn ? [] : [row(t('solana.from'), source)]),
          row(t('approval.to'), destination),
        ],
      }
    }
    case SystemInstruction.CreateAccount: {
      const { newAccount } = parsed.accounts
      return {
        sentence: t('solana.create', { amount: sol(parsed.data.lamports, language) }),
        details: [
          row(t('solana.account'), newAccount),
          [t('solana.program'), parsed.data.programAddress],
        ],
      }
    }
    case SystemInstruction.Assign: {
      const { account } = parsed.accounts
      if (account.address !== owner) return undefined
      return {
        sentence: t('solana.reassigned'),
        level: 'refused',
        notes: [
          {
            level: 'refused',
            title: t('approval.blocked'),
            text: t('solana.reassignedHint'),
          },
        ],
        details: [[t('solana.newOwner'), parsed.data.programAddress]],
      }
    }
    case SystemInstruction.AdvanceNonceAccount:
      return {
        isDurable: true,
        details: [row(t('solana.nonceAccount'), parsed.accounts.nonceAccount)],
      }
    default:
      return undefined
  }
}

function readAssociated({ instruction, owner }: Options, t: Text): Reading | undefined {
  const created = createdToken(instruction)
  if (!created) return undefined
  const [, holder] = created
  return holder === owner ? {} : { details: [[t('solana.newTokenAccount'), holder]] }
}

function readTokenInstruction(options: Options, t: Text): Reading | undefined {
  const { instruction, owner, known, owners, language } = options
  const parsed = parseTokenInstruction(instruction as never)
  const tokenAt = (address: string) => readToken(known.get(address))
  const units = (atomic: bigint, mint: string | undefined, decimals?: number) =>
    amountOf({
      atomic,
      decimals: decimals ?? readMint(known.get(mint ?? ''))?.decimals,
      mint,
      t,
      language,
    })
  const mintRow = (mint: string | undefined): [string, string][] =>
    mint === undefined ? [] : [[t('solana.mint'), mint]]
  switch (parsed.instructionType) {
    case TokenInstruction.Transfer:
    case TokenInstruction.TransferChecked: {
      const { source, destination } = parsed.accounts
      const isChecked = parsed.instructionType === TokenInstruction.TransferChecked
      const mint = isChecked ? parsed.accounts.mint.address : tokenAt(source.address)?.mint
      const decimals = isChecked ? parsed.data.decimals : undefined
      const receiver = tokenAt(destination.address)?.owner ?? owners.get(destination.address)
      const to = receiver ?? destination.address
      return {
        sentence: t('approval.send', {
          amount: units(parsed.data.amount, mint, decimals),
          to: short(to),
        }),
        details: [
          [t('approval.to'), to],
          ...(receiver ? [row(t('solana.tokenAccount'), destination)] : []),
          ...mintRow(mint),
        ],
      }
    }
    case TokenInstruction.Approve:
    case TokenInstruction.ApproveChecked: {
      const { source, delegate } = parsed.accounts
      const isChecked = parsed.instructionType === TokenInstruction.ApproveChecked
      const mint = isChecked ? parsed.accounts.mint.address : tokenAt(source.address)?.mint
      const decimals = isChecked ? parsed.data.decimals : undefined
      return readApproval({
        account: source.address,
        delegate: delegate.address,
        amount: parsed.data.amount,
        units: units(parsed.data.amount, mint, decimals),
        details: mintRow(mint),
        t,
      })
    }
    case TokenInstruction.Revoke:
      return {
        sentence: t('solana.revoke'),
        details: [row(t('solana.tokenAccount'), parsed.accounts.source)],
      }
    case TokenInstruction.Burn:
    case TokenInstruction.BurnChecked: {
      const mint = parsed.accounts.mint.address
      return {
        sentence: t('solana.burn', { amount: units(parsed.data.amount, mint) }),
        details: mintRow(mint),
      }
    }
    case TokenInstruction.CloseAccount: {
      const { account, destination } = parsed.accounts
      return {
        sentence:
          destination.address === owner
            ? t('solana.closeOwn')
            : t('solana.close', { to: short(destination.address) }),
        details: [row(t('solana.tokenAccount'), account), row(t('solana.solTo'), destination)],
      }
    }
    case TokenInstruction.SetAuthority: {
      const { owned } = parsed.accounts
      const holder = unwrapOption(parsed.data.newAuthority)
      const kind = authorityKinds.get(parsed.data.authorityType)
      return {
        sentence: t('solana.giveControl'),
        level: 'danger',
        tick: t('solana.tickControl'),
        notes: [
          {
            level: 'danger',
            title: t('solana.control'),
            text: t('solana.controlHint'),
          },
        ],
        details: [
          row(t('solana.account'), owned),
          [t('solana.newHolder'), holder ?? t('solana.nobody')],
        ],
        ...(holder !== null && kind && { powers: [{ account: owned.address, kind, holder }] }),
      }
    }
    case TokenInstruction.SyncNative:
    case TokenInstruction.InitializeImmutableOwner:
      return {}
    default:
      return undefined
  }
}

function readApproval(options: {
  account: Address
  delegate: Address
  amount: bigint
  units: string
  details: [string, string][]
  t: Text
}): Reading {
  const { account, delegate, amount, units, details, t } = options
  const spender = short(delegate)
  const isUnlimited = amount >= unlimited
  return {
    sentence: isUnlimited
      ? t('solana.allowAll', { spender })
      : t('approval.allow', { spender, amount: units }),
    ...(isUnlimited && {
      level: 'danger' as const,
      tick: t('solana.tickSpender'),
    }),
    notes: [
      isUnlimited
        ? {
            level: 'danger',
            title: t('approval.unlimitedTitle'),
            text: t('solana.unlimitedHint'),
          }
        : {
            level: 'warn',
            title: t('solana.later'),
            text: t('solana.laterHint', { amount: units }),
          },
    ],
    details: [
      [t('approval.spender'), delegate],
      [t('approval.amount'), isUnlimited ? t('approval.unlimited') : units],
      ...details,
    ],
    powers: [{ account, kind: 'spend', holder: delegate, amountAtomic: amount }],
  }
}

function unknownInstruction({ programAddress }: FullInstruction, t: Text): Reading {
  return {
    sentence: t('solana.unknown'),
    isUnknown: true,
    details: [[t('solana.program'), programAddress]],
  }
}

function row(term: string, { address }: AccountMeta): [string, string] {
  return [term, address]
}

export function sol(lamports: bigint, language: Language): string {
  const sign = lamports < 0n ? '−' : ''
  return `${sign}${formatAmount(lamports < 0n ? -lamports : lamports, 9, language)} SOL`
}

/** An amount of a token. Tokens have no names on this network, so the mint identifies the token. */
function amountOf(options: {
  atomic: bigint
  decimals: number | undefined
  mint: string | undefined
  t: Text
  language: Language
}): string {
  const { atomic, decimals, mint, t, language } = options
  if (decimals === undefined) {
    const n = String(atomic)
    return mint === undefined
      ? t('solana.unknownUnits', { n })
      : t('solana.tokenUnits', { n, mint: short(mint) })
  }
  const amount = formatAmount(atomic, decimals, language)
  return mint === undefined
    ? t('solana.unknownAmount', { amount })
    : t('solana.tokenAmount', { amount, mint: short(mint) })
}
