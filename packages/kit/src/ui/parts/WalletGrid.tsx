import { memo, useEffect, useRef } from 'react'

import { selectWallet } from '../../core/connection/connect.ts'
import { installedConnector } from '../../core/wallets/installedConnector.ts'
import { walletArt } from '../../core/wallets/art.ts'
import type { WalletListing } from '../../core/wallets/WalletListing.ts'
import { useInstance, useKitState } from '../../react/context.ts'
import { seal } from '../icons/wallets.ts'
import { allWalletsText } from '../strings/allWallets.ts'
import { Artwork } from './Artwork.tsx'
import { Icon } from './Icon.tsx'
import { makeOnlyTabStop, moveFocus } from '../hooks/moveFocus.ts'
import { useText } from '../hooks/useText.ts'

/**
 * A wallet grid with a single Tab stop. Arrow keys move the focus between cells.
 *
 * @param props.showBadges - whether certified wallets have a badge
 * @param props.reasonId - id of the element that explains why only installed wallets can be selected
 * @param props.onLoadMore - called when the visitor scrolls near the end; undefined on the last page
 */
export function WalletGrid(props: {
  wallets: readonly WalletListing[]
  showBadges: boolean
  reasonId?: string | undefined
  onLoadMore?: (() => void) | undefined
}) {
  const t = useText(allWalletsText)
  return (
    <>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- keyboard navigation for the cells inside */}
      <ul
        className="gf-grid"
        aria-label={t('allWallets.list')}
        onKeyDown={moveFocus}
        onFocus={makeOnlyTabStop}
      >
        {props.wallets.map((wallet, index) => (
          <Cell
            key={wallet.id}
            wallet={wallet}
            isCertified={props.showBadges && wallet.badge_type === 'certified'}
            isTabStop={index === 0}
            reasonId={props.reasonId}
          />
        ))}
      </ul>
      {props.onLoadMore && <NextPageTrigger onVisible={props.onLoadMore} />}
    </>
  )
}

const Cell = memo(function Cell(props: {
  wallet: WalletListing
  isCertified: boolean
  isTabStop: boolean
  reasonId: string | undefined
}) {
  const { wallet, isCertified, reasonId } = props
  const kit = useInstance()
  const t = useText(allWalletsText)
  const isDisabled = useKitState((state) => Boolean(reasonId) && !installedConnector(state, wallet))
  return (
    <li>
      <button
        type="button"
        className="gf-cell"
        tabIndex={props.isTabStop ? 0 : -1}
        // Not `disabled`: the cell has to stay focusable for screen readers to read the reason.
        aria-disabled={isDisabled || undefined}
        aria-describedby={isDisabled ? reasonId : undefined}
        onClick={() => !isDisabled && selectWallet(kit, wallet)}
      >
        <span className="gf-certified">
          <Artwork size={56} {...walletArt(kit, wallet)} />
          {/* The badge overlays the image, so that the name can use the full width. */}
          {isCertified && <Icon d={seal} />}
        </span>
        <span>
          {/* With dir=auto, a long name is truncated at its end, whichever direction it is written in. */}
          <span dir="auto">{wallet.name}</span>
          {isCertified && <span className="gf-hidden">{t('allWallets.certifiedMark')}</span>}
        </span>
      </button>
    </li>
  )
})

/** A placeholder row that requests the next page when it is within 200 px of the visible area. */
function NextPageTrigger({ onVisible }: { onVisible: () => void }) {
  const end = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const { current } = end
    if (!current) return
    const observer = new IntersectionObserver(
      (entries) => entries.some(({ isIntersecting }) => isIntersecting) && onVisible(),
      { root: current.closest('.gf-scroll'), rootMargin: '200px' },
    )
    observer.observe(current)
    return () => observer.disconnect()
  }, [onVisible])
  return (
    <div ref={end}>
      <WalletGridSkeleton rows={1} />
    </div>
  )
}

/** The placeholder shown while the grid loads. Its cells are as large as those of the grid. */
export function WalletGridSkeleton({ rows }: { rows: number }) {
  return (
    <div className="gf-grid" aria-hidden>
      {Array.from({ length: rows * 4 }, (_, index) => (
        <div className="gf-cell" key={index}>
          <span className="gf-skeleton" />
          <span>
            <span className="gf-skeleton" />
          </span>
        </div>
      ))}
    </div>
  )
}
