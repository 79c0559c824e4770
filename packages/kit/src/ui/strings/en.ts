import { pendingToastText } from '../../core/notifications/pendingToasts.ts'
import { toastText } from '../../core/notifications/toasts.ts'
import { accountText } from './account.ts'
import { activityText } from './activity.ts'
import { allWalletsText } from './allWallets.ts'
import { buttonText } from './buttons.ts'
import { buyText } from './buy.ts'
import { chartText } from './chart.ts'
import { connectText } from './connect.ts'
import { connectingText } from './connecting.ts'
import { embeddedText } from './embedded.ts'
import { frameText } from './frame.ts'
import { guideText } from './guide.ts'
import { moreTitles } from './moreTitles.ts'
import { namesText } from './names.ts'
import { networksText } from './networks.ts'
import { nftsText } from './nfts.ts'
import { receiveText } from './receive.ts'
import { sendText } from './send.ts'
import { shellText } from './shell.ts'
import { swapText } from './swap.ts'
import { tokensText } from './tokens.ts'
import { walletConnectText } from './walletConnect.ts'

/** All UI strings in English, by key. A translation has to define every key. */
export const en = {
  ...shellText,
  ...moreTitles,
  ...buttonText,
  ...connectText,
  ...connectingText,
  ...embeddedText,
  ...frameText,
  ...walletConnectText,
  ...allWalletsText,
  ...guideText,
  ...accountText,
  ...networksText,
  ...receiveText,
  ...activityText,
  ...sendText,
  ...namesText,
  ...tokensText,
  ...chartText,
  ...nftsText,
  ...swapText,
  ...buyText,
  ...toastText,
  ...pendingToastText,
} as const

export type Messages = Record<keyof typeof en, string>
