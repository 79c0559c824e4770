import { getBase64Decoder, type AccountMeta, isWritableRole, unwrapOption } from '@solana/kit'
import * as v from 'valibot'
import { NodeError, type Rpc } from '../rpc/createRpc.ts'
import {
  readAccounts,
  readMint,
  readToken,
  toAccounts,
  WireAccounts,
  type Accounts,
} from './readAccounts.ts'
import { programs } from './programs.ts'

/** What a transaction would change for an account, according to a simulation. */
export type Changes = {
  /** Without the fee. */
  lamports: bigint
  /** By mint; `decimals` is `undefined` if the mint cannot be read. */
  tokens: { mint: string; atomic: bigint; decimals: number | undefined }[]
  /** Whether the account itself would belong to a program that can then move its SOL. */
  isReassigned: boolean
  /** What others could then do with its token accounts. */
  powers: Power[]
}

/** What somebody else can do with a token account: spend from it, own it, or close it. */
export type Power = {
  account: string
  kind: 'spend' | 'own' | 'close'
  holder: string
  /** How much the holder can spend, in atomic units; only of the kind `spend`. */
  amountAtomic?: bigint
}

export type Simulation = {
  /** `undefined` if it could not be simulated, or would fail. */
  changes: Changes | undefined
  /** Why it would fail. */
  failure: string | undefined
  /** Whether a node could simulate it. */
  wasTried: boolean
}

const Response = v.object({
  value: v.object({
    err: v.unknown(),
    logs: v.nullish(v.array(v.string())),
    accounts: v.nullish(WireAccounts),
  }),
})

/**
 * Simulates a transaction at the operator's node, and compares the accounts of the owner before and after it.
 *
 * @param options.bytes - its wire form; signatures may be missing
 * @param options.fee - the part of the fee that the owner pays, in lamports
 */
export async function simulate(options: {
  rpc: Rpc
  chainId: string
  owner: string
  bytes: Uint8Array
  accounts: readonly AccountMeta[]
  fee: bigint
}): Promise<Simulation> {
  const { rpc, chainId, owner, bytes, fee } = options
  const writable = options.accounts.filter(({ role }) => isWritableRole(role))
  const addresses = [...new Set([owner, ...writable.map(({ address }) => address as string)])]
  try {
    const before = await readAccounts(rpc, chainId, addresses)
    const config = {
      encoding: 'base64',
      commitment: 'confirmed',
      sigVerify: false,
      accounts: { encoding: 'base64', addresses },
    }
    const response = v.safeParse(
      Response,
      await rpc(chainId, 'simulateTransaction', [getBase64Decoder().decode(bytes), config]),
    )
    if (!response.success) return notTried
    const { err, logs, accounts } = response.output.value
    if (err !== null && err !== undefined)
      return { changes: undefined, failure: toFailure(err, logs ?? []), wasTried: true }
    if (!accounts) return notTried
    const after = toAccounts(addresses, accounts)
    const tokens = toTokenChanges(owner, addresses, before, after)
    const mints = await readAccounts(rpc, chainId, [...tokens.keys()])
    return {
      changes: {
        lamports: lamportsOf(after, owner) - lamportsOf(before, owner) + fee,
        tokens: Array.from(tokens, ([mint, atomic]) => ({
          mint,
          atomic,
          decimals: readMint(mints.get(mint))?.decimals,
        })),
        isReassigned: (after.get(owner)?.owner ?? programs.system) !== programs.system,
        powers: toPowers(owner, addresses, before, after),
      },
      failure: undefined,
      wasTried: true,
    }
  } catch (error) {
    if (error instanceof NodeError) return notTried
    throw error
  }
}

const notTried: Simulation = { changes: undefined, failure: undefined, wasTried: false }

function lamportsOf(accounts: Accounts, address: string): bigint {
  return accounts.get(address)?.lamports ?? 0n
}

/** The change of the owner's tokens, by mint. */
function toTokenChanges(
  owner: string,
  addresses: readonly string[],
  before: Accounts,
  after: Accounts,
): Map<string, bigint> {
  const changes = new Map<string, bigint>()
  const add = (accounts: Accounts, sign: bigint) => {
    for (const address of addresses) {
      const token = readToken(accounts.get(address))
      if (token?.owner !== owner) continue
      changes.set(token.mint, (changes.get(token.mint) ?? 0n) + sign * token.amount)
    }
  }
  add(before, -1n)
  add(after, 1n)
  for (const [mint, change] of changes) if (change === 0n) changes.delete(mint)
  return changes
}

/** The powers over the owner's token accounts that others gain. */
function toPowers(
  owner: string,
  addresses: readonly string[],
  before: Accounts,
  after: Accounts,
): Power[] {
  return addresses.flatMap((account): Power[] => {
    const earlier = readToken(before.get(account))
    const later = readToken(after.get(account))
    if (!later) return []
    if (later.owner !== owner)
      return earlier?.owner === owner ? [{ account, kind: 'own', holder: later.owner }] : []
    const powers: Power[] = []
    const delegate = unwrapOption(later.delegate)
    const amountAtomic = later.delegatedAmount
    const had =
      earlier && unwrapOption(earlier.delegate) === delegate ? earlier.delegatedAmount : undefined
    if (delegate !== null && (had === undefined || amountAtomic > had))
      powers.push({ account, kind: 'spend', holder: delegate, amountAtomic })
    const closer = unwrapOption(later.closeAuthority)
    if (closer !== null && closer !== (earlier && unwrapOption(earlier.closeAuthority)))
      powers.push({ account, kind: 'close', holder: closer })
    return powers
  })
}

/**
 * Why a simulation failed, according to the error and the last log line of a
 * program.
 */
function toFailure(error: unknown, logs: readonly string[]): string {
  const line = logs.findLast((one) => !/^Program \S+ (invoke|consumed|success|failed)/.test(one))
  const reason = line?.replace(/^Program log: (Error: )?/, '') ?? toName(error)
  return reason.slice(0, 200)
}

/** `{InstructionError: [0, {Custom: 1}]}` as “InstructionError 0 Custom 1”. */
function toName(error: unknown): string {
  return typeof error === 'string'
    ? error
    : JSON.stringify(error)
        .replaceAll(/[^\w-]+/g, ' ')
        .trim()
}
