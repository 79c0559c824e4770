import { generateKeyPair, exportPKCS8, exportSPKI } from 'jose'
import { startOauthProviders } from './startOauthProviders.ts'
import { startOpenIdProvider } from './startOpenIdProvider.ts'

export type Socials = Awaited<ReturnType<typeof startSocials>>

/** Starts local providers for the six logins in a window. */
export async function startSocials() {
  const apple = await generateKeyPair('ES256', { extractable: true })
  const [googleProvider, appleProvider, oauth] = await Promise.all([
    startOpenIdProvider({
      name: 'Google',
      clientId: 'google-client',
      clientSecret: 'google secret',
    }),
    startOpenIdProvider({
      name: 'Apple',
      clientId: 'apple-client',
      clientSecret: 'known only to the local provider',
      appleKey: await exportSPKI(apple.publicKey),
    }),
    startOauthProviders(),
  ])
  return {
    google: googleProvider,
    apple: appleProvider,
    oauth,
    /** The value of `GATEFOLD_SOCIALS`. */
    settings: {
      google: {
        clientId: 'google-client',
        clientSecret: 'google secret',
        issuer: googleProvider.issuer,
      },
      apple: {
        clientId: 'apple-client',
        teamId: 'TEAM',
        keyId: 'KEY',
        privateKey: await exportPKCS8(apple.privateKey),
        issuer: appleProvider.issuer,
      },
      ...oauth.settings,
    },
    async stop() {
      await Promise.all([googleProvider.stop(), appleProvider.stop(), oauth.stop()])
    },
  }
}
