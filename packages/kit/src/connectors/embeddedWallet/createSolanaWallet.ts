import type { CaipNetworkId } from '@gatefold/protocol'
import { base58 } from '@scure/base'
import * as v from 'valibot'

import { ProviderRpcError } from '../../core/connection/ProviderRpcError.ts'
import type { SessionGrant } from '../../core/connection/Session.ts'
import { NotConnectedError } from '../../core/kit/requestErrors.ts'
import type { ProviderSource } from '../ProviderSource.ts'
import type {
  SolanaAccount,
  SolanaAccounts,
  SolanaTransactionInput,
  SolanaWallet,
} from './SolanaWallet.ts'

/** The names that the Wallet Standard has for Solana's clusters, by CAIP-2 id. */
const clusters: Readonly<Record<string, `solana:${string}`>> = {
  'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp': 'solana:mainnet',
  'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1': 'solana:devnet',
  'solana:4uhcVJyU9pJkvQyS88uRDiswHXSCkY3z': 'solana:testnet',
}

const icon = `data:image/svg+xml;base64,${btoa(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#343a46"/><path d="M7 8h15v2H7zm0 4h18v12H7z" fill="#fff"/><path d="M20 16h5v4h-5z" fill="#343a46"/></svg>',
)}` as const

const features = [
  'solana:signAndSendTransaction',
  'solana:signMessage',
  'solana:signTransaction',
] as const

const Bytes = v.pipe(
  v.string(),
  v.rawTransform(({ dataset, addIssue, NEVER }) => {
    try {
      return base58.decode(dataset.value)
    } catch {
      addIssue({ message: 'must be base58' })
      return NEVER
    }
  }),
)
const Signature = v.object({ signature: Bytes })
const Signed = v.object({ transaction: Bytes })
const AllSigned = v.object({ transactions: v.array(Bytes) })

/**
 * A session's wallet on Solana, with the interface of a Wallet Standard wallet. Its account and networks are those that
 * the session grants.
 *
 * @see https://github.com/anza-xyz/wallet-standard for the features `solana:*`; docs/contracts/frame.md#solana
 */
