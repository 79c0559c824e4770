import { Fragment, useEffect, useState } from 'react'
import type { ComponentType } from 'react'

import { push } from '../../../core/view/navigate.ts'
import { hasInstalledWallet } from '../../../core/wallets/hasInstalledWallet.ts'
import { connectMethods } from '../../../core/wallets/walletRows.ts'
import { isIos, isTelegram } from '../../../core/platform/device.ts'
import type { ConnectMethod, RemoteFeatures } from '../../../core/features/features.ts'
import type { KitInstance } from '../../../core/kit/Kit.ts'
import { useInstance, useKitState } from '../../../react/context.ts'
import { key, mark } from '../../icons/base.ts'
import { Artwork } from '../../parts/Artwork.tsx'
import { Icon } from '../../parts/Icon.tsx'
import { List, Row, RowChevron } from '../../parts/List.tsx'
import { Consent, LegalFooter, needsConsent } from '../../parts/Legal.tsx'
import { Scroll } from '../../parts/Scroll.tsx'
import { inertRef } from '../../hooks/inertRef.ts'
import { useText } from '../../hooks/useText.ts'
import { WalletList } from '../../parts/WalletList.tsx'
import { connectText } from '../../strings/connect.ts'

type BlockProps = {
  /** Whether there is another connect method. */
  hasOthers: boolean
}

/** A connect method. */
export type ConnectBlock = {
  /** Its component in the connect view. */
  Block: ComponentType<BlockProps>
  /** Whether it is shown: it is enabled, and a connector supports it. */
  isOffered(kit: KitInstance, features: RemoteFeatures): boolean
}

/**
 * The connect methods, including those that connectors add; unknown methods are
 * not shown.
 */
export const connectBlocks: { [method in ConnectMethod]?: ConnectBlock } = {
  wallet: { Block: WalletBlock, isOffered: ({ options }) => options.enableWallets !== false },
}

/**
 * The connect methods, in the configured order.
 *
 * @see spec §2.11.1–2, §9.9.1; docs/views.md#connect
 */
export function Connect() {
  const kit = useInstance()
  const installed = useKitState(hasInstalledWallet)
  const remote = useKitState((state) => state.features)
  const branding = remote.reownBranding
  const t = useText(connectText)
  const { features, enableWalletGuide } = kit.options
  const consent = needsConsent(kit)
  const [accepted, setAccepted] = useState(!consent)
  useEffect(() => {
    // Telegram on iOS opens an app only in response to a tap, so the URI has to be ready before the tap.
    if (accepted && isTelegram() && isIos())
      import('../../../core/connection/connect.ts').then(
        ({ requestUri }) => requestUri(kit),
        () => {}, // retried and reported when a wallet is selected
      )
  }, [accepted, kit])
  const methods = connectMethods({
    configured: features?.connectMethodsOrder,
    hasInstalledWallet: installed,
  }).filter((method) => connectBlocks[method]?.isOffered(kit, remote))
  const content = (
    <>
      <Scroll max={470}>
        <div className="gf-section">
          {methods.map((method, index) => {
            const { Block } = connectBlocks[method]!
            return (
              <Fragment key={method}>
                {index > 0 && (method === 'wallet' || methods[index - 1] === 'wallet') && (
                  <div className="gf-divider">{t('connect.or')}</div>
                )}
                <Block hasOthers={methods.length > 1} />
              </Fragment>
            )
          })}
        </div>
      </Scroll>
      {enableWalletGuide && (
        <p className="gf-footer">
          {t('connect.guide')}{' '}
          <button
            type="button"
            className="gf-link"
            onClick={() => push(kit, { name: 'GetWallet' })}
          >
            {t('connect.guideLink')}
          </button>
        </p>
      )}
    </>
  )
  return (
    <div className="gf-body">
      {consent && <Consent accepted={accepted} onChange={setAccepted} />}
      {consent ? (
        <div className="gf-section" ref={inertRef(!accepted)}>
          {content}
        </div>
      ) : (
        content
      )}
      {!consent && <LegalFooter />}
      {branding &&
        !enableWalletGuide &&
        !kit.options.termsConditionsUrl &&
        !kit.options.privacyPolicyUrl && (
          <div className="gf-branding">
            <Icon d={mark} size={16} />
            Gatefold
          </div>
        )}
    </div>
  )
}

/**
 * The wallet list. With `collapseWallets` and at least one other connect method, a single row that opens
 * the list.
 */
function WalletBlock({ hasOthers }: BlockProps) {
  const kit = useInstance()
  const t = useText(connectText)
  if (!kit.options.features?.collapseWallets || !hasOthers) return <WalletList />
  return (
    <List label={t('connect.wallets')}>
      <Row
        start={<Artwork icon={key} />}
        title={t('connect.withWallet')}
        end={<RowChevron />}
        onClick={() => push(kit, { name: 'ConnectWallets' })}
      />
    </List>
  )
}
