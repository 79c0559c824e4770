import { embeddedId } from '../../../connectors/embeddedWallet/id.ts'
import { isWindowProvider } from '../../../connectors/embeddedWallet/isWindowProvider.ts'
import { redirectSocialLogin } from '../../../connectors/embeddedWallet/redirectLogin.ts'
import { openSocialLogin } from '../../../connectors/embeddedWallet/socialLogin.ts'
import type { SocialLogin } from '../../../connectors/embeddedWallet/socialLogin.ts'
import { isConnectedBy } from '../../../core/connection/account.ts'
import { isAndroid, isIos, isTelegram } from '../../../core/platform/device.ts'
import type { KitInstance } from '../../../core/kit/Kit.ts'
import { currentView } from '../../../core/view/view.ts'
import { push } from '../../../core/view/navigate.ts'
import { useInstance, useKitState } from '../../../react/context.ts'
import { socialNames } from './socialNames.ts'

/** The logins that Telegram's in-app browser cannot complete, by platform. @see spec §6.7 */
const telegramExclusions = () =>
  isIos() ? ['google'] : isAndroid() ? ['facebook', 'x'] : isMac() ? ['x'] : []

function isMac(): boolean {
  return /mac/iu.test(navigator.userAgent)
}

/** The social logins of the site, in their order. */
export function useSocials(): readonly string[] {
  const own = useInstance().options.features?.socials
  const remote = useKitState((state) => state.features.socials)
  const socials = Array.isArray(own) ? (own as readonly string[]) : remote
  const excluded = isTelegram() ? telegramExclusions() : []
  return (socials || []).filter((name) => socialNames[name] && !excluded.includes(name))
}

/**
 * The login whose window is open, for each instance. Not in the view's data,
 * which cannot contain a window.
 */
const logins = new WeakMap<KitInstance, SocialLogin>()

export function socialLoginOf(kit: KitInstance): SocialLogin | undefined {
  return logins.get(kit)
}

/**
 * Opens the window of a login, in a click handler. Telegram's in-app browser
 * does not open windows; there, this tab navigates to the provider.
 *
 * @param inTab - navigates in this tab in any browser
 */
export function openLogin(kit: KitInstance, provider: string, inTab = isTelegram()): void {
  logins.get(kit)?.cancel()
  if (!isWindowProvider(provider)) return
  kit.track({ event: 'SOCIAL_LOGIN_STARTED', properties: { provider } })
  logins.set(kit, (inTab ? redirectSocialLogin : openSocialLogin)(kit, provider))
}

/** Starts a login and shows its view. Call it in a click handler. */
export function startSocial(kit: KitInstance, provider: string): void {
  if (isWindowProvider(provider)) {
    openLogin(kit, provider)
    push(kit, { name: 'ConnectingSocial', data: { provider } })
  } else if (currentView(kit.getState().view).name !== 'ConnectingFarcaster') {
    kit.track({ event: 'SOCIAL_LOGIN_STARTED', properties: { provider } })
    push(kit, { name: 'ConnectingFarcaster' })
  }
}

/**
 * Tracks whether the wallet was connected after a login.
 *
 * @param failure - the message if it was not
 */
export function trackOutcome(kit: KitInstance, provider: string, failure: string): void {
  if (isConnectedBy(kit.getState(), embeddedId))
    kit.track({ event: 'SOCIAL_LOGIN_SUCCESS', properties: { provider } })
  else kit.track({ event: 'SOCIAL_LOGIN_ERROR', properties: { provider, message: failure } })
}
