import { useEffect, useState } from 'react'

import { connectWallet, requestUri } from '../../../core/connection/connect.ts'
import { isMobile } from '../../../core/platform/isMobile.ts'
import { installedConnector } from '../../../core/wallets/installedConnector.ts'
import { platformsOf } from '../../../core/wallets/platforms.ts'
import type { Platform } from '../../../core/wallets/platforms.ts'
import type { ViewData } from '../../../core/view/view.ts'
import type { WalletListing } from '../../../core/wallets/WalletListing.ts'
import { useInstance, useKitState } from '../../../react/context.ts'
import { desk, globe, phone, puzzle } from '../../icons/guide.ts'
import { Icon } from '../../parts/Icon.tsx'
import { Segmented } from '../../parts/Segmented.tsx'
import { Style } from '../../parts/Style.tsx'
import { usePairedWallet } from '../../hooks/usePairedWallet.ts'
import { useText } from '../../hooks/useText.ts'
import { walletConnectText } from '../../strings/walletConnect.ts'
import css from '../../styles/walletConnect.css?inline'
import { ConnectingExternal } from '../connect/ConnectingExternal.tsx'
import { Downloads } from '../wallets/Downloads.tsx'
import { ByApp } from './ByApp.tsx'
import { ByCode } from './ByCode.tsx'
import { Ended } from './Ended.tsx'
import { useUriAttempt } from './useUriAttempt.ts'

const tabs = {
  browser: { icon: puzzle, text: 'walletConnect.browser' },
  code: { icon: phone, text: 'walletConnect.phone' },
  mobile: { icon: phone, text: 'walletConnect.phone' },
  web: { icon: globe, text: 'walletConnect.web' },
  desktop: { icon: desk, text: 'walletConnect.desktop' },
  missing: { icon: puzzle, text: 'walletConnect.browser' },
} as const satisfies Record<Platform, { icon: string; text: keyof typeof walletConnectText }>

/**
 * Connects the selected wallet through one of its platforms: browser, phone, web or desktop. If no
 * wallet is selected, shows a QR code that any wallet can scan.
 *
 * @see spec §4.7; docs/views.md#connectingwalletconnect
 */
export function ConnectingWalletConnect({ data }: { data: ViewData['ConnectingWalletConnect'] }) {
  const wallet = data?.wallet
  const t = useText(walletConnectText)
  const installed = useKitState((state) => Boolean(wallet && installedConnector(state, wallet)))
  const platforms = platformsOf(wallet, { mobile: isMobile(), installed })
  const [chosen, setChosen] = useState<Platform>()
  const platform = chosen && platforms.includes(chosen) ? chosen : platforms[0]
  const body = (
    <div className="gf-platform" key={platform} data-switched={chosen ? '' : undefined}>
      <ByPlatform platform={platform} wallet={wallet} />
    </div>
  )
  return (
    <div className="gf-body gf-platforms" data-compact={platforms.length > 3 ? '' : undefined}>
      <Style css={css} />
      {platforms.length > 1 ? (
        <Segmented
          label={t('walletConnect.platforms')}
          value={platform}
          onChange={setChosen}
          tabs={platforms.map((value) => ({
            value,
            label: (
              <>
                <Icon d={tabs[value].icon} size={16} />
                {t(tabs[value].text)}
              </>
            ),
          }))}
        >
          {body}
        </Segmented>
      ) : (
        body
      )}
    </div>
  )
}

function ByPlatform({
  platform,
  wallet,
}: {
  platform: Platform
  wallet: WalletListing | undefined
}) {
  if (wallet && platform === 'browser') return <ByBrowser wallet={wallet} />
  if (wallet && platform === 'missing') return <Downloads data={{ wallet }} />
  return <ByRelay platform={platform} wallet={wallet} />
}

/** Connects a wallet on a phone, the web or a desktop through the relay. Requests a URI on mount. */
export function ByRelay(props: { platform: Platform; wallet: WalletListing | undefined }) {
  const { platform, wallet } = props
  const kit = useInstance()
  const status = useUriAttempt()?.status
  const paired = usePairedWallet()
  const isUnpaired = !paired
  useEffect(() => requestUri(kit), [kit, platform, isUnpaired])
  // While the attempt is pending, this view stays, even if the wallet is already paired.
  const isPending = status === 'pending'
  if (paired && !isPending) return <ConnectingExternal data={{ ...paired, wallet }} />
  if (status === 'rejected' || status === 'failed') return <Ended wallet={wallet} status={status} />
  if (!wallet || platform === 'code') return <ByCode wallet={wallet} />
  if (status === 'expired') return <Ended wallet={wallet} status="expired" />
  const kind = platform === 'web' || platform === 'desktop' ? platform : 'mobile'
  return <ByApp wallet={wallet} kind={kind} />
}

/** Connects the installed wallet on mount, without opening another view. */
function ByBrowser({ wallet }: { wallet: WalletListing }) {
  const kit = useInstance()
  const connector = useKitState((state) => installedConnector(state, wallet))
  useEffect(() => {
    if (!connector || kit.getState().attempt?.connectorId === connector.id) return
    void connectWallet(kit, { connector, wallet, inPlace: true })
  }, [kit, connector, wallet])
  if (!connector) return null
  return (
    <ConnectingExternal data={{ connectorId: connector.id, namespace: connector.chain, wallet }} />
  )
}
