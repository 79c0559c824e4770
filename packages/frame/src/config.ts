import { BaseError } from '@gatefold/protocol'
import { recoveryMethods } from '@gatefold/protocol/frame'
import * as v from 'valibot'

/** The id of the element whose text is the configuration, as JSON. The server writes it into the document. */
export const configElementId = 'gatefold-config'

const Address = v.pipe(
  v.string(),
  v.regex(/^0x[0-9a-f]{40}$/i),
  v.transform((text) => text as `0x${string}`),
)

const ChainConfig = v.object({
  /** CAIP-2 */
  id: v.string(),
  name: v.string(),
  symbol: v.string(),
  decimals: v.number(),
  /** Uniswap's SwapRouter02, and the token that wraps the native currency. */
  uniswap: v.optional(v.object({ router: Address, wrapped: Address })),
  /** 0x's AllowanceHolder, and the registry of the Settlers that it calls. */
  zeroEx: v.optional(v.object({ allowanceHolder: Address, settlers: Address })),
  /** 1inch's AggregationRouterV6. */
  oneInch: v.optional(v.object({ router: Address })),
  /** The modules of smart accounts on a chain that supports them. */
  smartAccount: v.optional(
    v.object({ module: Address, setup: Address, hasPaymaster: v.boolean() }),
  ),
})

/**
 * The configuration of the project that embeds the frame. It comes from the
 * server, never from the page.
 */
export const FrameConfig = v.object({
  version: v.string(),
  projectId: v.string(),
  /** Origins that may embed the frame, some with wildcards. @see spec §5.7 */
  origins: v.array(v.string()),
  chains: v.array(ChainConfig),
  /** Recovery methods that the project offers. */
  recovery: v.array(v.picklist(recoveryMethods)),
  /** Whether visitors can log in with only a passkey. */
  passkeyLogin: v.boolean(),
})

export type FrameConfig = v.InferOutput<typeof FrameConfig>
export type ChainConfig = v.InferOutput<typeof ChainConfig>

/** @throws {FrameConfigError} if the document has no valid configuration. */
export function readConfig(document: Document): FrameConfig {
  const text = document.getElementById(configElementId)?.textContent
  try {
    return v.parse(FrameConfig, JSON.parse(text ?? ''))
  } catch (error) {
    throw new FrameConfigError(error)
  }
}

export class FrameConfigError extends BaseError {
  override name = 'FrameConfigError'
  constructor(cause: unknown) {
    super('The document of the frame has no valid configuration.', {
      code: 'frame.config',
      cause,
      docsPath: 'docs/contracts/frame-api.md',
    })
  }
}