export function createSolanaWallet(source: ProviderSource): SolanaWallet {
  const listeners = new Set<(properties: SolanaAccounts) => void>()
  let hasEnded = false
  let last: { grant: SessionGrant; accounts: readonly SolanaAccount[] } | undefined

  function grant(): SessionGrant {
    const { solana } = source.getState().grants
    if (!solana) throw new NotConnectedError()
    return solana
  }

  /** The accounts, as the same objects until the session changes. */
  function accounts(): readonly SolanaAccount[] {
    if (hasEnded) return []
    const now = grant()
    if (last?.grant === now) return last.accounts
    const addresses = [...new Set(now.accounts.map(({ address }) => address))]
    const chains = now.networkIds.map(toChain)
    const all = addresses.map((address) => ({
      address,
      publicKey: base58.decode(address),
      chains,
      features,
    }))
    last = { grant: now, accounts: all }
    return all
  }

  function assertAccount({ address }: SolanaAccount): void {
    if (!accounts().some((account) => account.address === address))
      throw new ProviderRpcError(4100, `${address} is not an account of this wallet.`)
  }

  /** The network of the inputs, which must be the same for all of them. */
  function networkOf(inputs: readonly SolanaTransactionInput[]): CaipNetworkId.CaipNetworkId {
    const { networkIds } = grant()
    const asked = [...new Set(inputs.map(({ chain }) => chain))]
    if (asked.length > 1)
      throw new ProviderRpcError(
        -32602,
        'Transactions that are signed together must have the same `chain`.',
      )
    const [chain] = asked
    const found =
      chain === undefined
        ? (source.activeNetwork('solana')?.caipNetworkId ?? networkIds[0])
        : networkIds.find((id) => id === chain || toChain(id) === chain)
    if (!found)
      throw new ProviderRpcError(
        4901,
        `The wallet is not connected to ${chain}. Its networks: ${networkIds.map(toChain).join(', ')}.`,
      )
    return found
  }

  async function request<Schema extends v.GenericSchema>(
    chainId: CaipNetworkId.CaipNetworkId,
    method: string,
    params: unknown,
    schema: Schema,
  ): Promise<v.InferOutput<Schema>> {
    const reply = v.safeParse(
      schema,
      await source.request({ chainId, request: { method, params } }),
    )
    if (reply.success) return reply.output
    throw new ProviderRpcError(-32603, `The wallet sent an invalid reply to ${method}.`)
  }

  const report = () => {
    for (const listener of listeners) listener({ accounts: accounts() })
  }
  source.onChange(report)
  source.onEnd(() => {
    hasEnded = true
    report()
  })

  return {
    version: '1.0.0',
    name: source.getState().peer.name,
    icon,
    get chains() {
      return hasEnded ? [] : grant().networkIds.map(toChain)
    },
    get accounts() {
      return accounts()
    },
    features: {
      'standard:connect': {
        version: '1.0.0',
        async connect() {
          if (hasEnded) throw new NotConnectedError()
          return { accounts: accounts() }
        },
      },
      'standard:events': {
        version: '1.0.0',
        on(_event, listener) {
          listeners.add(listener)
          return () => void listeners.delete(listener)
        },
      },
      'solana:signMessage': {
        version: '1.1.0',
        signMessage: (...inputs) =>
          inOrder(inputs, async ({ account, message }) => {
            assertAccount(account)
            const params = { message: base58.encode(message), pubkey: account.address }
            const { signature } = await request(
              networkOf([]),
              'solana_signMessage',
              params,
              Signature,
            )
            return { signedMessage: message, signature, signatureType: 'ed25519' }
          }),
      },
      'solana:signTransaction': {
        version: '1.0.0',
        supportedTransactionVersions: ['legacy', 0],
        async signTransaction(...inputs) {
          for (const { account } of inputs) assertAccount(account)
          const chainId = networkOf(inputs)
          const [transaction, ...others] = inputs.map((input) => base58.encode(input.transaction))
          if (transaction === undefined) return []
          if (others.length === 0) {
            const params = { transaction }
            const reply = await request(chainId, 'solana_signTransaction', params, Signed)
            return [{ signedTransaction: reply.transaction }]
          }
          const params = { transactions: [transaction, ...others] }
          const reply = await request(chainId, 'solana_signAllTransactions', params, AllSigned)
          return reply.transactions.map((signedTransaction) => ({ signedTransaction }))
        },
      },
      'solana:signAndSendTransaction': {
        version: '1.0.0',
        supportedTransactionVersions: ['legacy', 0],
        signAndSendTransaction: (...inputs) =>
          inOrder(inputs, async (input) => {
            const { account, transaction, options } = input
            assertAccount(account)
            // The frame sends a transaction, and does not follow it.
            if (options && 'commitment' in options)
              throw new ProviderRpcError(
                -32602,
                'The wallet does not wait for a confirmation. Omit `commitment`, and request the status of the signature from a node.',
              )
            return request(
              networkOf([input]),
              'solana_signAndSendTransaction',
              { transaction: base58.encode(transaction), ...(options && { options }) },
              Signature,
            )
          }),
      },
    },
  }
}

/** A network's name in the Wallet Standard. */
function toChain(caipNetworkId: CaipNetworkId.CaipNetworkId): `${string}:${string}` {
  return clusters[caipNetworkId] ?? caipNetworkId
}

/** Handles one input after another: the visitor approves them one by one, and a refusal ends the rest. */
async function inOrder<Input, Output>(
  inputs: readonly Input[],
  handle: (input: Input) => Promise<Output>,
): Promise<Output[]> {
  const outputs: Output[] = []
  for (const input of inputs) outputs.push(await handle(input))
  return outputs
}
