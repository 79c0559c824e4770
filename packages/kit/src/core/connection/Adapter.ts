import type { CaipNetworkId, ChainNamespace } from '@gatefold/protocol'

import { UnsupportedOperationError } from '../kit/errors.ts'
import type { Network } from '../networks/Network.ts'
import type { AlertEvent } from '../notifications/alerts.ts'
import type { KeyValueStorage } from '../storage/storage.ts'
import type { Account, Connection } from './Connection.ts'
import type { Connector, SessionConnector } from './Connector.ts'
import type { Session, SessionState } from './Session.ts'

/** An element of `createGatefold({ adapters })`. It is a factory, so that one `evm()` can serve two instances. */
export type AdapterFactory = {
  /** The chain family that the adapter serves. */
  readonly namespace: ChainNamespace.ChainNamespace
  /** The wallet methods that the adapter calls; session connectors request permission for them. */
  readonly methods?: readonly string[] | undefined
  /** Creates the adapter, without using the network or the DOM; `start` may use both. */
  create(context: AdapterContext): Adapter
}

/** The instance as an adapter sees it. */
export type AdapterContext = {
  /** The configured networks of the adapter's namespace; read on every call. */
  networks(): readonly Network[]
  /** The network to use until another is selected; read on every call. */
  defaultNetwork(): Network | undefined
  /** Persistent key-value storage; its keys have this instance's prefix. */
  storage: KeyValueStorage
  /** The instance's connectors that serve this namespace. Does not include the adapter's own connectors. */
  connectors(): readonly SessionConnector[]
  /** The session of a connector, or undefined once it has ended. */
  session(connectorId: string): SessionState | undefined
  /** Reports wallet changes to the core. Never called after `destroy`. */
  emit(event: AdapterEvent): void
  /** The options of `createGatefold` that adapters use. */
  options: {
    /**
     * Whether pages are first rendered on a server. If so, storage and wallets are not read before
     * `start`.
     */
    ssr: boolean
    /** Whether wallets that announce themselves (EIP-6963) are offered. */
    eip6963: boolean
    /** Whether the generic injected provider is offered. */
    injected: boolean
  }
}

/** Wallet changes, in order. Idempotent: a repeated event changes nothing. */
export type AdapterEvent =
  /** All connectors that the adapter offers. */
  | {
      type: 'connectors'
      /** In the order in which they are listed. */ connectors: readonly Connector[]
    }
  /** A wallet was connected, or its connection changed. */
  | {
      type: 'connected'
      /** The wallet's accounts and chain. */
      connection: Connection
      /** Whether the connection becomes the active one. */
      active: boolean
    }
  /** The accounts that the wallet shares changed. */
  | {
      type: 'accountsChanged'
      /** Id of the connector. */
      connectorId: string
      /** All accounts that the wallet now shares. */
      accounts: readonly Account[]
    }
  /** The wallet switched its chain. */
  | {
      type: 'chainChanged'
      /** Id of the connector. */
      connectorId: string
      /** The wallet's chain; may be one that the site has not configured. */
      caipNetworkId: CaipNetworkId.CaipNetworkId
    }
  /** Another connection became the active one. */
  | { type: 'activated'; /** Id of the connector. */ connectorId: string }
  /** While no wallet is connected, the site selected another network to read from. */
  | { type: 'networkSelected'; /** The network. */ caipNetworkId: CaipNetworkId.CaipNetworkId }
  /** A wallet was disconnected. */
  | { type: 'disconnected'; /** Id of the connector. */ connectorId: string }
  /** The site is misconfigured. */
  | AlertEvent

/** One call of a batch (EIP-5792). */
export type Call = {
  /** The contract or account to call. */
  to: `0x${string}`
  /** The call data. */
  data?: `0x${string}` | undefined
  /** The amount to send, in the chain's smallest unit. */
  value?: bigint | undefined
}

/** A transaction to send from the active account. */
export type TransactionRequest = {
  /** The receiving address. */
  to: string
  /**
   * The amount to send, an integer in the chain's smallest unit. A fraction throws; text that is not a number counts
   * as zero.
   */
  value?: bigint | string | undefined
  /** The call data. */
  data?: `0x${string}` | undefined
  /** The gas limit; by default estimated. */
  gas?: bigint | undefined
  /** The gas price in the chain's smallest unit; by default set by the wallet. */
  gasPrice?: bigint | undefined
  /** The network to send on; by default the active one. */
  caipNetworkId?: CaipNetworkId.CaipNetworkId | undefined
}

