/** JSON-RPC error codes of a relay. @see docs/contracts/relay.md#errors */
export const relayErrorCodes = {
  auth: 3000,
  tooManyRequests: 3001,
  invalidPayload: -32_600,
  requestHandler: -32_000,
  internal: -32_603,
} as const

export type RelayErrorKind = keyof typeof relayErrorCodes

/** The prefix of the error message, by kind of error. */
export const relayErrorPrefixes: Record<RelayErrorKind, string> = {
  auth: 'Auth error',
  tooManyRequests: 'Too many requests',
  invalidPayload: 'Invalid payload',
  requestHandler: 'Request handler error',
  internal: 'Internal error',
}

/** The tags sent as `data`, by kind of error. */
export const relayErrorTags = {
  auth: [
    'ProjectNotFound',
    'ProjectIdNotSpecified',
    'ProjectInactive',
    'OriginNotAllowed',
    'InvalidJwt',
    'MissingJwt',
    'CountryBlocked',
  ],
  tooManyRequests: ['TooManyRequests'],
  invalidPayload: [
    'InvalidMethod',
    'InvalidParams',
    'PayloadSizeExceeded',
    'InvalidTopic',
    'InvalidSubscriptionId',
    'InvalidRequestId',
    'InvalidJsonRpcVersion',
    'BatchLimitExceeded',
    'BatchEmpty',
    'Serialization',
  ],
  requestHandler: [
    'TtlTooShort',
    'TtlTooLong',
    'MailboxLimitExceeded',
    'StorageBudgetExceeded',
    'SubscriberLimitExceeded',
    'CreateTopicFailed',
    'SubscribeFailed',
    'PublishFailed',
  ],
  internal: ['StorageError', 'Serialization', 'Unknown'],
} as const satisfies Record<RelayErrorKind, readonly string[]>

export type RelayErrorTag<Kind extends RelayErrorKind = RelayErrorKind> =
  (typeof relayErrorTags)[Kind][number]
