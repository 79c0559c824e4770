import { formatEther, formatGwei, type Hex, hexToBytes, isAddress, maxUint256 } from 'viem'
import type { Controls } from '../createControls.ts'
import type { PendingRequest } from '../provider/createApprovals.ts'
import type { CallRequest } from '../provider/params.ts'
import type { Cost } from '../provider/transactions.ts'
import { decodeCall } from './decodeCall.ts'

export type Row = { label: string; value: string }
/** The fee row; `isError` if the transaction would fail. */
export type CostRow = Row & { isError: boolean }

/** A request as displayed for approval. */
export type Content = {
  title: string
  /** A hint below the details. */
  line?: string
  rows: readonly Row[]
  /** The message to sign, as text, or as hex if it is not readable text. */
  text?: string
  /** The data to sign or send, field by field. */
  fields?: readonly Row[]
  warning?: string
  /** The fee row; resolves once the chain has responded. */
  cost?: Promise<CostRow>
}

/** Describes a pending request for the user who approves it. */
export function describeRequest(
  request: PendingRequest,
  { chains, accounts, account }: Pick<Controls, 'chains' | 'accounts' | 'account'>,
): Content {
  const { details } = request
  const chainOf = (id: number) => chains.find((chain) => chain.id === id)
  const nameOf = (id: number) => chainOf(id)?.name ?? `Chain ${id}`
  switch (details?.kind) {
    case 'connect':
      return {
        title: 'Connect to this site',
        line: 'This site can request signatures. It can’t sign without your approval.',
        rows: accounts.map((address, index) => ({
          label: index === account ? 'Shared account' : 'Also shared',
          value: short(address),
        })),
      }
    case 'message': {
      const text = readText(details.message)
      return {
        title: 'Sign a message',
        rows: [{ label: 'Account', value: short(details.account) }],
        text: text ?? details.message,
        ...(text === undefined && {
          warning: 'This message isn’t readable text. Approve it only if you trust the site.',
        }),
      }
    }
    case 'typedData': {
      const { domain, message, primaryType } = details.typedData
      const fields = flatten(message)
      return {
        title: `Sign ${primaryType}`,
        rows: [
          { label: 'Account', value: short(details.account) },
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
      const symbol = chainOf(details.chainId)?.nativeCurrency?.symbol ?? 'ETH'
      const [only] = details.calls
      const single = details.calls.length === 1 && only ? only : undefined
      return {
        title: single
          ? titleOf(single, symbol, details.sends)
          : `Run ${details.calls.length} calls`,
        rows: [
          { label: 'Account', value: short(details.account) },
          { label: 'Network', value: nameOf(details.chainId) },
        ],
        fields: details.calls.flatMap((call, index) =>
          rowsOf(call, symbol).map(({ label, value }) => ({
            label: single ? label : `${index + 1} · ${label}`,
            value,
          })),
        ),
        ...warningOf(details.calls),
        ...(details.cost && { cost: costRow(details.cost, only?.value ?? 0n, symbol) }),
      }
    }
    case 'switchChain':
      return {
        title: `Switch to ${nameOf(details.chainId)}`,
        line: 'This site’s next requests will use this network.',
        rows: [{ label: 'Network', value: `${nameOf(details.chainId)} · ${details.chainId}` }],
      }
    case 'addChain':
      return {
        title: `Add ${details.chain.name ?? `chain ${details.chain.id}`}`,
        line: 'The wallet will connect to this network’s RPC server.',
        rows: [
          { label: 'Chain ID', value: String(details.chain.id) },
          { label: 'RPC URL', value: details.chain.rpcUrl },
          { label: 'Currency', value: details.chain.nativeCurrency?.symbol ?? 'ETH' },
        ],
      }
    case 'watchAsset':
      return {
        title: `Add ${details.symbol}`,
        line: 'Anyone can create a token with any name. Check its address.',
        rows: [{ label: 'Token', value: short(details.address) }],
      }
    default:
      return { title: request.method, rows: [] }
  }
}

const unlimited = 'This allows unlimited spending of your tokens.'

/** Titles of common functions. */
const titles: Readonly<Record<string, string>> = {
  approve: 'Approve token spending',
  burn: 'Burn tokens',
  deposit: 'Wrap coins',
  mint: 'Mint tokens',
  permit: 'Approve token spending',
  setApprovalForAll: 'Approve all tokens',
  transfer: 'Send tokens',
  withdraw: 'Unwrap coins',
}

/** Shortens an address to its first and last characters. */
export function short(address: string): string {
  return `${address.slice(0, 6)}…${address.slice(-4)}`
}

function titleOf(call: CallRequest, symbol: string, sends: boolean): string {
  const decoded = decodeCall(call.data)
  if (!call.to) return sends ? 'Deploy a contract' : 'Sign a deployment'
  if (decoded?.name) return titles[decoded.name] ?? `Call ${decoded.name}`
  if (call.data && call.data !== '0x') return 'Call an unknown contract'
  const amount = `${formatEther(call.value ?? 0n)} ${symbol}`
  return sends ? `Send ${amount}` : `Sign a transfer of ${amount}`
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
    return { warning: 'This wallet can’t decode this call. Approve it only if you trust the site.' }
  }
  return {}
}

async function costRow(cost: Promise<Cost>, valueWei: bigint, symbol: string): Promise<CostRow> {
  try {
    const { gas, fees, balance } = await cost
    const price = fees.type === 'legacy' ? fees.gasPrice : fees.maxFeePerGas
    if (valueWei + gas * price > balance) {
      const has = Number(formatEther(balance)).toPrecision(6)
      return {
        label: `Not enough ${symbol}`,
        value: `Balance: ${Number(has)} ${symbol}`,
        isError: true,
      }
    }
    const atMost = Number(formatEther(gas * price)).toPrecision(2)
    const gwei = Number(formatGwei(price)).toPrecision(3)
    return { label: 'Maximum fee', value: `${atMost} ${symbol} · ${gwei} gwei`, isError: false }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return { label: 'Transaction will fail', value: reason, isError: true }
  }
}

/** The bytes as text; `undefined` if they are not readable UTF-8. */
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
