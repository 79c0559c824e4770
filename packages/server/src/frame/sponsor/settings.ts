import { readFileSync } from 'node:fs'
import { defaultSmartAccountModules } from '@gatefold/protocol/frame'
import * as v from 'valibot'

const Address = v.pipe(
  v.string(),
  v.regex(/^0x[0-9a-f]{40}$/i, 'must be an address of 20 bytes'),
  v.transform((text) => text as `0x${string}`),
)

/** The value of `GATEFOLD_SMART_ACCOUNTS`: contracts by CAIP-2 id of an EVM chain. */
export const SmartAccountSettings = v.record(
  v.pipe(v.string(), v.regex(/^eip155:\d{1,15}$/, 'must be a CAIP-2 id such as eip155:1')),
  v.strictObject({
    /** Safe4337Module 0.3.0. */
    module: v.optional(Address, defaultSmartAccountModules.module),
    /** SafeModuleSetup 0.3.0. */
    setup: v.optional(Address, defaultSmartAccountModules.setup),
    /** VerifyingPaymaster 0.7, whose signer is `GATEFOLD_PAYMASTER_KEY`. */
    paymaster: v.optional(Address),
  }),
)

export type SmartAccountSettings = v.InferOutput<typeof SmartAccountSettings>

const keyForm = /^0x[0-9a-f]{64}$/i

/** A private key, or the path of a file that contains it. */
export const PaymasterKey = v.pipe(
  v.string(),
  v.rawTransform(({ dataset, addIssue, NEVER }) => {
    try {
      const text = dataset.value.trim()
      const key = keyForm.test(text) ? text : readFileSync(text, 'utf8').trim()
      if (keyForm.test(key)) return key as `0x${string}`
      addIssue({ message: 'is not a private key' })
    } catch {
      addIssue({ message: 'cannot be read' })
    }
    return NEVER
  }),
)
