import { getAccount } from '../../../core/connection/account.ts'
import { explorerUrl } from '../../../core/networks/explorerUrl.ts'
import { safeHref } from '../../../core/platform/safeHref.ts'
import { shortAddress } from '../../../core/account/shortAddress.ts'
import { networkArt } from '../../../core/wallets/art.ts'
import { useInstance, useKitState } from '../../../react/context.ts'
import { useKitTokens } from '../../../react/queries.ts'
import { copy as copyIcon } from '../../icons/account.ts'
import { check, retry } from '../../icons/base.ts'
import { useCopy } from '../../hooks/useCopy.ts'
import { useLastValue } from '../../hooks/useLastValue.ts'
import { useText } from '../../hooks/useText.ts'
import { Money, TokenAmount } from '../../parts/money/Amounts.tsx'
import { Artwork } from '../../parts/Artwork.tsx'
import { Button } from '../../parts/Button.tsx'
import { Empty } from '../../parts/Empty.tsx'
import { Fact, Facts } from '../../parts/money/Facts.tsx'
import { Icon } from '../../parts/Icon.tsx'
import { Skeletons } from '../../parts/money/Skeletons.tsx'
import { Style } from '../../parts/Style.tsx'
import { TokenStyle } from '../../parts/money/TokenStyle.tsx'
import { TokenPicture } from '../../parts/money/TokenPicture.tsx'
import { tokensText } from '../../strings/tokens.ts'
import css from '../../styles/holdings.css?inline'
import { PriceChart } from './PriceChart.tsx'

/**
 * A token of the account: balance, value, price, network and contract.
 *
 * @see docs/views.md#token
 */
export function Token({ data: { id } }: { data: { id: string } }) {
  const kit = useInstance()
  const t = useText(tokensText)
  const { data, isLoading, isError, isFetching, refetch } = useKitTokens()
  const account = useKitState((state) => getAccount(state)?.address)
  const isNative = useKitState(({ networks }) =>
    networks.some(({ caipNetworkId }) => caipNetworkId === id),
  )
  const found = data?.tokens.find((token) => token.id === id)
  const token = useLastValue(found, Boolean(found))
  const { copied, copy } = useCopy(t('tokens.copyFailed'))
  if (!token)
    return (
      <div className="gf-body">
        {isLoading ? (
          <Skeletons
            label={t('tokens.loading')}
            // A token that is not the native currency has a row for its contract.
            heights={[174, 176, isNative ? 79 : 120, 48]}
          />
        ) : isError && !data ? (
          <>
            <Empty plate="torn" role="alert" title={t('tokens.failed')}>
              {t('tokens.failedHint')}
            </Empty>
            <Button kind="primary" icon={retry} busy={isFetching} onClick={() => void refetch()}>
              {t('tokens.askAgain')}
            </Button>
          </>
        ) : (
          <Empty title={t('tokens.gone')}>{t('tokens.goneHint')}</Empty>
        )}
      </div>
    )
  const { address, network } = token
  const explorer = explorerUrl(network, address ?? account ?? '')
  return (
    <div className="gf-body">
      <Style css={css} />
      <TokenStyle />
      <div className="gf-hero">
        <TokenPicture token={token} size={64} />
        <small dir="auto">{token.name}</small>
        <b>
          <TokenAmount amount={token.amount} symbol={token.symbol} />
        </b>
        <small>
          {token.value === undefined ? t('tokens.noPrice') : <Money value={token.value} />}
        </small>
      </div>
      {token.value !== undefined && <PriceChart token={token} />}
      <Facts>
        {token.price !== undefined && (
          <Fact label={t('tokens.price')}>
            <Money value={token.price} />
          </Fact>
        )}
        <Fact label={t('tokens.network')}>
          <Artwork {...networkArt(kit, network)} size={16} />
          {network.name}
        </Fact>
        {address && (
          <Fact label={t('tokens.contract')}>
            <button
              type="button"
              className="gf-link"
              aria-label={`${t('tokens.copyContract')} ${shortAddress(address)}`}
              onClick={() => copy(address)}
            >
              <bdi dir="ltr">{shortAddress(address)}</bdi>
              <Icon d={copied ? check : copyIcon} size={16} />
            </button>
            <span className="gf-hidden" role="status">
              {copied && t('tokens.copied')}
            </span>
          </Fact>
        )}
      </Facts>
      {explorer && <Button href={safeHref(explorer)}>{t('tokens.explorer')}</Button>}
    </div>
  )
}
