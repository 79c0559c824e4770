import * as v from 'valibot'

// Requests to the paymaster of the frame's server (ERC-7677). See docs/contracts/frame-api.md#sponsored-operations.

const Hex = (maxBytes: number) =>
  v.pipe(
    v.string('must be text'),
    v.maxLength(2 + maxBytes * 2, `must have at most ${maxBytes} bytes`),
    v.regex(/^0x(?:[0-9a-f]{2})*$/i, 'must be bytes in hexadecimal'),
    v.transform((text) => text as `0x${string}`),
  )

const Address = v.pipe(
  v.string('must be text'),
  v.regex(/^0x[0-9a-f]{40}$/i, 'must be an address'),
  v.transform((text) => text as `0x${string}`),
)

const Quantity = (bits: number) =>
  v.pipe(
    v.string('must be text'),
    v.regex(/^0x[0-9a-f]{1,64}$/i, 'must be a quantity in hexadecimal'),
    v.transform((text) => BigInt(text)),
    v.check((value) => value < 2n ** BigInt(bits), `must fit into ${bits} bits`),
  )

/** A user operation for EntryPoint 0.7, without its signature. @see ERC-7677 */
export const SponsoredOperation = v.object({
  sender: Address,
  nonce: Quantity(256),
  factory: v.optional(Address),
  factoryData: v.optional(Hex(4_096)),
  callData: Hex(24_576),
  callGasLimit: v.optional(Quantity(128), '0x0'),
  verificationGasLimit: v.optional(Quantity(128), '0x0'),
  preVerificationGas: v.optional(Quantity(128), '0x0'),
  maxFeePerGas: Quantity(128),
  maxPriorityFeePerGas: Quantity(128),
  paymasterVerificationGasLimit: v.optional(Quantity(128)),
  paymasterPostOpGasLimit: v.optional(Quantity(128)),
})

export type SponsoredOperation = v.InferOutput<typeof SponsoredOperation>

/** `POST /api/paymaster`: a JSON-RPC request of ERC-7677. */
export const PaymasterBody = v.object({
  jsonrpc: v.literal('2.0'),
  id: v.pipe(v.number(), v.safeInteger()),
  method: v.picklist(['pm_getPaymasterStubData', 'pm_getPaymasterData']),
  params: v.tuple([
    SponsoredOperation,
    Address,
    Quantity(53),
    v.object({
      /** The key that owns the account. */
      owner: Address,
    }),
  ]),
})

export type PaymasterBody = v.InferInput<typeof PaymasterBody>

/** The fields of an operation that a paymaster pays for, in hexadecimal. @see ERC-7677 */
export const PaymasterFields = v.object({
  paymaster: Address,
  paymasterData: Hex(1_024),
  paymasterVerificationGasLimit: v.string(),
  paymasterPostOpGasLimit: v.string(),
})

export type PaymasterFields = v.InferOutput<typeof PaymasterFields>

export type PaymasterResponse = { jsonrpc: '2.0'; id: number } & (
  | { result: PaymasterFields }
  | { error: { code: number; message: string; data: { reason: string } } }
)
