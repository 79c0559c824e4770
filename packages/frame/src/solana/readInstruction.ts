import type { AccountMeta, Address, Instruction, InstructionWithData } from '@solana/kit'
import { parseSystemInstruction, SystemInstruction } from '@solana-program/system'
import {
  AssociatedTokenInstruction,
  parseAssociatedTokenInstruction,
  parseTokenInstruction,
  TokenInstruction,
} from '@solana-program/token'
import { formatUnits } from 'viem'
import type { Level, Note } from '../approval/Statement.ts'
import { short, toText } from '../approval/text.ts'
import { attempt } from './decodeTransaction.ts'
import { programs } from './programs.ts'
import { isTokenProgram, readMint, readToken, type Accounts } from './readAccounts.ts'

/** An instruction with its accounts. */
export type FullInstruction = Instruction &
  InstructionWithData<Uint8Array> & { accounts: readonly AccountMeta[] }

/** What an instruction does, in words. */
export type Reading = {
  /** `undefined` for one that only accompanies others, such as a limit of compute units. */
  sentence?: string
  level?: Extract<Level, 'danger' | 'refused'>
  notes?: Note[]
  details?: [string, string][]
  /** Whether nothing is known about it. */
  isUnknown?: boolean
  tick?: string
  /** Whether the transaction can be sent at any later time. */
  isDurable?: boolean
}

/** Allowances above this are unlimited: half of all units that a token can have. */
const unlimited = 2n ** 63n

/**
 * Describes an instruction from its bytes.
 *
 * @param options.owner - the visitor's account
 * @param options.known - accounts that it names, as they are before the transaction
 * @param options.owners - owners of token accounts that the transaction itself creates, by their address
 */
export function readInstruction(options: {
  instruction: FullInstruction
  owner: string
  known: Accounts
  owners: ReadonlyMap<string, string>
}): Reading {
  const { programAddress, data } = options.instruction
  if (programAddress === programs.computeBudget) return {}
  if (programAddress === programs.memo || programAddress === programs.earlierMemo) {
    const text = toText(new Uint8Array(data))
    return { details: [['Memo', text ?? `${data.length} bytes that are no text`]] }
  }
  const reading = attempt(() => {
    if (programAddress === programs.system) return readSystem(options)
    if (isTokenProgram(programAddress)) return readTokenInstruction(options)
    if (programAddress === programs.associatedToken) return readAssociated(options)
    return undefined
  })
  return reading ?? unknownInstruction(options.instruction)
}

type Options = Parameters<typeof readInstruction>[0]

/** Accounts whose contents are needed to describe an instruction: its own, for those of token programs. */
export function accountsToRead({ programAddress, accounts }: FullInstruction): string[] {
  return isTokenProgram(programAddress) ? accounts.map(({ address }) => address) : []
}

/** The owner of the token account that an instruction creates, with its address. */
export function createdToken(instruction: FullInstruction): [string, string] | undefined {
  if (instruction.programAddress !== programs.associatedToken) return undefined
  const parsed = attempt(() => parseAssociatedTokenInstruction(instruction))
  if (!parsed || parsed.instructionType === AssociatedTokenInstruction.RecoverNestedAssociatedToken)
    return undefined
  return [parsed.accounts.ata.address, parsed.accounts.owner.address]
}

function readSystem({ instruction, owner }: Options): Reading | undefined {
  const parsed = parseSystemInstruction(instruction)
  switch (parsed.instructionType) {
    case SystemInstruction.TransferSol: {
      const { source, destination } = parsed.accounts
      const isOwn = source.address === owner
      const amount = sol(parsed.data.amount)
      return {
        sentence: isOwn
          ? `Send ${amount} to ${short(destination.address)}`
          : `Move ${amount} from ${short(source.address)} to ${short(destination.address)}`,
        details: [...(isOwn ? [] : [row('From', source)]), row('To', destination)],
      }
    }
    case SystemInstruction.CreateAccount: {
      const { newAccount } = parsed.accounts
      return {
        sentence: `Create an account with ${sol(parsed.data.lamports)}`,
        details: [row('Account', newAccount), ['Program', parsed.data.programAddress]],
      }
    }
    case SystemInstruction.Assign: {
      const { account } = parsed.accounts
      if (account.address !== owner) return undefined
      return {
        sentence: 'This would give your account away',
        level: 'refused',
        notes: [
          {
            level: 'refused',
            title: 'Blocked',
            text: 'The account would belong to a program, which could take all that is in it. No site may ask for that.',
          },
        ],
        details: [['New owner', parsed.data.programAddress]],
      }
    }
    case SystemInstruction.AdvanceNonceAccount:
      return { isDurable: true, details: [row('Nonce account', parsed.accounts.nonceAccount)] }
    default:
      return undefined
  }
}

