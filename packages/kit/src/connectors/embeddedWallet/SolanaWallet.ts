/** The embedded wallet on Solana: the provider of its session, which has the interface of a Wallet Standard wallet. */
export type SolanaWallet = {
  /** Version of the Wallet Standard. */
  readonly version: '1.0.0'
  /** The wallet's name. */
  readonly name: string
  /** A picture of the wallet. */
  readonly icon: `data:image/svg+xml;base64,${string}`
  /** `solana:mainnet`, `solana:devnet` and `solana:testnet`; the CAIP-2 id of any other network. */
  readonly chains: readonly `${string}:${string}`[]
  /** The visitor's account; empty once the session has ended. */
  readonly accounts: readonly SolanaAccount[]
  /** What the wallet can do. */
  readonly features: SolanaFeatures
}

/** An account of the Wallet Standard. */
export type SolanaAccount = {
  /** The address, in base58. */
  readonly address: string
  /** The 32 bytes of the address. */
  readonly publicKey: Uint8Array
  /** The networks of the account. */
  readonly chains: readonly `${string}:${string}`[]
  /** The features that sign with the account. */
  readonly features: readonly `${string}:${string}`[]
}

/** A message to sign. */
export type SolanaMessageInput = {
  /** One of the wallet's accounts. */
  readonly account: SolanaAccount
  /** The message. */
  readonly message: Uint8Array
}

/** A signed message. */
export type SolanaMessageOutput = {
  /** The bytes that were signed. */
  readonly signedMessage: Uint8Array
  /** The signature, 64 bytes. */
  readonly signature: Uint8Array
  /** The kind of signature. */
  readonly signatureType: 'ed25519'
}

/** A transaction to sign, in its wire form; signatures may be missing. */
export type SolanaTransactionInput = {
  /** One of the wallet's accounts. */
  readonly account: SolanaAccount
  /** A legacy or v0 transaction. */
  readonly transaction: Uint8Array
  /** The network; by default the site's active one. CAIP-2 ids are accepted for every network. */
  readonly chain?: string | undefined
}

/** A transaction to sign and send. */
export type SolanaSendInput = SolanaTransactionInput & {
  /** Options for the node that receives it. */
  readonly options?: SolanaSendOptions | undefined
}

/**
 * Options for the node that receives a transaction, named as in Solana's
 * JSON-RPC method `sendTransaction`.
 */
export type SolanaSendOptions = {
  /** The state of the network that the simulation before sending uses. */
  readonly preflightCommitment?: 'processed' | 'confirmed' | 'finalized' | undefined
  /** Sends without a simulation. */
  readonly skipPreflight?: boolean | undefined
  /** How often the node sends the transaction again. */
  readonly maxRetries?: number | undefined
  /** The slot that the node must have reached. */
  readonly minContextSlot?: number | undefined
}

/** The accounts of the wallet. */
export type SolanaAccounts = {
  /** The visitor's account; empty once the session has ended. */
  readonly accounts: readonly SolanaAccount[]
}

/**
 * The features of the Wallet Standard that the embedded wallet has. Methods
 * return one output per input.
 */
export type SolanaFeatures = {
  /** Connecting. */
  readonly 'standard:connect': {
    /** Version of the feature. */
    readonly version: '1.0.0'
    /** Returns the accounts. The visitor has logged in already. */
    connect(): Promise<SolanaAccounts>
  }
  /** Events. */
  readonly 'standard:events': {
    /** Version of the feature. */
    readonly version: '1.0.0'
    /**
     * Calls the listener when the account has changed, and when the session has ended.
     *
     * @returns a function that unsubscribes
     */
    on(event: 'change', listener: (properties: SolanaAccounts) => void): () => void
  }
  /** Messages. */
  readonly 'solana:signMessage': {
    /** Version of the feature. */
    readonly version: '1.1.0'
    /** Signs messages. The visitor approves each. */
    signMessage(...inputs: readonly SolanaMessageInput[]): Promise<readonly SolanaMessageOutput[]>
  }
  /** Transactions. */
  readonly 'solana:signTransaction': {
    /** Version of the feature. */
    readonly version: '1.0.0'
    /** The versions of transactions that can be signed. */
    readonly supportedTransactionVersions: readonly ['legacy', 0]
    /** Signs transactions. The visitor approves them together, at most 10. */
    signTransaction(...inputs: readonly SolanaTransactionInput[]): Promise<
      readonly {
        /** The transaction in its wire form, with the signature. */
        readonly signedTransaction: Uint8Array
      }[]
    >
  }
  /** Transactions that the wallet sends. */
  readonly 'solana:signAndSendTransaction': {
    /** Version of the feature. */
    readonly version: '1.0.0'
    /** The versions of transactions that can be sent. */
    readonly supportedTransactionVersions: readonly ['legacy', 0]
    /**
     * Signs and sends transactions. The visitor approves each. Resolves once a node has accepted them; the page waits for
     * their confirmation itself.
     */
    signAndSendTransaction(...inputs: readonly SolanaSendInput[]): Promise<
      readonly {
        /** The transaction's id, 64 bytes. */
        readonly signature: Uint8Array
      }[]
    >
  }
}
