import { showToast } from '../../../core/notifications/showToast.ts'
import { useEffect, useId, useState } from 'react'

import { limits } from '@gatefold/protocol'

import { showUniversalConnector } from '../../../core/connection/connect.ts'
import { findUniversalConnector } from '../../../core/connection/findUniversalConnector.ts'
import { isMobile } from '../../../core/platform/isMobile.ts'
import { useInstance } from '../../../react/context.ts'
import { close } from '../../icons/base.ts'
import { seal, search as glass } from '../../icons/wallets.ts'
import { qr } from '../../icons/code.ts'
import { Button } from '../../parts/Button.tsx'
import { Empty } from '../../parts/Empty.tsx'
import { Field } from '../../parts/Field.tsx'
import { Icon } from '../../parts/Icon.tsx'
import { IconButton } from '../../parts/IconButton.tsx'
import { Note } from '../../parts/Note.tsx'
import { Scroll } from '../../parts/Scroll.tsx'
import { Style } from '../../parts/Style.tsx'
import { usePairedWallet } from '../../hooks/usePairedWallet.ts'
import { useText } from '../../hooks/useText.ts'
import { useDebounced } from '../../../react/useDebounced.ts'
import { useEntryState } from '../../hooks/useEntryState.ts'
import { WalletGrid, WalletGridSkeleton } from '../../parts/WalletGrid.tsx'
import { useWalletPages } from '../../hooks/useWalletPages.ts'
import { allWalletsText } from '../../strings/allWallets.ts'
import css from '../../styles/wallets.css?inline'

/** Height of the grid in units: four rows and the top of a fifth one. */
const gridHeight = 404

/**
 * The wallet directory, with a search field and a filter for certified wallets. Pages load while
 * scrolling.
 *
 * @see spec §5.3.1, §9.2, §9.9.2; docs/views.md#allwallets
 */
export function AllWallets() {
  const kit = useInstance()
  const t = useText(allWalletsText)
  const saved = useEntryState(initialSearch)
  const [text, setText] = useState(saved.text)
  const [certified, setCertified] = useState(saved.certified)
  useEffect(() => void Object.assign(saved, { text, certified }), [saved, text, certified])
  const query = text.trim()
  const search = useDebounced(
    query.length < limits.searchMinLength ? '' : query,
    limits.searchDebounceMs,
  )
  const pages = useWalletPages({ search, certified })
  const showAll = () => {
    setText('')
    setCertified(false)
  }
  const toggle = () => {
    setCertified(!certified)
    if (!certified) showToast(kit, 'info', t('allWallets.certifiedOn'))
  }
  const paired = usePairedWallet()
  const reasonId = useId()
  const list = `${search}:${certified}`
  const kind = search ? (certified ? 'noneCertified' : 'none') : 'empty'
  return (
    <div className="gf-body">
      <Style css={css} />
      <div className="gf-toolbar">
        <Field
          type="search"
          icon={glass}
          label={t('allWallets.search')}
          value={text}
          onChange={setText}
          end={
            text && (
              <IconButton icon={close} label={t('allWallets.clear')} onClick={() => setText('')} />
            )
          }
        />
        <button
          type="button"
          className="gf-toggle"
          aria-pressed={certified}
          aria-label={t('allWallets.certified')}
          onClick={toggle}
        >
          <Icon d={seal} />
        </button>
        {findUniversalConnector(kit.getState().connectors) && isMobile() && (
          <button
            type="button"
            className="gf-toggle"
            aria-label={t('allWallets.code')}
            onClick={() => showUniversalConnector(kit)}
          >
            <Icon d={qr} />
          </button>
        )}
      </div>
      {paired && (
        <Note>
          <span id={reasonId}>{t('allWallets.oneAtATime', { wallet: paired.name })}</span>
        </Note>
      )}
      {pages.offline && (
        <Note role="status">
          {t('allWallets.offline')}{' '}
          <button type="button" className="gf-link" onClick={pages.retry}>
            {t('allWallets.tryAgain')}
          </button>
        </Note>
      )}
      <Scroll
        key={list}
        max={gridHeight}
        fixed
        top={saved.scrollTops.get(list) ?? 0}
        onScroll={(top) => saved.scrollTops.set(list, top)}
      >
        {pages.failed ? (
          <>
            <Empty plate="torn" role="alert" title={t('allWallets.failed')}>
              {t('allWallets.failedHint')}
            </Empty>
            <Button onClick={pages.retry}>{t('allWallets.tryAgain')}</Button>
          </>
        ) : pages.pending ? (
          <WalletGridSkeleton rows={5} />
        ) : pages.wallets.length === 0 ? (
          <>
            <Empty plate="search" title={t(`allWallets.${kind}`, { text: search })}>
              {t(`allWallets.${kind}Hint`)}
            </Empty>
            {(search || certified) && (
              <Button onClick={certified && search ? () => setCertified(false) : showAll}>
                {t(certified && search ? 'allWallets.searchAll' : 'allWallets.showAll')}
              </Button>
            )}
          </>
        ) : (
          <WalletGrid
            wallets={pages.wallets}
            showBadges={!certified}
            reasonId={paired && reasonId}
            onLoadMore={pages.more}
          />
        )}
      </Scroll>
      <p className="gf-hidden" role="status">
        {pages.pending
          ? t('allWallets.loading')
          : search && pages.count > 0
            ? t('allWallets.found', { count: pages.count })
            : ''}
      </p>
    </div>
  )
}

/** The search text, the filter, and the scroll position of each result list; restored when the visitor goes back. */
type SearchState = { text: string; certified: boolean; scrollTops: Map<string, number> }

const initialSearch = (): SearchState => ({ text: '', certified: false, scrollTops: new Map() })
