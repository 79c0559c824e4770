import { createContext, useContext } from 'react'

import { isConnectedBy } from '../../core/connection/account.ts'
import { connectWallet, selectWallet } from '../../core/connection/connect.ts'
import { push } from '../../core/view/navigate.ts'
import { recommendedRows, walletRows } from '../../core/wallets/walletRows.ts'
import type { WalletRow } from '../../core/wallets/walletRows.ts'
import { connectorArt, walletArt } from '../../core/wallets/art.ts'
import { isMobile } from '../../core/platform/isMobile.ts'
import { useInstance, useKitState } from '../../react/context.ts'
import { qr } from '../icons/code.ts'
import { connectText } from '../strings/connect.ts'
import { Artwork } from './Artwork.tsx'
import { Empty } from './Empty.tsx'
import { List, Row, RowChevron, RowSkeleton, Tag } from './List.tsx'
import { useFeaturedWallets } from '../hooks/useFeaturedWallets.ts'
import { usePairedWallet } from '../hooks/usePairedWallet.ts'
import { useText } from '../hooks/useText.ts'

/**
 * Whether the page on the right of the wide layout belongs to a row; without an argument, to the row for all
 * wallets. Undefined in the compact layout.
 */
export const ChosenRow = createContext<((row?: WalletRow) => boolean) | undefined>(undefined)

/**
 * The wallets of the connect view. Installed wallets are shown immediately; placeholders reserve space for
 * the wallets that the gateway adds.
 *
 * @see spec §9.9.1–5; docs/views.md#wallet-list
 */
export function WalletList() {
  const kit = useInstance()
  const connectors = useKitState((state) => state.connectors)
  const recent = useKitState((state) => state.recent)
  const namespace = useKitState((state) => state.view.namespace)
  const { featured, excluded, recommended, count, pending } = useFeaturedWallets()
  const t = useText(connectText)
  const chosen = useContext(ChosenRow)
  const { customWallets = [], features, allWallets, featuredWalletIds } = kit.options
  const mobile = isMobile()
  const rows = walletRows({
    connectors,
    namespace,
    mobile,
    recent,
    featured,
    recommended,
    custom: customWallets,
    excluded,
    order: features?.connectorTypeOrder,
  })
  const listed = (group: WalletRow['group']) => rows.filter((row) => row.group === group).length
  const room = !pending
    ? 0
    : (featuredWalletIds?.length ??
      (customWallets.length > 0
        ? 0
        : recommendedRows({ installed: listed('injected'), recent: listed('recent') })))
  const showsAll = allWallets !== 'HIDE' && (allWallets !== 'ONLY_MOBILE' || mobile)
  if (rows.length + room === 0 && !showsAll)
    return <Empty title={t('connect.none')}>{t('connect.noneHint')}</Empty>
  return (
    <List label={t('connect.wallets')}>
      {rows.map((row) => (
        <WalletItem
          key={'wallet' in row ? row.wallet.id : row.connector.chain + row.connector.id}
          row={row}
        />
      ))}
      {Array.from({ length: room }, (_, index) => (
        <RowSkeleton key={index} />
      ))}
      {showsAll && (
        <Row
          start={
            <span className="gf-artwork-grid">
              {[...recommended, ...featured].slice(0, 4).map((wallet) => (
                <Artwork key={wallet.id} size={18} {...walletArt(kit, wallet)} />
              ))}
            </span>
          }
          title={t('connect.allWallets')}
          current={chosen?.()}
          end={
            <>
              {count !== undefined && (
                <Tag>
                  <bdi dir="ltr">{roundedCount(count)}</bdi>
                </Tag>
              )}
              <RowChevron />
            </>
          }
          onClick={() => push(kit, { name: 'AllWallets' })}
        />
      )}
    </List>
  )
}

function WalletItem({ row }: { row: WalletRow }) {
  const kit = useInstance()
  const t = useText(connectText)
  const linked = useKitState(
    (state) => 'connector' in row && isConnectedBy(state, row.connector.id),
  )
  const paired = usePairedWallet()
  const current = useContext(ChosenRow)?.(row)
  if ('wallet' in row) {
    const { wallet, group } = row
    return (
      <Row
        start={<Artwork {...walletArt(kit, wallet)} />}
        title={wallet.name}
        current={current}
        disabled={Boolean(paired)}
        note={paired && t('connect.oneAtATime', { wallet: paired.name })}
        // A disabled row has no tag, because its note needs the width.
        end={group === 'recent' && !paired && <Tag>{t('connect.recent')}</Tag>}
        onClick={() => selectWallet(kit, wallet)}
      />
    )
  }
  const { connector } = row
  const isRelay = Boolean(connector.universal)
  return (
    <Row
      start={
        <Artwork
          {...connectorArt(kit, connector)}
          {...(isRelay && { name: undefined, picture: undefined, icon: qr })}
        />
      }
      title={connector.name}
      current={current}
      disabled={isRelay && linked}
      note={isRelay && paired?.name}
      end={
        isRelay && !linked ? (
          <Tag>{t('connect.qrCode')}</Tag>
        ) : linked ? (
          <Tag kind="accent">{t('connect.connected')}</Tag>
        ) : connector.type === 'MULTI_CHAIN' ? (
          <Tag>{t('connect.severalChains')}</Tag>
        ) : (
          connector.type !== 'EXTERNAL' && <Tag kind="good">{t('connect.installed')}</Tag>
        )
      }
      onClick={() => void connectWallet(kit, { connector })}
    />
  )
}

/**
 * The text for a count: exact below ten, otherwise rounded down to a multiple of ten with a plus sign.
 *
 * @see docs/views.md#wallet-list
 */
function roundedCount(count: number): string {
  return count < 10 ? String(count) : `${Math.floor(count / 10) * 10}+`
}