/** A transfer from the active account. */
export type TransferRequest = {
  /** The network; the wallet must be on it to send. */
  network: Network
  /** Address of the token's contract; undefined for the native currency. */
  token?: string | undefined
  /** The receiving address. */
  to: string
  /** The amount in the smallest unit. */
  amount: bigint
  /** The gas limit, from `prepareTransfer`; by default estimated. */
  gas?: bigint | undefined
}

/** The estimated cost of a transfer. */
export type PreparedTransfer = {
  /** The gas limit. */
  gas: bigint
  /**
   * The highest fee that the account currently pays for it, in the smallest unit of the native currency; 0 if a sponsor pays
   * for its smart account. Undefined if only the wallet knows the fee.
   */
  fee: bigint | undefined
  /** Whether the receiving address is a contract. */
  isContract: boolean
}

/** An address, or what is wrong with the text. */
export type ParsedAddress =
  | {
      /** The address in the family's usual form. */
      address: string
    }
  | {
      /**
       * `checksum`: the case of the letters does not match the checksum, so a
       * character is probably wrong.
       */
      problem: 'short' | 'long' | 'characters' | 'checksum'
    }

/** The result of a transaction that is in a block. */
export type Receipt = {
  /** The transaction's hash. */
  hash: string
  /** Whether the transaction succeeded or was reverted. */
  status: 'success' | 'reverted'
  /** The number of the block that contains it. */
  blockNumber: bigint
  /** If the transaction reverted: the revert reason, or 'unknown reason'. */
  reason?: string | undefined
}

/**
 * Identifies a pending transaction even after another transaction has replaced
 * it. Opaque to the core, except for the nonce.
 */
export type TransactionMark = {
  /** The transaction's nonce. */
  nonce: number
  /** The number of a block before the transaction. */
  block: number
  /** A digest of the transaction's content. */
  content: string
}

/** The status of a submitted transaction. */
export type TransactionState =
  | {
      /** The network knows the transaction, but no block contains it. */
      status: 'pending'
      /** To pass to the next call. */
      mark: TransactionMark
    }
  | {
      /** The network does not know the transaction, and its nonce is unused. */
      status: 'missing'
    }
  | {
      /** The transaction is in a block, and succeeded or was reverted. */
      status: 'success' | 'reverted'
      /** The number of the block. */
      blockNumber: bigint
      /**
       * The fee that the account paid, in the smallest unit of the native currency; 0 if a sponsor paid for its smart
       * account. Undefined if another account paid it.
       */
      fee: bigint | undefined
      /** If the transaction was reverted: the reason, or 'unknown reason'. */
      reason?: string | undefined
    }
  | {
      /** A block contains another transaction with the same nonce. */
      status: 'replaced'
      /**
       * `repriced`: the same transaction with other fees; `canceled`: a
       * transaction that does nothing.
       */
      how: 'repriced' | 'canceled' | 'replaced'
      /**
       * The hash of the replacing transaction; undefined if it could not be
       * found.
       */
      hash?: string | undefined
    }

/** The outcome of a batch of calls. */
export type CallsState =
  /** The wallet has not executed it yet. */
  | { status: 'pending' }
  /** The wallet does not know it. */
  | { status: 'missing' }
  /** The wallet will not execute it. */
  | { status: 'dropped' }
  | {
      /** It was executed, completely or not. */
      status: 'success' | 'reverted'
      /** The hash of the transaction; undefined if the wallet does not name it. */
      hash?: string | undefined
      /** What the account paid, in the smallest unit of the native currency; undefined if another account paid. */
      fee?: bigint | undefined
      /** If it was reverted: the reason, or 'unknown reason'. */
      reason?: string | undefined
    }

/** A native balance. */
export type Balance = {
  /** In whole units, as a decimal string. */
  balance: string
  /** The currency's symbol, such as `ETH`. */
  symbol: string
  /** In the smallest unit. */
  value: bigint
  /** Number of decimals of a whole unit. */
  decimals: number
  /** URL of the token's image, from the option `tokens`. */
  image?: string | undefined
  /** Set if the balance could not be read; `balance` is then '0.00', and on EVM the symbol ETH. */
  error?: unknown
}

