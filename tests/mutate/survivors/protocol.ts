import type { Survivor } from './Survivor.ts'

const protocol = 'packages/protocol/src'

export const protocolSurvivors: readonly Survivor[] = [
  {
    file: `${protocol}/gateway/origins.ts`,
    code: "''",
    why: 'The default port of other schemes only has to differ from every port.',
    equivalent: true,
  },
  {
    file: `${protocol}/gateway/wallets.ts`,
    code: "'include'",
    why: 'The values of a query are strings, so include is always a list.',
    equivalent: true,
  },
  {
    file: `${protocol}/relay/jwt.ts`,
    code: '[]',
    to: '["Stryker was here"]',
    why: 'The payload is missing in both cases, with the same result.',
    equivalent: true,
  },
  {
    file: `${protocol}/relay/jwt.ts`,
    code: '!header || !payload || !signature',
    why: 'A part that is missing or empty cannot be decoded, with the same result.',
    equivalent: true,
  },
  {
    file: `${protocol}/relay/jwt.ts`,
    code: '!header || !payload',
    why: 'A part that is missing or empty cannot be decoded, with the same result.',
    equivalent: true,
  },
  {
    file: `${protocol}/relay/jwt.ts`,
    code: "'base64url'",
    why: 'toBase64 encodes any alphabet except base64 as base64url.',
    equivalent: true,
  },
  {
    file: `${protocol}/relay/methods.ts`,
    code: '/^(iridium|waku)_/',
    why: 'No method has a prefix before irn_.',
    equivalent: true,
  },
  {
    file: `${protocol}/relay/urls.ts`,
    code: "''",
    to: '"Stryker was here!"',
    why: 'The text only has to be the same in both URLs.',
    equivalent: true,
  },
  {
    file: `${protocol}/pairingTopic.ts`,
    code: '/^wc:(?:\\/\\/)?([0-9a-f]{64})@2(?:[/?]|$)/i.exec(uri)?.[1]?.toLowerCase',
    why: 'Every match contains the topic.',
    equivalent: true,
  },
  {
    file: `${protocol}/signIn.ts`,
    code: "''",
    to: '"Stryker was here!"',
    why: 'No origin contains this text.',
    equivalent: true,
  },
  {
    file: `${protocol}/gateway/jsonRpc.ts`,
    code: "typeof value !== 'object'",
    to: 'false',
    why: 'Other values have no such members.',
    equivalent: true,
  },
  {
    file: `${protocol}/gateway/origins.ts`,
    code: '/^(?:([^:/]+):\\/\\/)?(.*)$/',
    to: '/(?:([^:/]+):\\/\\/)?(.*)$/',
    why: 'Matches the whole of every entry that split() accepts.',
    equivalent: true,
  },
  {
    file: `${protocol}/gateway/origins.ts`,
    code: '/^(?:([^:/]+):\\/\\/)?(.*)$/',
    to: '/^(?:([^:/]+):\\/\\/)?(.*)/',
    why: 'Matches the whole of every entry that split() accepts.',
    equivalent: true,
  },
  {
    file: `${protocol}/gateway/origins.ts`,
    code: '/^[^/]*/',
    to: '/[^/]*/',
    why: 'Matches at the start of every text.',
    equivalent: true,
  },
  {
    file: `${protocol}/gateway/origins.ts`,
    code: '[]',
    to: '["Stryker was here"]',
    why: 'The regular expression matches every text.',
    equivalent: true,
  },
  {
    file: `${protocol}/gateway/names.ts`,
    code: '/^[1-9]\\d{0,9}$/',
    to: '/^[1-9]\\d{0,9}/',
    why: 'Number() refuses the rest of such a text.',
    equivalent: true,
  },
]
