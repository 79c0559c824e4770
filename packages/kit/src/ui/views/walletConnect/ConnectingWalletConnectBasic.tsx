import { push } from '../../../core/view/navigate.ts'
import { isMobile } from '../../../core/platform/isMobile.ts'
import { useInstance } from '../../../react/context.ts'
import { Artwork } from '../../parts/Artwork.tsx'
import { List, Row, RowChevron } from '../../parts/List.tsx'
import { Style } from '../../parts/Style.tsx'
import { useText } from '../../hooks/useText.ts'
import { WalletList } from '../../parts/WalletList.tsx'
import { connectText } from '../../strings/connect.ts'
import css from '../../styles/walletConnect.css?inline'
import { ByRelay } from './ConnectingWalletConnect.tsx'

/**
 * The view for sites without adapters or with `manualWCControl`: a QR code on desktop, a wallet list on
 * phones.
 *
 * @see spec §2.6.2; docs/views.md#connectingwalletconnectbasic
 */
export function ConnectingWalletConnectBasic() {
  const kit = useInstance()
  const t = useText(connectText)
  return (
    <div className="gf-body">
      <Style css={css} />
      {isMobile() ? (
        <WalletList />
      ) : (
        <>
          <ByRelay platform="code" wallet={undefined} />
          {kit.options.allWallets !== 'HIDE' && kit.options.allWallets !== 'ONLY_MOBILE' && (
            <List label={t('connect.wallets')}>
              <Row
                start={<Artwork />}
                title={t('connect.allWallets')}
                end={<RowChevron />}
                onClick={() => push(kit, { name: 'AllWallets' })}
              />
            </List>
          )}
        </>
      )}
    </div>
  )
}
