import type {
  Adapter,
  AdapterEvent,
  AdapterFactory,
  Call,
  CallsState,
  PermitTerms,
  SwapCall,
  TransactionRequest,
  TransactionState,
  TypedData,
} from '../connection/Adapter.ts'
import type { Connection } from '../connection/Connection.ts'
import type { Connector, ConnectorInfo } from '../connection/Connector.ts'
import type { Session, SessionState } from '../connection/Session.ts'
import { ConnectError, UnsupportedOperationError, UserRejectedError } from '../kit/errors.ts'
import { DisconnectError, TransactionError, WrongHashError } from '../kit/requestErrors.ts'

/**
 * An adapter without a chain, for tests and for view states that are hard to reach. The flags in `faults`
 * trigger failures. Messages are signed with `signature`.
 */
export function memoryAdapter(options: memoryAdapter.Options = {}) {
  const listed: readonly ConnectorInfo[] = options.connectors ?? [
    {
      id: 'dev.gatefold.halyard',
      name: 'Halyard',
      type: 'ANNOUNCED',
      chain: 'eip155',
      info: { rdns: 'dev.gatefold.halyard' },
    },
    {
      id: 'dev.gatefold.nacre',
      name: 'Nacre',
      type: 'ANNOUNCED',
      chain: 'eip155',
      info: { rdns: 'dev.gatefold.nacre' },
    },
  ]
  const addresses = options.addresses ?? [
    '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
    '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
  ]
  const connectors: readonly Connector[] = listed.map((info) => ({
    ...info,
    async connect({ network, signal }) {
      control.requested.push(info.id)
      await prompt()
      signal?.throwIfAborted()
      if (network) control.chainId = Number(network.id)
      return sessionOf(info.id)
    },
    async restore() {
      await Promise.resolve()
      await hang(control.faults.hang)
      if (control.faults.reconnect) throw new ConnectError()
      return sessionOf(info.id)
    },
  }))
  const connections = new Map<string, Connection>()
  let emit: (event: AdapterEvent) => void = () => {}
  let release: () => void = () => {}

  const control = {
    ids: connectors.map(({ id }) => id) as [string, string],
    requested: [] as string[],
    chainId: 1 as number,
    released: false,
    destroyed: false,
    balance: { balance: '2.4819', symbol: 'ETH', value: 2_481_900_000_000_000_000n, decimals: 18 },
    identity: { name: undefined as string | undefined, avatar: undefined as string | undefined },
    faults: {
      reject: false,
      fail: false,
      hang: false,
      /** As `hang`, for the checks of transfers. */
      hangCheck: false,
      disconnect: false,
      reconnect: false,
      balance: false,
      prepare: false,
      typedData: false,
      /** Typed data is signed with another account's key. */
      otherKey: false,
      /** Transactions are sent, but no hash is returned. */
      noHash: false,
      /** Every transaction has the hash of the first one. */
      sameHash: false,
    },
    /** Whether a fault holds a request. */
    isHanging: false,
    /** The hash of the first transaction; those of later ones end with their number. */
    hash: `0x${'8c1f'.repeat(16)}`,
    isContract: false,
    /** Who pays the fees of transfers. */
    feePayer: 'account' as 'account' | 'sponsor' | 'unknown',
    names: {} as Record<string, string>,
    /** Receipts are reverted with this reason. */
    revertReason: undefined as string | undefined,
    /**
     * By hash, what `readTransaction` returns, or the error that it throws.
     * Other transactions are in a block.
     */
    transactions: {} as Record<string, TransactionState | Error>,
    /** The hashes that were read. */
    reads: [] as string[],
    /** What `replaceTransaction` returns. */
    replacement: { hash: `0x${'4b0d'.repeat(16)}`, isReplacement: true },
    /** The requested replacements. */
    replaced: [] as object[],
    sent: [] as TransactionRequest[],
    /** The messages that were signed. */
    signed: [] as string[],
    signature: '0x',
    /** The typed data that was signed, and the signature. */
    typedData: [] as TypedData[],
    typedSignature: '0x712',
    /** The permit terms of tokens; if unset, tokens do not support permits. */
    permit: undefined as PermitTerms | undefined,
    /**
     * The wallet's support for atomic batches, or the error that it throws. If
     * unset, it does not support the request.
     */
    atomic: undefined as 'supported' | 'ready' | 'unsupported' | Error | undefined,
    /** The wallet rejects batches, even if it reports support for them. */
    refusesBatches: false,
    /** The batches for whose fee the wallet was asked. */
    feesOf: [] as (readonly Call[])[],
    /** The fee that the wallet returns for a batch. */
    callsFee: undefined as bigint | undefined,
    /** The batches that were sent. */
    batches: [] as { calls: readonly Call[]; isAtomic?: boolean | undefined }[],
    /**
     * By id, what `readCalls` returns, or the error that it throws. Other
     * batches were executed.
     */
    callsStates: {} as Record<string, CallsState | Error>,
    /** Contracts of swaps that are not known. */
    unknownContracts: [] as string[],
    address: (index: number) => addresses[index] ?? addresses[0]!,
    emit: (event: AdapterEvent) => emit(event),
    release: () => release(),
    factory: undefined as unknown as AdapterFactory,
  }

  const isKnown = (contract: string) => !control.unknownContracts.includes(contract)
  function connection(connectorId: string): Connection {
    const index = connectors.findIndex(({ id }) => id === connectorId)
    return {
      connectorId,
      accounts: [{ namespace: 'eip155', address: control.address(index), type: 'eoa' }],
      caipNetworkId: `eip155:${control.chainId}`,
    }
  }
  function sessionOf(connectorId: string): Session {
    const { accounts, caipNetworkId } = connection(connectorId)
    const info = connectors.find(({ id }) => id === connectorId)
    const state: SessionState = {
      id: connectorId,
      connectorId,
      peer: { name: info?.name ?? connectorId },
      grants: {
        eip155: {
          accounts: accounts.map(({ address }) => ({ address, caipNetworkId: caipNetworkId! })),
          networkIds: [caipNetworkId!],
          methods: [],
        },
      },
      method: 'browser',
    }
    return {
      connectorId,
      getState: () => state,
      provider: async () => ({}),
      subscribe: () => () => {},
    }
  }
  async function hang(isFault: boolean): Promise<void> {
    if (!isFault) return
    control.isHanging = true
    await new Promise<void>((resolve) => {
      release = resolve
    })
    control.isHanging = false
  }
  async function prompt(): Promise<void> {
    const { faults } = control
    await hang(faults.hang)
    if (faults.reject) throw new UserRejectedError()
    if (faults.fail) throw new ConnectError({ details: 'The wallet failed.' })
  }

  let hashes = 0
  function nextHash(): string {
    if (control.faults.noHash) throw new WrongHashError()
    const number = hashes++
    if (number === 0 || control.faults.sameHash) return control.hash
    return `${control.hash.slice(0, -4)}${String(number).padStart(4, '0')}`
  }

  control.factory = {
    namespace: 'eip155',
    create(context) {
      emit = (event) => context.emit(event)
      const adapter: Adapter = {
        namespace: 'eip155',
        start: () => emit({ type: 'connectors', connectors }),
        preload: async () => {},
        async attach({ session, active }) {
          const { connectorId } = session
          const attached = connection(connectorId)
          connections.set(connectorId, attached)
          emit({ type: 'connected', connection: attached, active })
        },
        detach({ connectorId }) {
          if (connections.delete(connectorId)) emit({ type: 'disconnected', connectorId })
        },
        async disconnect(parameters) {
          if (control.faults.disconnect) throw new DisconnectError()
          control.released = true
          const ids = parameters?.connectorId ? [parameters.connectorId] : [...connections.keys()]
          for (const connectorId of ids) {
            connections.delete(connectorId)
            emit({ type: 'disconnected', connectorId })
          }
        },
        async switchConnection({ connectorId }) {
          emit({ type: 'activated', connectorId })
        },
        async switchNetwork({ network }) {
          await prompt()
          control.chainId = Number(network.id)
          for (const connectorId of connections.keys())
            emit({ type: 'chainChanged', connectorId, caipNetworkId: network.caipNetworkId })
        },
        actions: async () => ({
          async getBalance() {
            if (control.faults.balance) throw new ConnectError({ details: 'No answer.' })
            return control.balance
          },
          async signMessage({ message }) {
            await prompt()
            control.signed.push(message)
            return control.signature
          },
          async sendTransaction(request) {
            await prompt()
            control.sent.push(request)
            return nextHash()
          },
          typedData: {
            async signTypedData({ typedData }) {
              await prompt()
              if (control.faults.typedData) throw new UnsupportedOperationError('signTypedData')
              control.typedData.push(typedData)
              return control.typedSignature
            },
          },
          transfers: {
            parseAddress: async (text) =>
              /^0x[0-9a-f]{40}$/i.test(text) ? { address: text } : { problem: 'short' },
            async prepareTransfer({ token }) {
              await hang(control.faults.hangCheck)
              if (control.faults.prepare) throw new TransactionError('The transfer would fail')
              return {
                gas: token ? 50_000n : 21_000n,
                fee: {
                  account: token ? 1_900_000_000_000_000n : 800_000_000_000_000n,
                  sponsor: 0n,
                  unknown: undefined,
                }[control.feePayer],
                isContract: control.isContract,
              }
            },
            async sendTransfer() {
              await prompt()
              return nextHash()
            },
          },
          swaps: {
            readApproval: async ({ data }) => {
              const approval = readApproval(data)
              return approval && { ...approval, isKnown: isKnown(approval.spender) }
            },
            readSwap: async ({ to, data }) => {
              const call = readSwap(data)
              return call && { ...call, isKnown: isKnown(to) }
            },
            readPermit: async () => control.permit,
            isSigner: async () => !control.faults.otherKey,
          },
          receipts: {
            async waitForReceipt({ hash }) {
              const { revertReason: reason } = control
              if (reason) return { hash, status: 'reverted', blockNumber: 1n, reason }
              return { hash, status: 'success', blockNumber: 1n }
            },
          },
          pending: {
            async readTransaction({ hash }) {
              control.reads.push(hash)
              const state = control.transactions[hash]
              if (state instanceof Error) throw state
              if (state) return state
              const { revertReason: reason } = control
              const mined = { blockNumber: 1n, fee: 21_000_000_000_000n }
              return reason
                ? { ...mined, status: 'reverted', reason }
                : { ...mined, status: 'success' }
            },
            async replaceTransaction(request) {
              await prompt()
              control.replaced.push(request)
              if (control.faults.noHash) throw new WrongHashError()
              return control.replacement
            },
          },
          batch: {
            async getCapabilities() {
              const { atomic } = control
              if (atomic instanceof Error) throw atomic
              if (!atomic) throw new UnsupportedOperationError('wallet_getCapabilities')
              return { [`0x${control.chainId.toString(16)}`]: { atomic: { status: atomic } } }
            },
            async sendCalls({ calls, isAtomic }) {
              await prompt()
              if (control.refusesBatches) throw new UnsupportedOperationError('wallet_sendCalls')
              control.batches.push({ calls, isAtomic })
              return { id: `calls-${nextHash()}` }
            },
            getCallsStatus: async ({ id }) => ({ id, status: 200 }),
            async readCalls({ id }) {
              control.reads.push(id)
              const state = control.callsStates[id]
              if (state instanceof Error) throw state
              return state ?? { status: 'success', hash: control.hash, fee: 21_000_000_000_000n }
            },
            async readFee({ calls }) {
              control.feesOf.push(calls)
              return control.callsFee
            },
          },
          identity: {
            getIdentity: async ({ found }) => found ?? control.identity,
            resolveName: async ({ name }) => control.names[name],
          },
        }),
        getProvider: async () => ({}),
        destroy() {
          control.destroyed = true
        },
      }
      return adapter
    },
  }
  return control
}