/**
 * A chain family: its wallets and connections, and the actions of its accounts.
 * Methods reject with a `BaseError`, which is a `UserRejectedError` if the visitor declined.
 */
export type Adapter = {
  /** The chain family. */
  readonly namespace: ChainNamespace.ChainNamespace
  /** Discovers wallets and subscribes to their changes. Idempotent. */
  start(): void
  /**
   * Loads the code for connecting and signing, so that a click does not wait for it; with a connector,
   * the code for attaching its session.
   */
  preload(parameters?: ConnectorParameters): Promise<void>
  /**
   * Connects the session's accounts of this family and subscribes to the session's provider. Idempotent.
   */
  attach(parameters: {
    /** The session. */
    session: Session
    /** Whether the connection becomes the active one. */
    active: boolean
    /** Whether the session is from an earlier visit. It is then ignored if the wallet is already connected. */
    restored?: boolean
  }): Promise<void>
  /** Removes a connection without sending a request to the wallet. */
  detach(parameters: Required<ConnectorParameters>): void
  /**
   * Disconnects one connector or, without an id, all connectors of this family, and notifies the
   * wallets.
   */
  disconnect(parameters?: ConnectorParameters): Promise<void>
  /** Makes another connection the active one. */
  switchConnection(parameters: Required<ConnectorParameters>): Promise<void>
  /** Requests a network switch; adds the chain if the wallet does not know it. */
  switchNetwork(
    parameters: ConnectorParameters & {
      /** The network to switch to. */
      network: Network
    },
  ): Promise<void>
  /** The actions of the family's accounts. Loaded on first use. */
  actions(): Promise<Actions>
  /** The wallet's provider for a connection: EIP-1193 on EVM. Undefined if the wallet has left the page. */
  getProvider(parameters?: ConnectorParameters): Promise<unknown>
  /** Called with true before the first session from an earlier visit is attached, and with false after the last. */
  restoring?(active: boolean): void
  /** Called after networks were added or removed. */
  networksChanged?(): void
  /** Called when another network becomes active. Without a wallet, the adapter reads from it. */
  networkSelected?(network: Network): void
  /** Removes all listeners and timers. */
  destroy(): void
}

/** Selects a connection of a chain family. */
export type ConnectorParameters = {
  /** Id of the connector; by default that of the active connection. */
  connectorId?: string | undefined
}

/** The actions of a chain family's accounts: three that every family has, and capabilities that only some have. */
export type Actions = {
  /** The balance of an address. */
  getBalance(
    parameters: AddressOnNetwork & {
      /** The address of a token's contract; by default the native currency. */
      token?: string | undefined
    },
  ): Promise<Balance>
  /** Signs a message, by default with the active account, and returns the signature. */
  signMessage(parameters: {
    /** The text. */
    message: string
    /** The account that signs. */
    address?: string | undefined
  }): Promise<string>
  /** Sends a transaction and returns its hash. */
  sendTransaction(parameters: TransactionRequest): Promise<string>
} & Partial<Capabilities>

/** An address and the network to read it from. */
export type AddressOnNetwork = {
  /** The address. */
  address: string
  /** The network. */
  network: Network
}

