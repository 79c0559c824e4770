import { memo, useEffect, useRef } from 'react'

import { selectWallet } from '../../core/connection/connect.ts'
import { installedConnector } from '../../core/wallets/installedConnector.ts'
import { walletImage } from '../../core/wallets/images.ts'
import type { WalletListing } from '../../core/wallets/WalletListing.ts'
import { useInstance, useKitState } from '../../react/context.ts'
import { seal } from '../icons/wallets.ts'
import { allWalletsText } from '../strings/allWallets.ts'
import { Artwork } from './Artwork.tsx'
import { Icon } from './Icon.tsx'
import { makeOnlyTabStop, moveFocus } from '../hooks/moveFocus.ts'
import { useText } from '../hooks/useText.ts'

/**
 * A grid of wallets with one Tab stop; arrow keys move the focus inside.
 *
 * @param props.marks - whether certified wallets show a mark
 * @param props.reason - id of the element that explains why only installed wallets can be selected
 * @param props.onEnd - called when the end is near; undefined on the last page
 */
export function WalletGrid(props: {
  wallets: readonly WalletListing[]
  marks: boolean
  reason?: string | undefined
  onEnd?: (() => void) | undefined
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
            mark={props.marks && wallet.badge_type === 'certified'}
            stop={index === 0}
            reason={props.reason}
          />
        ))}
      </ul>
      {props.onEnd && <More onSeen={props.onEnd} />}
    </>
  )
}

const Cell = memo(function Cell(props: {
  wallet: WalletListing
  mark: boolean
  stop: boolean
  reason: string | undefined
}) {
  const { wallet, mark, reason } = props
  const kit = useInstance()
  const t = useText(allWalletsText)
  const off = useKitState((state) => Boolean(reason) && !installedConnector(state, wallet))
  return (
    <li>
      <button
        type="button"
        className="gf-cell"
        tabIndex={props.stop ? 0 : -1}
        // Not `disabled`: the cell has to stay focusable for screen readers to read the reason.
        aria-disabled={off || undefined}
        aria-describedby={off ? reason : undefined}
        onClick={() => !off && selectWallet(kit, wallet)}
      >
        <span className="gf-certified">
          <Artwork size={56} name={wallet.name} src={walletImage(kit, wallet)} />
          {/* On the picture, to leave the full width for the name. */}
          {mark && <Icon d={seal} />}
        </span>
        <span>
          {/* dir=auto truncates a long name at the end of its own writing direction. */}
          <span dir="auto">{wallet.name}</span>
          {mark && <span className="gf-hidden">{t('allWallets.certifiedMark')}</span>}
        </span>
      </button>
    </li>
  )
})

/** A placeholder row that requests the next page when it is scrolled near the visible area. */
function More({ onSeen }: { onSeen: () => void }) {
  const end = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const { current } = end
    if (!current) return
    const watch = new IntersectionObserver(
      (entries) => entries.some(({ isIntersecting }) => isIntersecting) && onSeen(),
      { root: current.closest('.gf-scroll'), rootMargin: '200px' },
    )
    watch.observe(current)
    return () => watch.disconnect()
  }, [onSeen])
  return (
    <div ref={end}>
      <WalletGridSkeleton rows={1} />
    </div>
  )
}

/** The placeholder of a loading grid, with cells of the same size. */
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
