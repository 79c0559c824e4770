import type { FailedTransactionMetadata } from 'litesvm'

/** An error of a transaction, as Solana's JSON-RPC spells it. */
export type TransactionError = string | Record<string, unknown>

/**
 * The error of a failed transaction. LiteSVM's own error objects have no names at run time, but its text is Rust's debug
 * form, which has the names that the JSON-RPC uses.
 */
export function toTransactionError(failed: FailedTransactionMetadata): TransactionError {
  const text = /err: (.*?), meta: TransactionMetadata/s.exec(failed.toString())?.[1] ?? ''
  const instruction = /^InstructionError\((\d+), (.*)\)$/s.exec(text)
  if (instruction)
    return { InstructionError: [Number(instruction[1]), toInstructionError(instruction[2]!)] }
  const indexed = /^(\w+) \{ account_index: (\d+) \}$/.exec(text)
  if (indexed) return { [indexed[1]!]: { account_index: Number(indexed[2]) } }
  const numbered = /^(\w+)\((\d+)\)$/.exec(text)
  return numbered ? { [numbered[1]!]: Number(numbered[2]) } : text
}

function toInstructionError(text: string): TransactionError {
  const custom = /^Custom\((\d+)\)$/.exec(text)
  return custom ? { Custom: Number(custom[1]) } : text
}

/** The message of an error, in the wording of a node. */
export function toErrorText(error: TransactionError): string {
  if (typeof error === 'string') return texts[error] ?? error
  const [name, detail] = Object.entries(error)[0]!
  if (name !== 'InstructionError') return `${name}: ${JSON.stringify(detail)}`
  const [index, reason] = detail as [number, TransactionError]
  const text =
    typeof reason === 'string'
      ? reason
      : `custom program error: 0x${Number(reason['Custom']).toString(16)}`
  return `Error processing Instruction ${index}: ${text}`
}

const texts: Readonly<Record<string, string>> = {
  AccountNotFound: 'Attempt to debit an account but found no record of a prior credit.',
  AlreadyProcessed: 'This transaction has already been processed',
  BlockhashNotFound: 'Blockhash not found',
  InsufficientFundsForFee: 'Insufficient funds for fee',
  ProgramAccountNotFound: 'Attempt to load a program that does not exist',
}