/** Capabilities that only some chain families have, by name. */
export type Capabilities = {
  /** Names and avatars stored on the chain (ENS). */
  identity: {
    /** The name and avatar of an address. */
    getIdentity(
      parameters: AddressOnNetwork & {
        /**
         * The identity that the gateway has found; used if it needs no check on
         * the chain.
         */
        found?: Identity | undefined
      },
    ): Promise<Identity>
    /** Resolves a name to its address, or undefined. */
    resolveName(parameters: {
      /** The name. */
      name: string
      /** The network to resolve it on. */
      network: Network
    }): Promise<string | undefined>
  }
  /** Typed data (EIP-712). */
  typedData: {
    /** Signs typed data, by default with the active account, and returns the signature. */
    signTypedData(parameters: {
      /** The data. */
      typedData: TypedData
      /** The account that signs. */
      address?: string | undefined
    }): Promise<string>
  }
  /** Smart contracts. */
  contracts: {
    /** Estimates the gas that a transaction uses. */
    estimateGas(parameters: TransactionRequest): Promise<bigint>
    /** Simulates and sends a call of a contract function, and returns the transaction's hash. */
    writeContract(parameters: WriteContractRequest): Promise<string>
  }
  /** Transfers of the native currency and of tokens. */
  transfers: {
    /** Reads an address that the visitor has typed. */
    parseAddress(text: string): Promise<ParsedAddress>
    /** Simulates a transfer from the active account, and estimates its cost. */
    prepareTransfer(parameters: TransferRequest): Promise<PreparedTransfer>
    /** Sends a transfer and returns the transaction's hash. */
    sendTransfer(parameters: TransferRequest): Promise<string>
  }
  /**
   * Decodes swap transactions, so that they can be compared with what the
   * visitor has accepted.
   */
  swaps: {
    /** The approval in call data; undefined if it is anything else. */
    readApproval(parameters: {
      /** The call data. */
      data: `0x${string}`
      /** The network. */
      network: Network
    }): Promise<
      | {
          /** The contract that may spend. */
          spender: string
          /** The approved amount, in the token's smallest unit. */
          amount: bigint
          /**
           * Whether the contract is an official contract of the network or one
           * that the site lists.
           */
          isKnown: boolean
        }
      | undefined
    >
    /** The swap in a transaction; undefined if it is anything else. */
    readSwap(parameters: {
      /** The contract that is called. */
      to: string
      /** The call data. */
      data: `0x${string}`
      /** The amount of the native currency, in its smallest unit. */
      value: bigint
      /** The network. */
      network: Network
    }): Promise<SwapCall | undefined>
    /**
     * The domain and nonce for a permit of a token; undefined if the account
     * cannot sign one.
     */
    readPermit(parameters: TokenOwner): Promise<PermitTerms | undefined>
    /** Whether an account's own key has signed typed data. */
    isSigner(parameters: {
      /** The account's address. */
      account: string
      /** What was signed. */
      typedData: TypedData
      /** The signature, 65 bytes. */
      signature: `0x${string}`
    }): Promise<boolean>
  }
  /** Receipts of transactions. */
  receipts: {
    /** Waits until a transaction is in a block. */
    waitForReceipt(parameters: {
      /** The transaction's hash. */
      hash: string
      /** The network; by default the one on which this page sent it. */
      network?: Network | undefined
      /** How long to wait. */
      timeoutMs?: number | undefined
    }): Promise<Receipt>
  }
  /** Transactions that are not in a block yet. */
  pending: {
    /** Reads the status of a transaction once. */
    readTransaction(
      parameters: AddressOnNetwork & {
        /** The transaction's hash. */
        hash: string
        /** The mark that an earlier call returned. */
        mark?: TransactionMark | undefined
      },
    ): Promise<TransactionState>
    /**
     * Replaces a pending transaction with one that has the same nonce and
     * higher fees.
     */
    replaceTransaction(
      parameters: AddressOnNetwork & {
        /** The pending transaction's hash. */
        hash: string
        /**
         * `speedUp` sends the same transaction again; `cancel` sends an empty
         * transaction to the account itself.
         */
        how: 'speedUp' | 'cancel'
      },
    ): Promise<{
      /** The hash of the new transaction. */
      hash: string
      /** Whether the wallet has used the same nonce. If not, both transactions may be included. */
      isReplacement: boolean
    }>
  }
  /** Batches of calls (EIP-5792). */
  batch: {
    /** The wallet's capabilities, by chain. */
    getCapabilities(parameters: {
      /** The account; by default the active one. */
      address?: string | undefined
    }): Promise<Record<string, unknown>>
    /** Sends several calls as a batch. */
    sendCalls(parameters: {
      /** The calls, in order. */
      calls: readonly Call[]
      /** Capabilities to use, as EIP-5792 defines them. */
      capabilities?: Record<string, unknown> | undefined
      /** Whether the wallet has to execute all of them or none. If it cannot, nothing is sent. */
      isAtomic?: boolean | undefined
      /** CAIP-2 id of the network that the wallet has to be on. */
      caipNetworkId?: string | undefined
    }): Promise<{
      /** The id of the batch. */
      id: string
    }>
    /** The status of a batch. */
    getCallsStatus(parameters: {
      /** The id of the batch. */
      id: string
    }): Promise<Record<string, unknown>>
    /** Reads the outcome of a batch once, from the wallet that sent it. */
    readCalls(
      parameters: AddressOnNetwork & {
        /** The id of the batch. */
        id: string
        /** Id of the wallet's connector. */
        connectorId: string
      },
    ): Promise<CallsState>
    /**
     * The highest fee that the active smart account pays for a batch, in the smallest unit of the native currency; 0 if a
     * sponsor pays. Undefined if only the approval shows it.
     */
    readFee(parameters: {
      /** The calls, in order. */
      calls: readonly Call[]
      /** The network that the wallet has to be on. */
      network: Network
    }): Promise<bigint | undefined>
  }
  /**
   * Permissions and assets (ERC-7715, ERC-7811); requests are forwarded to the
   * wallet unchanged.
   */
  permissions: {
    /** Sends `wallet_grantPermissions`. */
    grantPermissions(parameters: Record<string, unknown>): Promise<unknown>
    /** Sends `wallet_revokePermissions`. */
    revokePermissions(parameters: Record<string, unknown>): Promise<unknown>
    /** Sends `wallet_getAssets`. */
    getWalletAssets(parameters: Record<string, unknown>): Promise<unknown>
  }
}

