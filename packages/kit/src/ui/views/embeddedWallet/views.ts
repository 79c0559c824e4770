import { embeddedOf } from '../../../connectors/embeddedWallet/embedded.ts'
import type { ConnectorViews, Views } from '../../views.ts'
import { embeddedText } from '../../strings/embedded.ts'
import { EmailBlock } from './EmailField.tsx'
import { PasskeyBlock } from './PasskeyBlock.tsx'
import { socialNames } from './socialNames.ts'
import { SocialBlock } from './SocialBlock.tsx'

const login = () => import('./chunks/login.ts')
const socials = () => import('./chunks/socials.ts')
const settings = () => import('./chunks/settings.ts')

const views: Views = {
  AccountSettings: async () => ({ View: (await settings()).AccountSettings }),
  ApproveTransaction: async () => {
    const {
      ApproveTransaction: View,
      CardTitle: Title,
      NoLeading: Leading,
    } = await import('./ApproveTransaction.tsx')
    return { View, Title, Leading }
  },
  ConnectSocials: async () => ({ View: (await socials()).ConnectSocials }),
  ConnectingFarcaster: async () => ({
    View: (await import('./ConnectingFarcaster.tsx')).ConnectingFarcaster,
  }),
  ConnectingPasskey: async () => ({
    View: (await import('./ConnectingPasskey.tsx')).ConnectingPasskey,
  }),
  ConnectingSocial: async () => ({
    View: (await socials()).ConnectingSocial,
    title: ({ provider }) => socialNames[provider] ?? provider,
  }),
  EmailLogin: async () => ({ View: (await login()).EmailLogin }),
  EmailVerifyDevice: async () => ({ View: (await login()).EmailVerifyDevice }),
  EmailVerifyOtp: async () => ({ View: (await login()).EmailVerifyOtp }),
  UpdateEmailPrimaryOtp: async () => ({ View: (await settings()).UpdateEmailPrimaryOtp }),
  UpdateEmailSecondaryOtp: async () => ({ View: (await settings()).UpdateEmailSecondaryOtp }),
  UpdateEmailWallet: async () => ({ View: (await settings()).UpdateEmailWallet }),
}

/**
 * What the embedded wallet's connector adds to the modal: views, their titles,
 * and connect methods.
 */
export const embeddedViews: ConnectorViews = {
  views,
  titles: embeddedText,
  methods: {
    email: {
      Block: EmailBlock,
      isOffered: (kit, { email }) =>
        email && kit.options.features?.email !== false && embeddedOf(kit) !== undefined,
    },
    // Social logins and passkeys are off by default: the site enables those
    // that its frame supports.
    social: {
      Block: SocialBlock,
      isOffered: (kit, { socials }) =>
        socials !== false &&
        Boolean(kit.options.features?.socials) &&
        embeddedOf(kit) !== undefined,
    },
    passkey: {
      Block: PasskeyBlock,
      isOffered: (kit, { passkey }) =>
        passkey && Boolean(kit.options.features?.passkey) && embeddedOf(kit) !== undefined,
    },
  },
}
