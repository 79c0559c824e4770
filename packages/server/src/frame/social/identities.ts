import { toLabel } from '@gatefold/protocol'
import { EmailAddress, type SocialProvider } from '@gatefold/protocol/frame'
import * as v from 'valibot'
import type { SocialIdentity } from '../../storage/frame/socials.ts'
import type { SocialSettings } from './settings.ts'

/** Requests a URL with the access token of a login, and parses the response. */
export type Fetch = (url: string) => Promise<unknown>

type Person = Pick<SocialIdentity, 'subject' | 'email' | 'userName'>

const maxNameLength = 100

const Name = v.nullish(
  v.pipe(
    v.string(),
    v.transform((name) => toLabel(name, maxNameLength) || null),
  ),
)
const Subject = v.pipe(v.string(), v.nonEmpty(), v.maxLength(255))
/** Apple sends booleans as text. */
const Flag = v.optional(
  v.union([
    v.boolean(),
    v.pipe(
      v.string(),
      v.transform((word) => word === 'true'),
    ),
  ]),
)

const Claims = v.object({
  sub: Subject,
  email: v.optional(v.unknown()),
  email_verified: Flag,
  name: Name,
})

/** Reads the claims of an ID token. @see OpenID Connect Core 1.0, section 5.1 */
export function readClaims(claims: unknown): Person {
  const { sub, email, email_verified: isVerified, name } = v.parse(Claims, claims)
  return { subject: sub, email: verified(email, isVerified), userName: name ?? null }
}

/** An address that the provider has not verified may be anybody's. @see docs/threats.md#social-logins */
function verified(email: unknown, isVerified: boolean | undefined): string | null {
  const parsed = v.safeParse(EmailAddress, email)
  return isVerified === true && parsed.success ? parsed.output : null
}

const GithubUser = v.object({ id: v.pipe(v.number(), v.safeInteger()), login: Name })
const GithubEmails = v.array(
  v.object({ email: v.string(), primary: v.boolean(), verified: v.boolean() }),
)
const FacebookUser = v.object({ id: Subject, name: Name })
const XUser = v.object({ data: v.object({ id: Subject, username: Name }) })
const DiscordUser = v.object({
  id: Subject,
  username: Name,
  email: v.optional(v.unknown()),
  verified: Flag,
})

/**
 * Functions that read the user from the APIs of OAuth 2.0 providers.
 *
 * @see https://docs.github.com/en/rest/users/users and https://docs.github.com/en/rest/users/emails
 * @see https://developers.facebook.com/docs/graph-api/reference/user
 * @see https://docs.x.com/x-api/users/get-my-user
 * @see https://discord.com/developers/docs/resources/user
 */
export const userReaders: Record<
  Exclude<SocialProvider, 'google' | 'apple'>,
  (get: Fetch, settings: SocialSettings) => Promise<Person>
> = {
  async github(get, { github }) {
    const { id, login } = v.parse(GithubUser, await get(github!.userUrl))
    const emails = v.parse(GithubEmails, await get(github!.emailsUrl))
    const primary = emails.find((email) => email.primary)
    return {
      subject: String(id),
      email: verified(primary?.email, primary?.verified),
      userName: login ?? null,
    }
  },
  // Facebook does not say whether an address is verified, so the address is not
  // requested.
  async facebook(get, { facebook }) {
    const { id, name } = v.parse(FacebookUser, await get(facebook!.userUrl))
    return { subject: id, email: null, userName: name ?? null }
  },
  async x(get, { x }) {
    const { id, username } = v.parse(XUser, await get(x!.userUrl)).data
    return { subject: id, email: null, userName: username ?? null }
  },
  async discord(get, { discord }) {
    const user = v.parse(DiscordUser, await get(discord!.userUrl))
    return {
      subject: user.id,
      email: verified(user.email, user.verified),
      userName: user.username ?? null,
    }
  },
}
