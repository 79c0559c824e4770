import { useEffect } from 'react'
import type { ReactNode } from 'react'

import { shortAddress } from '../../../core/account/shortAddress.ts'
import { formatAmount } from '../../../core/money/formatAmount.ts'
import { explorerUrl } from '../../../core/networks/explorerUrl.ts'
import { safeHref } from '../../../core/platform/safeHref.ts'
import { networkArt } from '../../../core/wallets/art.ts'
import { useInstance, useKitState } from '../../../react/context.ts'
import { useKitNfts } from '../../../react/nfts.ts'
import { copy as copyIcon } from '../../icons/account.ts'
import { check, retry } from '../../icons/base.ts'
import { frame } from '../../icons/nfts.ts'
import { Artwork } from '../../parts/Artwork.tsx'
import { Button } from '../../parts/Button.tsx'
import { Empty } from '../../parts/Empty.tsx'
import { Icon } from '../../parts/Icon.tsx'
import { Fact, Facts } from '../../parts/money/Facts.tsx'
import { Skeletons } from '../../parts/money/Skeletons.tsx'
import { Style } from '../../parts/Style.tsx'
import { useCopy } from '../../hooks/useCopy.ts'
import { useLastValue } from '../../hooks/useLastValue.ts'
import { useText } from '../../hooks/useText.ts'
import { nftsText } from '../../strings/nfts.ts'
import css from '../../styles/nfts.css?inline'
import { NftPicture } from './NftPicture.tsx'

/**
 * An NFT of the account: its picture, description, collection, network, contract and properties.
 *
 * @see docs/views.md#nft
 */
export function Nft({ data: { id } }: { data: { id: string } }) {
  const kit = useInstance()
  const t = useText(nftsText)
  const locale = useKitState((state) => state.locale)
  const { nft, isSearching, isFetching, hasFailed, onRetry } = useNft(id)
  if (!nft)
    return (
      <div className="gf-body">
        <Style css={css} />
        {isSearching ? (
          <>
            <span className="gf-artwork gf-nft-picture" data-large>
              <span className="gf-skeleton" />
            </span>
            <Skeletons label={t('nfts.loading')} heights={[28, 161, 48]} />
          </>
        ) : hasFailed ? (
          <>
            <Empty plate="torn" title={t('nfts.failed')} role="alert">
              {t('nfts.failedHint')}
            </Empty>
            <Button kind="primary" icon={retry} busy={isFetching} onClick={onRetry}>
              {t('nfts.tryAgain')}
            </Button>
          </>
        ) : (
          <Empty drawing={frame} title={t('nfts.gone')}>
            {t('nfts.goneHint')}
          </Empty>
        )}
      </div>
    )
  const { network, attributes } = nft
  const explorer = explorerUrl(network, nft.address)
  return (
    <div className="gf-body">
      <Style css={css} />
      <NftPicture nft={nft} isLarge />
      <div className="gf-nft-text">
        <h3 dir="auto">{nft.name}</h3>
        {nft.description && <p dir="auto">{nft.description}</p>}
      </div>
      <Facts>
        {nft.collection && (
          <Fact label={t('nfts.collection')}>
            <span dir="auto">{nft.collection}</span>
          </Fact>
        )}
        <Fact label={t('nfts.network')}>
          <Artwork {...networkArt(kit, network)} size={16} />
          {network.name}
        </Fact>
        {nft.amount !== '1' && (
          <Fact label={t('nfts.amount')}>
            <bdi>{formatAmount(nft.amount, locale)}</bdi>
          </Fact>
        )}
        <Fact label={t('nfts.tokenId')}>
          <Copy text={nft.tokenId} label={t('nfts.copyId')} copied={t('nfts.copiedId')} />
        </Fact>
        <Fact label={t('nfts.contract')}>
          <Copy
            text={nft.address}
            label={t('nfts.copyContract')}
            copied={t('nfts.copiedContract')}
          />
        </Fact>
      </Facts>
      {attributes.length > 0 && (
        <section className="gf-properties">
          <h3>{t('nfts.properties')}</h3>
          <dl>
            {attributes.map(({ name, value }, index) => (
              <div key={index}>
                <dt dir="auto">{name}</dt>
                <dd dir="auto">{value}</dd>
              </div>
            ))}
          </dl>
        </section>
      )}
      {explorer && <Button href={safeHref(explorer)}>{t('nfts.explorer')}</Button>}
    </div>
  )
}

/** A long text, shortened; a click copies it. */
function Copy(props: { text: string; label: string; copied: string }): ReactNode {
  const { text, label } = props
  const t = useText(nftsText)
  const { copied, copy } = useCopy(t('nfts.copyFailed'))
  const short = shortAddress(text)
  return (
    <>
      <button
        type="button"
        className="gf-link"
        aria-label={`${label} ${short}`}
        onClick={() => copy(text)}
      >
        <bdi dir="ltr">{short}</bdi>
        <Icon d={copied ? check : copyIcon} size={16} />
      </button>
      <span className="gf-hidden" role="status">
        {copied && props.copied}
      </span>
    </>
  )
}

/** An NFT of the account. If the site opened the view, it may be on a page that is not loaded yet. */
function useNft(id: string) {
  const { data, isError, isFetching, hasNextPage, isFetchNextPageError, fetchNextPage, refetch } =
    useKitNfts()
  const found = data?.pages.flatMap(({ nfts }) => nfts).find((nft) => nft.id === id)
  const nft = useLastValue(found, Boolean(found))
  const hasFailed = isError || Boolean(data?.pages.some(({ failed }) => failed.length > 0))
  const isOnNextPage = !nft && hasNextPage && !isFetchNextPageError
  useEffect(() => {
    if (isOnNextPage && !isFetching) void fetchNextPage()
  }, [isOnNextPage, isFetching, fetchNextPage])
  return {
    nft,
    isSearching: isOnNextPage || (!data && !isError),
    isFetching,
    hasFailed,
    onRetry: () => void refetch(),
  }
}
