import type { Metadata, VerifyContext } from '@gatefold/sign'
import type { AskingApp } from '../provider/Subject.ts'

/** An app as the wallet shows it: what it says of itself, and what the verify service saw. */
export function toApp(metadata: Metadata, { verified }: VerifyContext): AskingApp {
  return {
    name: metadata.name || 'An app without a name',
    url: metadata.url,
    icon: metadata.icons.find((icon) => /^(?:https?:|data:image\/)/.test(icon)),
    trust: verified.isScam
      ? 'scam'
      : ({ VALID: 'verified', INVALID: 'mismatch', UNKNOWN: 'unverified' } as const)[
          verified.validation
        ],
    // Where nothing was attested, the claim itself stands there.
    seenAt: (verified.validation !== 'UNKNOWN' && verified.origin) || undefined,
  }
}

/** The origin a request is filed under: the one that was seen, else the one that is claimed. */
export function originOf(app: AskingApp): string {
  if (app.seenAt) return app.seenAt
  return URL.canParse(app.url) ? new URL(app.url).origin : app.url
}