function readAssociated({ instruction, owner }: Options): Reading | undefined {
  const created = createdToken(instruction)
  if (!created) return undefined
  const [, holder] = created
  return holder === owner ? {} : { details: [['New token account for', holder]] }
}

function readTokenInstruction({ instruction, owner, known, owners }: Options): Reading | undefined {
  const parsed = parseTokenInstruction(instruction as never)
  const tokenAt = (address: string) => readToken(known.get(address))
  const units = (atomic: bigint, mint: string | undefined, decimals?: number) =>
    amountOf(atomic, decimals ?? readMint(known.get(mint ?? ''))?.decimals, mint)
  const mintRow = (mint: string | undefined): [string, string][] =>
    mint === undefined ? [] : [['Mint', mint]]
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
        sentence: `Send ${units(parsed.data.amount, mint, decimals)} to ${short(to)}`,
        details: [
          ['To', to],
          ...(receiver ? [row('Token account', destination)] : []),
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
        delegate: delegate.address,
        amount: parsed.data.amount,
        units: units(parsed.data.amount, mint, decimals),
        details: mintRow(mint),
      })
    }
    case TokenInstruction.Revoke:
      return {
        sentence: 'Let nobody else spend the tokens of an account',
        details: [row('Token account', parsed.accounts.source)],
      }
    case TokenInstruction.Burn:
    case TokenInstruction.BurnChecked: {
      const mint = parsed.accounts.mint.address
      return {
        sentence: `Destroy ${units(parsed.data.amount, mint)}`,
        details: mintRow(mint),
      }
    }
    case TokenInstruction.CloseAccount: {
      const { account, destination } = parsed.accounts
      return {
        sentence: `Close a token account; its SOL goes to ${
          destination.address === owner ? 'you' : short(destination.address)
        }`,
        details: [row('Token account', account), row('SOL to', destination)],
      }
    }
    case TokenInstruction.SetAuthority:
      return {
        sentence: 'Give away control of a token account',
        level: 'danger',
        tick: 'I want somebody else to control it.',
        notes: [
          {
            level: 'danger',
            title: 'Control changes hands',
            text: 'The new holder could take all that is in it, now or later.',
          },
        ],
        details: [
          row('Account', parsed.accounts.owned),
          [
            'New holder',
            parsed.data.newAuthority.__option === 'Some'
              ? parsed.data.newAuthority.value
              : 'Nobody',
          ],
        ],
      }
    case TokenInstruction.SyncNative:
    case TokenInstruction.InitializeImmutableOwner:
      return {}
    default:
      return undefined
  }
}

function readApproval(options: {
  delegate: Address
  amount: bigint
  units: string
  details: [string, string][]
}): Reading {
  const { delegate, amount, units, details } = options
  const isUnlimited = amount >= unlimited
  return {
    sentence: `Let ${short(delegate)} spend ${isUnlimited ? 'all of a token' : units}`,
    ...(isUnlimited && {
      level: 'danger' as const,
      tick: 'I know this account and want to allow it.',
    }),
    notes: [
      isUnlimited
        ? {
            level: 'danger',
            title: 'Unlimited spending',
            text: 'It could take all your units of this token, now or later.',
          }
        : {
            level: 'warn',
            title: 'Spending later',
            text: `It could take ${units} at any time, without asking again.`,
          },
    ],
    details: [['Spender', delegate], ['Amount', isUnlimited ? 'Unlimited' : units], ...details],
  }
}

function unknownInstruction({ programAddress }: FullInstruction): Reading {
  return {
    sentence: 'Run an unknown program',
    isUnknown: true,
    details: [['Program', programAddress]],
  }
}

function row(term: string, { address }: AccountMeta): [string, string] {
  return [term, address]
}

export function sol(lamports: bigint): string {
  const sign = lamports < 0n ? '−' : ''
  return `${sign}${formatUnits(lamports < 0n ? -lamports : lamports, 9)} SOL`
}

/** An amount of a token. Tokens have no name of their own on this network, so that the mint names it. */
function amountOf(atomic: bigint, decimals: number | undefined, mint: string | undefined): string {
  const name = mint === undefined ? 'an unknown token' : `token ${short(mint)}`
  return decimals === undefined
    ? `${atomic} units of ${name}`
    : `${formatUnits(atomic, decimals)} of ${name}`
}
