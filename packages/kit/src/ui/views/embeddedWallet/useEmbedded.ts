import { limits } from '@gatefold/protocol'

import { connectWallet } from '../../../core/connection/connect.ts'
import { isConnectedBy } from '../../../core/connection/account.ts'
import { embeddedOf } from '../../../connectors/embeddedWallet/embedded.ts'
import type { EmbeddedConnector } from '../../../connectors/embeddedWallet/embedded.ts'
import { FrameError } from '../../../connectors/embeddedWallet/FrameError.ts'
import { embeddedId } from '../../../connectors/embeddedWallet/id.ts'
import { cooldownSeconds } from '../../../connectors/embeddedWallet/loginRecords.ts'
import type { Attempt } from '../../../core/connection/attempt.ts'
import { currentView } from '../../../core/view/view.ts'
import type { KitInstance } from '../../../core/kit/Kit.ts'
import { useInstance, useKitState } from '../../../react/context.ts'
import type { Translate } from '../../hooks/useText.ts'
import type { embeddedText } from '../../strings/embedded.ts'

/** The embedded wallet's connector, which its views need. */
export function useEmbedded(): EmbeddedConnector {
  return embeddedOf(useInstance())!
}

/** Whether the embedded wallet is connected. */
export function useIsLoggedIn(): boolean {
  return useKitState((state) => isConnectedBy(state, embeddedId))
}

/** The attempt to connect the embedded wallet after a login. */
export function useLoginAttempt(): Attempt | undefined {
  return useKitState((state) =>
    state.attempt?.connectorId === embeddedId ? state.attempt : undefined,
  )
}

/** The email address or user name of the visitor. */
export function useLoginName(): string {
  return useKitState((state) => state.sessions[embeddedId]?.userName ?? '')
}

/** Connects the wallet after a login; the view on screen shows the progress. */
export async function connectEmbedded(kit: KitInstance): Promise<void> {
  const connector = embeddedOf(kit)!
  await connectWallet(kit, { connector, inPlace: true })
}

/**
 * Records the view on screen. @returns a function that returns whether this
 * view is still on screen
 */
export function stayingOnView(kit: KitInstance): () => boolean {
  const before = currentView(kit.getState().view)
  return () => kit.getState().view.open && currentView(kit.getState().view) === before
}

const texts: Record<string, keyof typeof embeddedText> = {
  'frame.email': 'embedded.invalidEmail',
  'frame.cooldown': 'embedded.cooldown',
  'frame.load_failed': 'embedded.notLoaded',
  'frame.timeout': 'embedded.slow',
  too_soon: 'embedded.cooldown',
  email_taken: 'embedded.taken',
  code_wrong: 'embedded.wrongCode',
  code_expired: 'embedded.expiredCode',
  too_many_codes: 'embedded.tooMany',
  mail_unavailable: 'embedded.noMail',
  email_moved: 'embedded.moved',
  not_offered: 'embedded.notOffered',
  social_unavailable: 'embedded.notOffered',
  social_expired: 'embedded.expiredLogin',
  social_incomplete: 'embedded.expiredLogin',
  social_declined: 'embedded.declinedHint',
  social_failed: 'embedded.providerFailed',
}

/** The code of a frame error. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof FrameError ? error.code : undefined
}

/** Whether an error has its own text. */
export function hasErrorText(error: unknown): boolean {
  return Object.hasOwn(texts, codeOf(error) ?? '')
}

/** The text of a login error. */
export function loginErrorText(error: unknown, t: Translate<typeof embeddedText>): string {
  if (!(error instanceof FrameError)) return t('embedded.failed')
  // The server may enforce a cooldown of which this page does not know, because
  // another page has requested a code.
  const seconds = cooldownSeconds() || limits.codeResendSeconds
  return t(texts[error.code] ?? 'embedded.failed', { n: seconds })
}
