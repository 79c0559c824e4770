import { BaseError, CaipNetworkId, isOneLine, isSignInFor } from '@gatefold/protocol'
import type { SiwxMessage } from '@gatefold/protocol/frame'
import { toHex, type Hex } from 'viem'
import type { ChainConfig } from '../config.ts'
import type { Wallet } from '../wallet/createWallet.ts'

/**
 * Signs the sign-in message that came with a login. The visitor has just logged
 * in to this page, so a sign-in to it needs no further approval. A sign-in to
 * another site is refused, and so is a field that would add lines to the text.
 *
 * @see ERC-4361; CAIP-122; docs/threats.md#false-statements-of-the-page
 */
export async function signIn(options: {
  message: SiwxMessage
  origin: string
  network: ChainConfig
  wallet: Wallet
  /** The address that signs in. */
  address: string
  /** Signs with the smart account, if the address belongs to it. */
  signSmart: ((message: Hex) => Promise<string>) | undefined
}): Promise<{ siwxMessage: SiwxMessage; message: string; signature: string }> {
  const { origin, network, wallet, address, signSmart } = options
  if (!isSignInFor(origin, options.message))
    throw new SignInError(
      `${new URL(origin).host} asked for a sign-in to ${options.message.domain}.`,
    )
  const { serializedMessage: _serialized, ...fields } = options.message
  if (!Object.values(fields).flat().every(isOneLine))
    throw new SignInError(
      `${new URL(origin).host} asked for a sign-in with a line break in a field.`,
    )
  const { namespace } = CaipNetworkId.parse(network.id)
  const isEvm = namespace === 'eip155'
  const filled: SiwxMessage = {
    ...options.message,
    accountAddress: address,
    chainId: network.id,
  }
  const message = format(filled, isEvm ? 'Ethereum' : 'Solana')
  const bytes = new TextEncoder().encode(message)
  const signature = signSmart
    ? await signSmart(toHex(bytes))
    : await wallet.sign(
        isEvm ? { kind: 'message', message: toHex(bytes) } : { kind: 'solana', messages: [bytes] },
      )
  return { siwxMessage: filled, message, signature }
}

/** The text of a sign-in. @see ERC-4361; CAIP-122 */
function format(message: SiwxMessage, family: string): string {
  const { reference } = CaipNetworkId.parse(message.chainId)
  return [
    `${message.domain} wants you to sign in with your ${family} account:`,
    message.accountAddress,
    '',
    ...(message.statement ? [message.statement, ''] : ['']),
    `URI: ${message.uri}`,
    `Version: ${message.version}`,
    `Chain ID: ${reference}`,
    `Nonce: ${message.nonce}`,
    message.issuedAt && `Issued At: ${message.issuedAt}`,
    message.expirationTime && `Expiration Time: ${message.expirationTime}`,
    message.notBefore && `Not Before: ${message.notBefore}`,
    message.requestId && `Request ID: ${message.requestId}`,
    message.resources?.length
      ? ['Resources:', ...message.resources.map((resource) => `- ${resource}`)].join('\n')
      : undefined,
  ]
    .filter((line) => typeof line === 'string')
    .join('\n')
}

/** A page asked for a sign-in to another site, or for an invalid one. */
export class SignInError extends BaseError {
  override name = 'SignInError'
  constructor(message: string) {
    super(message, { code: 'frame.sign_in' })
  }
}
