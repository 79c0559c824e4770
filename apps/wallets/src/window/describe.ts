import { formatEther, formatGwei, type Hex, hexToBytes, isAddress, maxUint256 } from 'viem'
import type { Controls } from '../createControls.ts'
import type { PendingRequest } from '../provider/createApprovals.ts'
import type { CallRequest } from '../provider/params.ts'
import type { Cost } from '../provider/transactions.ts'
import { decodeCall } from './decodeCall.ts'

export type Row = { label: string; value: string }
/** The line on gas; `bad` where the transaction would not get through. */
export type CostRow = Row & { bad: boolean }

/** A request in words: what a person reads before answering. */
export type Content = {
  title: string
  /** A sentence under the title, if it needs one. */
  line?: string
  rows: readonly Row[]
  /** What is signed, as text. */
  text?: string
  /** What is signed, field by field. */
  fields?: readonly Row[]
  /** What a person should know before approving. */
  warning?: string
  /** The cost line, once the chain has answered, or why the call would fail. */
  cost?: Promise<CostRow>
}

/** Puts a waiting request into words. */
export function describe(
  request: PendingRequest,
  { chains, accounts, account }: Pick<Controls, 'chains' | 'accounts' | 'account'>,
): Content {
  const { subject } = request
  const chainOf = (id: number) => chains.find((chain) => chain.id === id)
  const nameOf = (id: number) => chainOf(id)?.name ?? `Chain ${id}`
  switch (subject?.kind) {
    case 'connect':
      return {
        title: 'Connect to this site',
        line: 'It can ask you to sign. It cannot sign by itself.',
        rows: accounts.map((address, index) => ({
          label: index === account ? 'Sees your account' : 'and',
          value: short(address),
        })),
      }
    case 'message': {
      const text = readText(subject.message)
      return {
        title: 'Sign a message',
        rows: [{ label: 'Account', value: short(subject.account) }],
        text: text ?? subject.message,
        ...(text === undefined && { warning: 'These bytes are no text. Nobody can read them.' }),
      }
    }
    case 'typedData': {
      const { domain, message, primaryType } = subject.typedData
      const fields = flatten(message)
      return {
        title: `Sign ${primaryType}`,
        rows: [
          { label: 'Account', value: short(subject.account) },
          { label: 'For', value: [domain?.name, domain?.version].filter(Boolean).join(' · ') },
          { label: 'Network', value: domain?.chainId ? nameOf(Number(domain.chainId)) : 'Any' },
          {
            label: 'Contract',
            value: domain?.verifyingContract && short(domain.verifyingContract),
          },
        ].flatMap(({ label, value }) => (value ? [{ label, value }] : [])),
        fields,
        ...(fields.some(({ value }) => value === 'Unlimited') && { warning: unlimited }),
      }
    }
    case 'calls': {
      const symbol = chainOf(subject.chainId)?.nativeCurrency?.symbol ?? 'ETH'
      const [only] = subject.calls
      const single = subject.calls.length === 1 && only ? only : undefined
      return {
        title: single
          ? titleOf(single, symbol, subject.sends)
          : `Run ${subject.calls.length} calls`,
        rows: [
          { label: 'Account', value: short(subject.account) },
          { label: 'Network', value: nameOf(subject.chainId) },
        ],
        fields: subject.calls.flatMap((call, index) =>
          rowsOf(call, symbol).map(({ label, value }) => ({
            label: single ? label : `${index + 1} · ${label}`,
            value,
          })),
        ),
        ...warningOf(subject.calls),
        ...(subject.cost && { cost: costRow(subject.cost, only?.value ?? 0n, symbol) }),
      }
    }
    case 'switchChain':
      return {
        title: `Switch to ${nameOf(subject.chainId)}`,
        line: 'Everything this site asks for next happens there.',
        rows: [{ label: 'Network', value: `${nameOf(subject.chainId)} · ${subject.chainId}` }],
      }
    case 'addChain':
      return {
        title: `Add ${subject.chain.name ?? `chain ${subject.chain.id}`}`,
        line: 'The wallet will use this network, and see what its node tells.',
        rows: [
          { label: 'Chain id', value: String(subject.chain.id) },
          { label: 'Node', value: subject.chain.rpcUrl },
          { label: 'Coin', value: subject.chain.nativeCurrency?.symbol ?? 'ETH' },
        ],
      }
    case 'watchAsset':
      return {
        title: `Show ${subject.symbol}`,
        line: 'Anyone can give a token any name. Check its address.',
        rows: [{ label: 'Token', value: short(subject.address) }],
      }
    default:
      return { title: request.method, rows: [] }
  }
}

