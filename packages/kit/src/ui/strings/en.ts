import { toastText } from '../../core/notifications/toasts.ts'
import { accountText } from './account.ts'
import { allWalletsText } from './allWallets.ts'
import { buttonText } from './buttons.ts'
import { connectText } from './connect.ts'
import { connectingText } from './connecting.ts'
import { guideText } from './guide.ts'
import { networksText } from './networks.ts'
import { shellText } from './shell.ts'
import { walletConnectText } from './walletConnect.ts'

/** Every text a visitor can see, in English, by key. What a translation has to cover. */
export const en = {
  ...shellText,
  ...buttonText,
  ...connectText,
  ...connectingText,
  ...walletConnectText,
  ...allWalletsText,
  ...guideText,
  ...accountText,
  ...networksText,
  ...toastText,
} as const

export type Messages = Record<keyof typeof en, string>
