import { getBase64Decoder } from '@solana/kit'
import * as v from 'valibot'
import type { Examine } from '../rpc/requests.ts'
import { RequestError } from '../rpc/RequestError.ts'
import {
  addSignature,
  decodeBase58,
  encodeBase58,
  type DecodedTransaction,
} from './decodeTransaction.ts'
import { describeMessage } from './describeMessage.ts'
import { describeAll } from './describeTransaction.ts'
import { examineTransaction } from './examineTransaction.ts'

/** How many transactions one approval can cover. */
const maxTransactions = 10

const Message = v.object({ message: v.string(), pubkey: v.optional(v.string()) })
const One = v.object({ transaction: v.string() })
const Several = v.object({
  transactions: v.pipe(v.array(v.string()), v.minLength(1), v.maxLength(maxTransactions)),
})
/** Including the names that older nodes used. */
const Commitment = v.pipe(
  v.picklist([
    'processed',
    'confirmed',
    'finalized',
    'recent',
    'single',
    'singleGossip',
    'root',
    'max',
  ]),
  v.transform((name) => earlierNames[name] ?? name),
)
const earlierNames: Readonly<Record<string, string>> = {
  recent: 'processed',
  single: 'confirmed',
  singleGossip: 'confirmed',
  root: 'finalized',
  max: 'finalized',
}
const Sent = v.object({
  transaction: v.string(),
  options: v.optional(
    v.object({
      skipPreflight: v.optional(v.boolean()),
      preflightCommitment: v.optional(Commitment),
      maxRetries: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0))),
      minContextSlot: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0))),
    }),
  ),
})

/**
 * The Solana methods that the visitor approves. All bytes are base58, as
 * official clients send them. Loaded with the first request.
 *
 * @see docs/contracts/frame.md#solana
 */
export const solanaRequests: Readonly<Record<string, Examine>> = {
  async solana_signMessage({ params, from, origin, sign, language }) {
    const { message, pubkey } = read(Message, params)
    if (pubkey !== undefined && pubkey !== from)
      throw new RequestError('The request is for another account.')
    const bytes = decodeBase58(message)
    if (!bytes) throw new RequestError('The message must be base58.')
    return {
      statement: describeMessage({ bytes, origin, language }),
      prepared: async () => ({ signature: await sign({ kind: 'solana', messages: [bytes] }) }),
    }
  },

  async solana_signTransaction({ params, chain, from, rpc, sign, language }) {
    const { transaction: text } = read(One, params)
    const { statement, decoded } = await examineTransaction({
      text,
      chain,
      owner: from,
      rpc,
      language,
    })
    return {
      statement,
      async prepared() {
        const signature = await sign({ kind: 'solana', messages: [decoded.messageBytes] })
        const [signed] = withSignatures([decoded], from, signature)
        return { transaction: encodeBase58(signed!) }
      },
    }
  },

  async solana_signAllTransactions({ params, chain, from, rpc, sign, language }) {
    const { transactions: texts } = read(Several, params)
    const examined = await Promise.all(
      texts.map((text) => examineTransaction({ text, chain, owner: from, rpc, language })),
    )
    const decoded = examined.map((one) => one.decoded)
    return {
      statement: describeAll(
        examined.map(({ statement }) => statement),
        language,
      ),
      async prepared() {
        const messages = decoded.map(({ messageBytes }) => messageBytes)
        const signatures = await sign({ kind: 'solana', messages })
        return { transactions: withSignatures(decoded, from, signatures).map(encodeBase58) }
      },
    }
  },

  async solana_signAndSendTransaction({ params, chain, from, rpc, sign, language }) {
    const { transaction: text, options } = read(Sent, params)
    const { statement, decoded } = await examineTransaction({
      text,
      chain,
      owner: from,
      rpc,
      language,
    })
    const { signatures } = decoded.transaction
    if (decoded.signers.some((signer) => signer !== from && !isSigned(signatures[signer])))
      throw new RequestError('Somebody else must sign the transaction before it can be sent.')
    return {
      statement,
      async prepared() {
        const signature = await sign({ kind: 'solana', messages: [decoded.messageBytes] })
        const [signed] = withSignatures([decoded], from, signature)
        const sent = await rpc(chain.id, 'sendTransaction', [
          getBase64Decoder().decode(signed!),
          { ...options, encoding: 'base64' },
        ])
        return { signature: sent }
      },
    }
  },
}

function read<Schema extends v.GenericSchema>(
  schema: Schema,
  params: unknown,
): v.InferOutput<Schema> {
  // Some pages wrap the object in a list.
  const parsed = v.safeParse(schema, Array.isArray(params) ? params[0] : params)
  if (parsed.success) return parsed.output
  const [issue] = parsed.issues
  throw new RequestError(`Invalid request: ${v.getDotPath(issue) ?? 'params'} ${issue.message}`)
}

/**
 * Whether a signature is present; official clients fill missing signatures with
 * zeros.
 */
function isSigned(signature: ArrayLike<number> | null | undefined): boolean {
  return signature !== null && signature !== undefined && Array.from(signature).some(Boolean)
}

/** The wire forms of transactions with the signatures that the signer returned, 64 bytes each. */
function withSignatures(
  transactions: readonly DecodedTransaction[],
  owner: string,
  text: string,
): Uint8Array[] {
  const signatures = decodeBase58(text)!
  return transactions.map(({ transaction }, index) =>
    addSignature(transaction, owner, signatures.slice(index * 64, (index + 1) * 64)),
  )
}