const unlimited = 'It allows unlimited spending, now or later.'

/** Functions in words, where the name alone says too little. */
const titles: Readonly<Record<string, string>> = {
  approve: 'Let a contract spend',
  burn: 'Burn tokens',
  deposit: 'Wrap coins',
  mint: 'Mint tokens',
  permit: 'Let a contract spend',
  setApprovalForAll: 'Let a contract take everything',
  transfer: 'Send tokens',
  withdraw: 'Unwrap coins',
}

/** An address short enough for a line, with both ends to compare. */
export function short(address: string): string {
  return `${address.slice(0, 6)}…${address.slice(-4)}`
}

function titleOf(call: CallRequest, symbol: string, sends: boolean): string {
  const verb = sends ? 'Send' : 'Sign, not send,'
  const decoded = decodeCall(call.data)
  if (!call.to) return sends ? 'Deploy a contract' : 'Sign a deployment'
  if (decoded?.name) return titles[decoded.name] ?? `Call ${decoded.name}`
  if (call.data && call.data !== '0x') return 'Call an unknown contract'
  return `${verb} ${formatEther(call.value ?? 0n)} ${symbol}`
}

function rowsOf(call: CallRequest, symbol: string): Row[] {
  const decoded = decodeCall(call.data)
  return [
    ...(call.to ? [{ label: 'To', value: short(call.to) }] : []),
    ...(call.value ? [{ label: 'Amount', value: `${formatEther(call.value)} ${symbol}` }] : []),
    ...(decoded?.name ? [{ label: 'Function', value: decoded.name }] : []),
    ...(decoded?.args ?? []).map(({ name, value }) => ({
      label: name,
      value: isAddress(value) ? short(value) : value,
    })),
    ...(decoded ? [{ label: 'Data', value: `${decoded.selector} · ${decoded.bytes} bytes` }] : []),
  ]
}

function warningOf(calls: readonly CallRequest[]): { warning?: string } {
  const decoded = calls.map((call) => decodeCall(call.data))
  if (decoded.some((call) => call?.args.some(({ value }) => value === 'Unlimited'))) {
    return { warning: unlimited }
  }
  if (decoded.some((call) => call && !call.name)) {
    return { warning: 'The wallet cannot say what this does.' }
  }
  return {}
}

async function costRow(cost: Promise<Cost>, valueWei: bigint, symbol: string): Promise<CostRow> {
  try {
    const { gas, fees, balance } = await cost
    const price = fees.type === 'legacy' ? fees.gasPrice : fees.maxFeePerGas
    if (valueWei + gas * price > balance) {
      const has = Number(formatEther(balance)).toPrecision(6)
      return { label: `Not enough ${symbol}`, value: `It has ${Number(has)} ${symbol}`, bad: true }
    }
    const atMost = Number(formatEther(gas * price)).toPrecision(2)
    const gwei = Number(formatGwei(price)).toPrecision(3)
    return { label: 'Gas, at most', value: `${atMost} ${symbol} · ${gwei} gwei`, bad: false }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return { label: 'It would fail', value: reason, bad: true }
  }
}

/** The bytes as text, or `undefined` where they are none that a person could read. */
function readText(message: Hex): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(hexToBytes(message))
    return /[^\P{Cc}\n\r\t]/u.test(text) ? undefined : text
  } catch {
    return undefined
  }
}

function flatten(value: unknown, path = ''): Row[] {
  if (typeof value !== 'object' || value === null) {
    const text = String(value)
    if (text === String(maxUint256)) return [{ label: path, value: 'Unlimited' }]
    return [{ label: path, value: isAddress(text, { strict: false }) ? short(text) : text }]
  }
  return Object.entries(value).flatMap(([name, child]) =>
    flatten(child, path ? `${path}.${name}` : name),
  )
}
