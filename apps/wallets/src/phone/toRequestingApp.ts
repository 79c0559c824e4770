import type { Metadata, VerifyContext } from '@gatefold/sign'
import type { RequestingApp } from '../provider/RequestDetails.ts'

/** An app as the wallet shows it: its own metadata and the verify service's result. */
export function toRequestingApp(metadata: Metadata, { verified }: VerifyContext): RequestingApp {
  return {
    name: metadata.name || 'Unnamed app',
    url: metadata.url,
    icon: metadata.icons.find((icon) => /^(?:https?:|data:image\/)/.test(icon)),
    trust: verified.isScam
      ? 'scam'
      : ({ VALID: 'verified', INVALID: 'mismatch', UNKNOWN: 'unverified' } as const)[
          verified.validation
        ],
    // Without an attestation, `origin` is only the app's own claim.
    attestedOrigin: (verified.validation !== 'UNKNOWN' && verified.origin) || undefined,
  }
}

/** The origin to show for a request: the attested one, otherwise the one from the app's metadata. */
export function originOf(app: RequestingApp): string {
  if (app.attestedOrigin) return app.attestedOrigin
  return URL.canParse(app.url) ? new URL(app.url).origin : app.url
}
