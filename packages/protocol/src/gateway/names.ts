import * as v from 'valibot'
import { nameAddresses, nameBioLength } from '../limits/names.ts'
import { EvmAddress } from './money.ts'
import { officialZone, toChainId } from './nameRules.ts'

const CoinType = v.pipe(
  v.number('must be a number'),
  v.check(
    (coinType) => toChainId(coinType) !== undefined,
    'must be the coin type of an EVM chain: 60, or 2147483648 plus the chain id',
  ),
)

const Hex = v.pipe(
  v.string('must be text'),
  v.regex(/^0x([0-9a-f]{2})+$/i, 'must be bytes in hexadecimal'),
  v.transform((text) => text as `0x${string}`),
)

/** The query of `GET /v1/profile/account/{name}` and of `GET /v1/profile/reverse/{address}`. */
export const ProfileQuery = v.object({ apiVersion: v.optional(v.string()) })

/**
 * The query of `GET /v1/profile/suggestions/{name}`. The zone defaults to the
 * project's.
 */
export const SuggestionsQuery = v.object({ zone: v.optional(v.string()) })

/** The body of `POST /v1/profile/account`. Official clients send no project id. */
export const RegistrationBody = v.object({
  projectId: v.optional(v.string()),
  /**
   * The coin type of the chain on which `address` is used. A contract's
   * signature is checked on this chain.
   */
  coin_type: CoinType,
  /** The owner, who signed the message. */
  address: EvmAddress,
  /** JSON text: a {@link RegistrationMessage}. */
  message: v.string('must be text'),
  /**
   * The signature of the message's text (EIP-191), by a key or by a contract
   * (ERC-1271, ERC-6492).
   */
  signature: Hex,
})

/** The body of `POST /v1/profile/records`. The signature is by the owner of the name. */
export const RecordsBody = v.object({
  projectId: v.optional(v.string()),
  /** JSON text: a {@link RecordsMessage}. */
  message: v.string('must be text'),
  signature: Hex,
})

const Attributes = v.strictObject(
  {
    bio: v.optional(
      v.pipe(
        v.string('must be text'),
        v.maxLength(nameBioLength, `must be at most ${nameBioLength} characters`),
        v.regex(
          /^[a-zA-Z0-9@:/._\-?&=+ ]*$/,
          'may contain letters, digits, spaces and @ : / . _ - ? & = +',
        ),
      ),
    ),
  },
  'must be an object whose only field is bio',
)

const NameWithZone = v.pipe(
  v.string('must be text'),
  v.includes('.', `must end with its zone, such as .${officialZone}`),
)

/** Unix time in seconds. */
const Timestamp = v.pipe(
  v.number('must be a number of seconds'),
  v.integer('must be a whole number of seconds'),
)

/**
 * The message that an account signs to register a name. The name includes its
 * zone.
 */
export const RegistrationMessage = v.strictObject(
  { name: NameWithZone, attributes: v.optional(Attributes, {}), timestamp: Timestamp },
  'must be an object with name, attributes and timestamp',
)

/**
 * The message that a name's owner signs to replace its records. Absent fields
 * do not change.
 */
export const RecordsMessage = v.strictObject(
  {
    name: NameWithZone,
    attributes: v.optional(Attributes),
    /** Addresses by coin type. */
    addresses: v.optional(
      v.pipe(
        v.record(
          v.pipe(
            v.string(),
            v.check(
              (text) => /^[1-9]\d{0,9}$/.test(text) && toChainId(Number(text)) !== undefined,
              'must be the coin type of an EVM chain',
            ),
          ),
          EvmAddress,
          'must be an object of addresses by coin type',
        ),
        v.maxEntries(nameAddresses, `must have at most ${nameAddresses} addresses`),
      ),
    ),
    timestamp: Timestamp,
  },
  'must be an object with name, attributes, addresses and timestamp',
)

export type NameAttributes = v.InferOutput<typeof Attributes>

/**
 * A name: the response to `GET /v1/profile/account/{name}` and `POST /v1/profile/account`, and an item of the response
 * to `GET /v1/profile/reverse/{address}`.
 */
export type NameResponse = {
  /** With its zone. */
  name: string
  /** By coin type, lowest first. */
  addresses: Record<string, { address: string }>
  attributes: NameAttributes
  /** ISO 8601. */
  registered_at: string
  /** ISO 8601. */
  updated_at: string
}

/** The response to `GET /v1/profile/suggestions/{name}`: first the name itself, then similar names that are free. */
export type SuggestionsResponse = {
  suggestions: {
    /** With the requested zone. */
    name: string
    registered: boolean
  }[]
}

/** The response to `GET /v1/profile/zone`. */
export type ZoneResponse = {
  /** The zone in which accounts register names, such as `my-site.eth`. */
  zone: string
}