/** `approve(address,uint256)` in call data. */
function readApproval(data: string): { spender: string; amount: bigint } | undefined {
  const [, spender, amount] = /^0x095ea7b30{24}([0-9a-f]{40})([0-9a-f]{64})$/i.exec(data) ?? []
  return spender && amount ? { spender: `0x${spender}`, amount: BigInt(`0x${amount}`) } : undefined
}

/** A swap in call data, as JSON in hex. */
function readSwap(data: string): Omit<SwapCall, 'isKnown'> | undefined {
  try {
    const bytes = data.slice(2).replace(/../g, '%$&')
    const call = JSON.parse(decodeURIComponent(bytes)) as Record<
      Exclude<keyof SwapCall, 'permit' | 'isKnown'>,
      string
    > & { permit?: Record<'token' | 'amount' | 'deadline', string> }
    return {
      ...call,
      amount: BigInt(call.amount),
      minimum: BigInt(call.minimum),
      isNative: Boolean(call.isNative),
      deadline: call.deadline === undefined ? undefined : BigInt(call.deadline),
      permit: call.permit && {
        ...call.permit,
        amount: BigInt(call.permit.amount),
        deadline: BigInt(call.permit.deadline),
      },
    }
  } catch {
    return undefined
  }
}

export declare namespace memoryAdapter {
  type Options = { connectors?: readonly ConnectorInfo[]; addresses?: readonly string[] }
}
