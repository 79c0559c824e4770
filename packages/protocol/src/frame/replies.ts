import * as v from 'valibot'

import { AccountType, SiwxMessage } from './appMessages.ts'

// Payloads of the frame's replies, as our client validates them. See
// docs/contracts/frame.md#names.

const none = v.unknown()

/** @see spec §3.14 */
const UserReply = v.object({
  email: v.optional(v.nullable(v.string())),
  address: v.string(),
  /** A number for EVM, a CAIP-2 id for Solana. Without it, our client reports an error of its own (spec §5.9.4). */
  chainId: v.optional(v.union([v.number(), v.string()])),
  userName: v.optional(v.nullable(v.string())),
  smartAccountDeployed: v.optional(v.boolean()),
  accounts: v.optional(v.array(v.object({ address: v.string(), type: AccountType }))),
  preferredAccountType: v.optional(AccountType),
  signature: v.optional(v.string()),
  message: v.optional(v.string()),
  siwxMessage: v.optional(SiwxMessage),
})
export type UserReply = v.InferOutput<typeof UserReply>

/** The schemas of the successful replies to the messages that our client sends, by name. */
export const frameReplies = {
  CONNECT_EMAIL: v.object({ action: v.picklist(['VERIFY_DEVICE', 'VERIFY_OTP', 'CONNECT']) }),
  CONNECT_DEVICE: none,
  CONNECT_OTP: none,
  CONNECT_PASSKEY: none,
  CONNECT_SOCIAL: UserReply,
  GET_SOCIAL_REDIRECT_URI: v.object({ uri: v.string() }),
  GET_FARCASTER_URI: v.object({ url: v.string() }),
  CONNECT_FARCASTER: v.object({ userName: v.string() }),
  GET_USER: UserReply,
  SIGN_OUT: none,
  GET_SMART_ACCOUNT_ENABLED_NETWORKS: v.object({
    smartAccountEnabledNetworks: v.array(v.number()),
  }),
  SET_PREFERRED_ACCOUNT: v.object({ type: AccountType, address: v.string() }),
  IS_CONNECTED: v.object({ isConnected: v.boolean() }),
  RPC_REQUEST: none,
  UPDATE_EMAIL: v.object({
    action: v.picklist(['VERIFY_PRIMARY_OTP', 'VERIFY_SECONDARY_OTP']),
  }),
  UPDATE_EMAIL_PRIMARY_OTP: none,
  UPDATE_EMAIL_SECONDARY_OTP: v.object({ newEmail: v.string() }),
  SYNC_THEME: none,
} as const

export type FrameRequestName = keyof typeof frameReplies
export type FrameReply<Name extends FrameRequestName> = v.InferOutput<(typeof frameReplies)[Name]>

/** The payload of an error reply. `code` is sent by Gatefold's frame only. */
export const FrameErrorReply = v.object({
  message: v.string(),
  code: v.optional(v.string()),
})

/** The purpose of a card. The page uses it to choose the title of its view; the frame sends no text. */
export const cardKinds = [
  /** Of a transaction. */
  'approval',
  /** Of a message. */
  'message',
  /** Of a message that signs in to a site. */
  'signIn',
  /** Of typed data (EIP-712). */
  'typedData',
  /** Signs without the server. */
  'alone',
  /** Repeats a login. */
  'confirm',
  /** Offers a passkey. */
  'offer',
  /** Logs in. */
  'passkey',
  'protect',
  'restore',
] as const
export type CardKind = (typeof cardKinds)[number]

const methodKinds: Readonly<Record<string, CardKind>> = {
  eth_signTypedData_v4: 'typedData',
  personal_sign: 'message',
  solana_signMessage: 'message',
}

/** What the approval of a request is for, according to its method. */
export function approvalKindOf(method: string): CardKind {
  return (Object.hasOwn(methodKinds, method) && methodKinds[method]) || 'approval'
}

/** The payload of `CARD`, which our frame sends over the port: whether it shows something, and what. */
export const CardMessage = v.object({
  /**
   * The height at which the whole card is visible, in CSS pixels; null if no
   * card is shown.
   */
  height: v.nullable(v.pipe(v.number(), v.finite(), v.minValue(0))),
  /** A kind that this version does not know counts as an approval. */
  kind: v.fallback(v.picklist(cardKinds), 'approval'),
})
