import { formatEther, formatGwei, type Hex, hexToBytes } from 'viem'
import type { PendingRequest } from '../provider/createApprovals.ts'
import type { WalletChain } from '../provider/createSession.ts'
import type { CallRequest } from '../provider/params.ts'
import type { Cost } from '../provider/transactions.ts'
import { decodeCall } from './decodeCall.ts'

export type Row = { label: string; value: string }

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
  cost?: Promise<Row>
}

/** Puts a waiting request into words. */
export function describe(request: PendingRequest, chains: readonly WalletChain[]): Content {
  const { subject } = request
  const chainOf = (id: number) => chains.find((chain) => chain.id === id)
  const nameOf = (id: number) => chainOf(id)?.name ?? `Chain ${id}`
  switch (subject?.kind) {
    case 'connect':
      return {
        title: 'Connect to this site',
        line: 'It will see your accounts and can ask you to sign. It cannot sign by itself.',
        rows: [],
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
      return {
        title: `Sign ${primaryType}`,
        rows: [
          { label: 'Account', value: short(subject.account) },
          ...flatten(domain).map(({ label, value }) => ({ label: `Domain ${label}`, value })),
        ],
        fields: flatten(message),
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
        ...(subject.cost && { cost: costRow(subject.cost, symbol) }),
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

/** An address short enough for a line, with both ends to compare. */
export function short(address: string): string {
  return `${address.slice(0, 6)}…${address.slice(-4)}`
}

function titleOf(call: CallRequest, symbol: string, sends: boolean): string {
  const verb = sends ? 'Send' : 'Sign, not send,'
  const decoded = decodeCall(call.data)
  if (!call.to) return sends ? 'Deploy a contract' : 'Sign a deployment'
  if (decoded?.name) return `Call ${decoded.name}`
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
      value: value.startsWith('0x') && value.length === 42 ? short(value) : value,
    })),
    ...(decoded ? [{ label: 'Data', value: `${decoded.selector} · ${decoded.bytes} bytes` }] : []),
  ]
}

function warningOf(calls: readonly CallRequest[]): { warning?: string } {
  const decoded = calls.map((call) => decodeCall(call.data))
  if (decoded.some((call) => call?.args.some(({ value }) => value === 'Unlimited'))) {
    return { warning: 'It allows unlimited spending, now or later.' }
  }
  if (decoded.some((call) => call && !call.name)) {
    return { warning: 'The wallet cannot say what this does.' }
  }
  return {}
}

async function costRow(cost: Promise<Cost>, symbol: string): Promise<Row> {
  try {
    const known = await cost
    const price = known.type === 'legacy' ? known.gasPrice : known.maxFeePerGas
    const atMost = Number(formatEther(known.gas * price)).toPrecision(2)
    return {
      label: 'Gas, at most',
      value: `${atMost} ${symbol} · ${Number(formatGwei(price)).toPrecision(3)} gwei`,
    }
  } catch (error) {
    return { label: 'It would fail', value: error instanceof Error ? error.message : String(error) }
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
    return [{ label: path, value: /^0x[\da-f]{40}$/i.test(text) ? short(text) : text }]
  }
  return Object.entries(value).flatMap(([name, child]) =>
    flatten(child, path ? `${path}.${name}` : name),
  )
}
