import { useState } from 'react'
import type { ReactNode } from 'react'

import { getAccount } from '../../../core/connection/account.ts'
import { GatewayError } from '../../../core/kit/requestErrors.ts'
import { formatAmount } from '../../../core/money/formatAmount.ts'
import type { Nft } from '../../../core/money/nfts.ts'
import { push } from '../../../core/view/navigate.ts'
import { networkArt } from '../../../core/wallets/art.ts'
import { useInstance, useKitState } from '../../../react/context.ts'
import { useKitNfts } from '../../../react/nfts.ts'
import { receive } from '../../icons/account.ts'
import { retry } from '../../icons/base.ts'
import { frame } from '../../icons/nfts.ts'
import { Artwork } from '../../parts/Artwork.tsx'
import { Button } from '../../parts/Button.tsx'
import { Empty } from '../../parts/Empty.tsx'
import { Tag } from '../../parts/List.tsx'
import { Note } from '../../parts/Note.tsx'
import { Scroll } from '../../parts/Scroll.tsx'
import { Style } from '../../parts/Style.tsx'
import { makeOnlyTabStop, moveFocus } from '../../hooks/moveFocus.ts'
import { useEntryState } from '../../hooks/useEntryState.ts'
import { useLastValue } from '../../hooks/useLastValue.ts'
import { useNextPage } from '../../hooks/useNextPage.ts'
import { useText } from '../../hooks/useText.ts'
import { nftsText } from '../../strings/nfts.ts'
import css from '../../styles/nfts.css?inline'
import { NftPicture } from './NftPicture.tsx'

const atTop = () => ({ top: 0, showsSpam: false })

/**
 * The NFTs of the account on all networks, as a grid of pictures.
 *
 * @param props.max - the height from which the grid scrolls, in units
 * @see docs/views.md#account
 */
export function NftGrid({ max }: { max: number }) {
  const t = useText(nftsText)
  const live = useKitState((state) => Boolean(getAccount(state)))
  const locale = useKitState((state) => state.locale)
  const query = useKitNfts()
  const data = useLastValue(query.data, live)
  const { error, isFetching, hasNextPage } = query
  const saved = useEntryState(atTop)
  const [showsSpam, setShowsSpam] = useState(saved.showsSpam)
  const refetch = () => void query.refetch()
  if (!data && error instanceof GatewayError && error.status === 404)
    return (
      <Panel>
        <Empty drawing={frame} title={t('nfts.notServed')}>
          {t('nfts.notServedHint')}
        </Empty>
      </Panel>
    )
  if (!data && error)
    return (
      <Panel>
        <Empty plate="torn" title={t('nfts.failed')} role="alert">
          {t('nfts.failedHint')}
        </Empty>
        <Button kind="primary" icon={retry} busy={isFetching} onClick={refetch}>
          {t('nfts.tryAgain')}
        </Button>
      </Panel>
    )
  if (!data)
    return (
      <Panel>
        <Scroll max={max}>
          <div className="gf-nfts" role="status" aria-label={t('nfts.loading')}>
            <CellSkeletons count={4} />
          </div>
        </Scroll>
      </Panel>
    )
  // The pages shift with each transfer, so a page may repeat an NFT of the
  // previous page.
  const all = [
    ...new Map(
      data.pages.flatMap(({ nfts }) => nfts.map((nft) => [nft.id, nft] as const)),
    ).values(),
  ]
  const shown = showsSpam ? all : all.filter(({ isSpam }) => !isSpam)
  const hidden = all.length - shown.length
  const failed = [
    ...new Set(data.pages.flatMap((page) => page.failed.map((network) => network.name))),
  ]
  const isCut = !hasNextPage && data.pages.at(-1)?.next !== undefined
  return (
    <Panel>
      {failed.length > 0 && (
        <Note
          kind="warn"
          role="status"
          title={t('nfts.partial')}
          end={
            <button type="button" className="gf-link" onClick={refetch}>
              {t('nfts.tryAgain')}
            </button>
          }
        >
          {t('nfts.partialHint', { networks: listOf(failed, locale) })}
        </Note>
      )}
      <Scroll max={max} top={saved.top} onScroll={(top) => void Object.assign(saved, { top })}>
        {shown.length > 0 && (
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- keyboard navigation for the cells inside
          <ul
            className="gf-nfts"
            aria-label={t('nfts.label')}
            onKeyDown={moveFocus}
            onFocus={makeOnlyTabStop}
          >
            {shown.map((nft, index) => (
              <Cell key={nft.id} nft={nft} isTabStop={index === 0} />
            ))}
          </ul>
        )}
        {hasNextPage && (
          <NextPage
            isBusy={query.isFetchingNextPage}
            isFailed={query.isFetchNextPageError}
            pages={data.pages.length}
            onVisible={() => void query.fetchNextPage()}
          />
        )}
        {all.length === 0 && !hasNextPage && failed.length === 0 && <None />}
        {hidden > 0 && (
          <p className="gf-footer">
            {t('nfts.spam', { n: hidden })}{' '}
            <button
              type="button"
              onClick={() => {
                Object.assign(saved, { showsSpam: true })
                setShowsSpam(true)
              }}
            >
              {t('nfts.showSpam')}
            </button>
          </p>
        )}
        {showsSpam && <p className="gf-footer">{t('nfts.spamHint')}</p>}
        {isCut && <p className="gf-footer">{t('nfts.first', { n: all.length })}</p>}
      </Scroll>
    </Panel>
  )
}