/** A swap, decoded from a transaction. */
export type SwapCall = {
  /** Address of the token to pay with; for the native currency, of a token that stands for it. */
  pay: string
  /** Address of the token to get; for the native currency, of a token that stands for it. */
  get: string
  /** The amount to pay, in its smallest unit. */
  amount: bigint
  /** The minimum amount to get, in its smallest unit. */
  minimum: bigint
  /** The account that receives the token to get. */
  recipient: string
  /** Whether the account receives the native currency. */
  isNative: boolean
  /**
   * Until when the swap can be executed, in seconds since 1970; undefined if
   * there is no deadline.
   */
  deadline: bigint | undefined
  /**
   * Whether its contracts are official contracts of the network or ones that
   * the site lists.
   */
  isKnown: boolean
  /** The permit that the swap uses, if any. */
  permit?:
    | {
        /** Address of the token. */
        token: string
        /** How much the contract may spend, in the token's smallest unit. */
        amount: bigint
        /** Until when the permit can be used, in seconds since 1970. */
        deadline: bigint
      }
    | undefined
}

/** A token and its owner. */
export type TokenOwner = {
  /** Address of the token. */
  token: string
  /** Address of the account. */
  owner: string
  /** The network. */
  network: Network
}

/**
 * The data of a permit besides its owner, spender, amount and deadline. @see
 * ERC-2612
 */
export type PermitTerms = {
  /** The token's domain (EIP-712). */
  domain: Record<string, unknown>
  /** The account's permit nonce. */
  nonce: bigint
}

/** The name and avatar of an account. */
export type Identity = {
  /** The name, such as an ENS name. */
  name: string | undefined
  /** URL of the avatar. */
  avatar: string | undefined
}

/**
 * Returns a capability of an adapter.
 *
 * @param operation - the operation to name in the error
 * @throws {UnsupportedOperationError} the chain family lacks the capability
 */
export async function capability<name extends keyof Capabilities>(
  adapter: Adapter,
  name: name,
  operation: keyof Capabilities[name] & string,
): Promise<Capabilities[name]> {
  const actions: Partial<Capabilities> = await adapter.actions()
  const found = actions[name]
  if (!found) throw new UnsupportedOperationError(operation)
  return found
}

/** Typed data to sign (EIP-712). */
export type TypedData = {
  /** The domain that the signature is valid for. */
  domain?: Record<string, unknown> | undefined
  /** The types, by name. */
  types: Record<
    string,
    readonly {
      /** The field's name. */
      name: string
      /** The field's type, such as `address`. */
      type: string
    }[]
  >
  /** The type of `message`. */
  primaryType: string
  /** The data to sign. */
  message: Record<string, unknown>
}

/** A call of a contract function in a transaction. */
export type WriteContractRequest = {
  /** The contract. */
  address: `0x${string}`
  /** The contract's ABI. */
  abi: readonly unknown[]
  /** The function's name. */
  functionName: string
  /** The function's arguments. */
  args?: readonly unknown[] | undefined
  /** The amount to send, in the chain's smallest unit. */
  value?: bigint | undefined
}
