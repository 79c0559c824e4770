// The smart accounts of the secure frame: Safe 1.4.1 with its ERC-4337 module. See
// docs/adr/0028-smart-accounts.md.

/** Contracts with the same address on every chain. */
export const smartAccountContracts = {
  /** EntryPoint 0.7. @see ERC-4337 */
  entryPoint: '0x0000000071727De22E5E9d8BAf0edAc6f37da032',
  /** SafeProxyFactory 1.4.1. */
  factory: '0x4e1DCf7AD4e460CfD30791CCC4F9c8a4f820ec67',
  /** SafeL2 1.4.1: the code of the accounts. */
  singleton: '0x29fcB43b46531BcA003ddC8FCB67FFE91900C762',
  /** MultiSendCallOnly 1.4.1: makes several calls, none of which is a delegate call. */
  multiSend: '0x9641d764fc13c8B624c04430C7356C1C7C8102e2',
} as const

/**
 * Contracts that may have other addresses on a chain; these are the addresses
 * on the public chains.
 */
export const defaultSmartAccountModules = {
  /** Safe4337Module 0.3.0. */
  module: '0x75cf11467937ce3F2f357CE24ffc3DBF8fD5c226',
  /** SafeModuleSetup 0.3.0. */
  setup: '0x2dd68b007B46fBe91B9A7c3EDa5A7a1063cB5b47',
} as const

/**
 * The kind of smart account: Safe 1.4.1 with Safe4337Module 0.3.0, one owner
 * and the salt 0. Stored with the owner, so that existing accounts keep their
 * addresses if a later version adds a kind.
 */
export const smartAccountKind = 'safe-1.4.1'

/** Keccak-256 of the code that creates an account of {@link smartAccountContracts}: SafeProxy with its singleton. */
export const smartAccountCodeHash =
  '0xe298282cefe913ab5d282047161268a8222e4bd4ed106300c547894bbefd31ee'

/** The functions that create an account and execute its calls. */
export const smartAccountAbi = [
  'function createProxyWithNonce(address singleton, bytes initializer, uint256 saltNonce) returns (address)',
  'function setup(address[] owners, uint256 threshold, address to, bytes data, address fallbackHandler, address paymentToken, uint256 payment, address paymentReceiver)',
  'function enableModules(address[] modules)',
  'function executeUserOp(address to, uint256 value, bytes data, uint8 operation)',
  'function multiSend(bytes transactions) payable',
] as const