function None() {
  const kit = useInstance()
  const t = useText(nftsText)
  return (
    <>
      <Empty drawing={frame} title={t('nfts.empty')}>
        {t('nfts.emptyHint')}
      </Empty>
      {kit.options.features?.receive !== false && (
        <Button icon={receive} onClick={() => push(kit, { name: 'WalletReceive' })}>
          {t('nfts.receive')}
        </Button>
      )}
    </>
  )
}

function Panel({ children }: { children: ReactNode }) {
  return (
    <>
      <Style css={css} />
      <div className="gf-holdings">{children}</div>
    </>
  )
}

/** An NFT with its picture, name and collection. Opens its details. */
function Cell({ nft, isTabStop }: { nft: Nft; isTabStop: boolean }) {
  const kit = useInstance()
  const t = useText(nftsText)
  const locale = useKitState((state) => state.locale)
  const hasNetworks = useKitState(({ networks }) => networks.length > 1)
  const { amount, network } = nft
  const count = formatAmount(amount, locale, { compact: true })
  return (
    <li>
      <button
        type="button"
        className="gf-nft"
        tabIndex={isTabStop ? 0 : -1}
        onClick={() => push(kit, { name: 'Nft', data: { id: nft.id } })}
      >
        <span>
          <NftPicture nft={nft} />
          {amount !== '1' && (
            <span aria-hidden>
              <Tag>×{count}</Tag>
            </span>
          )}
          {hasNetworks && <Artwork {...networkArt(kit, network)} size={20} />}
        </span>
        <b dir="auto">{nft.name}</b>
        <small dir="auto">{nft.collection || '\u00A0'}</small>
        <span className="gf-hidden">
          {hasNetworks && t('nfts.on', { network: network.name })}
          {amount !== '1' && `, ${t('nfts.owned', { n: count })}`}
        </span>
      </button>
    </li>
  )
}

/** Requests the next page when it is near the visible area; after a failure, on request. */
function NextPage(props: {
  isBusy: boolean
  isFailed: boolean
  pages: number
  onVisible: () => void
}) {
  const { isBusy, isFailed, pages, onVisible } = props
  const t = useText(nftsText)
  const end = useNextPage<HTMLDivElement>({ isPaused: isBusy || isFailed, pages, onVisible })
  if (isFailed && !isBusy)
    return (
      <p className="gf-footer" role="alert">
        {t('nfts.moreFailed')}{' '}
        <button type="button" onClick={onVisible}>
          {t('nfts.tryAgain')}
        </button>
      </p>
    )
  return (
    <div ref={end} className="gf-nfts" aria-hidden>
      <CellSkeletons count={2} />
    </div>
  )
}

/** Placeholders with the size of the cells. */
function CellSkeletons({ count }: { count: number }) {
  return Array.from({ length: count }, (_, index) => (
    <span key={index} className="gf-nft" aria-hidden>
      <span>
        <span className="gf-artwork gf-nft-picture">
          <span className="gf-skeleton" />
        </span>
      </span>
      <b>
        <span className="gf-skeleton" />
      </b>
      <small>
        <span className="gf-skeleton" />
      </small>
    </span>
  ))
}

/** The names of networks in a sentence. */
function listOf(names: readonly string[], locale: string): string {
  try {
    return new Intl.ListFormat(locale).format(names)
  } catch {
    // An invalid locale must not hide the names.
    return names.join(', ')
  }
}
