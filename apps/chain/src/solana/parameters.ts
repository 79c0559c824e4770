import { isSignature, type Address, type Signature } from '@solana/kit'
import * as v from 'valibot'
import { parseAddress, type Ledger } from './createLedger.ts'
import { RpcError } from './RpcError.ts'

export const Commitment = v.picklist(['processed', 'confirmed', 'finalized'])

/** JSON numbers above 2^53 are refused, because they cannot be read exactly. */
export const U64 = v.pipe(
  v.number(),
  v.safeInteger(),
  v.minValue(0),
  v.transform((value) => BigInt(value)),
)

/**
 * Members that most methods accept. All blocks are final immediately, so the
 * commitment has no effect.
 */
const common = {
  commitment: v.optional(Commitment),
  minContextSlot: v.optional(U64),
}

export const Config = v.nullish(v.object(common), {})

const Slice = v.optional(v.object({ offset: v.number(), length: v.number() }))

export const AccountConfig = v.nullish(
  v.object({
    ...common,
    encoding: v.optional(v.picklist(['base58', 'base64', 'jsonParsed'])),
    dataSlice: Slice,
  }),
  {},
)
export type AccountConfig = NonNullable<v.InferOutput<typeof AccountConfig>>

const Encoding = v.optional(v.picklist(['base58', 'base64']), 'base58')

export const SendConfig = v.nullish(
  v.object({
    encoding: Encoding,
    skipPreflight: v.optional(v.boolean(), false),
    preflightCommitment: v.optional(Commitment),
    maxRetries: v.nullish(v.number()),
    minContextSlot: v.optional(U64),
  }),
  {},
)

export const SimulateConfig = v.nullish(
  v.object({
    ...common,
    encoding: Encoding,
    sigVerify: v.optional(v.boolean(), false),
    replaceRecentBlockhash: v.optional(v.boolean(), false),
    innerInstructions: v.optional(v.boolean(), false),
    accounts: v.nullish(
      v.object({
        addresses: v.array(v.string()),
        encoding: v.optional(v.picklist(['base64', 'jsonParsed']), 'base64'),
      }),
    ),
  }),
  {},
)

const TransactionEncoding = v.optional(v.picklist(['json', 'base58', 'base64']), 'json')

/** Older clients pass only the encoding. */
export const TransactionConfig = v.union([
  v.pipe(
    v.nullish(TransactionEncoding),
    v.transform((encoding = 'json') => ({
      encoding: encoding ?? 'json',
      maxSupportedTransactionVersion: undefined,
    })),
  ),
  v.object({
    ...common,
    encoding: TransactionEncoding,
    maxSupportedTransactionVersion: v.optional(v.number()),
  }),
])

export const SignaturesConfig = v.nullish(
  v.object({
    ...common,
    limit: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(1_000)), 1_000),
    before: v.nullish(v.string()),
    until: v.nullish(v.string()),
  }),
  {},
)

export const StatusesConfig = v.nullish(
  v.object({ searchTransactionHistory: v.optional(v.boolean()) }),
  {},
)

export const TokenFilter = v.union([
  v.object({ mint: v.string() }),
  v.object({ programId: v.string() }),
])

/** Parses a parameter. @throws {RpcError} */
export function read<Schema extends v.GenericSchema>(
  schema: Schema,
  value: unknown,
): v.InferOutput<Schema> {
  const parsed = v.safeParse(schema, value)
  if (parsed.success) return parsed.output
  const [issue] = parsed.issues
  const path = v.getDotPath(issue)
  throw new RpcError('invalidParams', `Invalid params: ${path ? `${path}: ` : ''}${issue.message}.`)
}

/** @throws {RpcError} */
export function readAddress(value: unknown): Address {
  const found = parseAddress(read(v.string(), value))
  if (!found) throw new RpcError('invalidParams', 'Invalid param: WrongSize')
  return found
}

/** @throws {RpcError} */
export function readSignature(value: unknown): Signature {
  const text = read(v.string(), value)
  if (!isSignature(text)) throw new RpcError('invalidParams', 'Invalid param: WrongSize')
  return text
}

/** @throws {RpcError} if the chain has not reached the slot that the client requires */
export function assertSlot(
  ledger: Ledger,
  config: { minContextSlot?: bigint | undefined } | null | undefined,
): void {
  const contextSlot = ledger.slot()
  if (config?.minContextSlot !== undefined && config.minContextSlot > contextSlot)
    throw new RpcError('minContextSlot', 'Minimum context slot has not been reached', {
      contextSlot,
    })
}
