import type { CDPSession, Page } from 'playwright-core'

/**
 * Adds a virtual platform authenticator to a tab. It confirms each request
 * immediately.
 */
export async function addAuthenticator(
  page: Page,
  { hasPrf = true }: { hasPrf?: boolean } = {},
): Promise<{ session: CDPSession; authenticatorId: string }> {
  const session = await page.context().newCDPSession(page)
  await session.send('WebAuthn.enable')
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      ctap2Version: 'ctap2_1',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
      hasPrf,
    },
  })
  return { session, authenticatorId }
}
