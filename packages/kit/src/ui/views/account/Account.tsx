import { showToast } from '../../../core/notifications/showToast.ts'
import { useLayoutEffect, useState } from 'react'
import type { ReactNode } from 'react'

import { limits } from '@gatefold/protocol'

import { accountFeatures } from '../../../core/account/accountFeatures.ts'
import type { AccountFeature } from '../../../core/account/accountFeatures.ts'
import { push } from '../../../core/view/navigate.ts'
import { explorerUrl } from '../../../core/networks/explorerUrl.ts'
import { formatBalance } from '../../../core/account/formatBalance.ts'
import { networkArt } from '../../../core/wallets/art.ts'
import { shortAddress } from '../../../core/account/shortAddress.ts'
import type { ViewEntry } from '../../../core/view/view.ts'
import { useInstance, useKitState } from '../../../react/context.ts'
import { useKitAccount } from '../../../react/hooks.ts'
import { useKitNames } from '../../../react/names.ts'
import { useKitBalance, useKitIdentity, useKitTokens } from '../../../react/queries.ts'
import { banknote, buy, copy as copyIcon, down, receive, send, swap } from '../../icons/account.ts'
import { check, clock, help, key, out, retry, spin } from '../../icons/base.ts'
import { tag } from '../../icons/names.ts'
import { Artwork } from '../../parts/Artwork.tsx'
import { Avatar } from '../../parts/Avatar.tsx'
import { Icon } from '../../parts/Icon.tsx'
import { List, Row, RowChevron, Tag } from '../../parts/List.tsx'
import { safeHref } from '../../../core/platform/safeHref.ts'
import { Style } from '../../parts/Style.tsx'
import { useCopy } from '../../hooks/useCopy.ts'
import { useLastValue } from '../../hooks/useLastValue.ts'
import { useRefresh } from './useRefresh.ts'
import { useText } from '../../hooks/useText.ts'
import { accountText } from '../../strings/account.ts'
import css from '../../styles/account.css?inline'
import { hasView, prefetchOnIntent } from '../../views.ts'
import { useCanBuy } from '../buy/useCanBuy.ts'
import { useCurrentNetwork } from '../networks/useCurrentNetwork.ts'
import { useDisconnectWallet } from '../../hooks/useDisconnectWallet.ts'
import { useWalletArt } from '../../hooks/useWalletArt.ts'
import { featureNamespaces } from '../../../data/featureNamespaces.ts'
import { GatewayError } from '../../../core/kit/requestErrors.ts'
import { Countdown } from './Countdown.tsx'
import { HoldingTabs, RoundActions, Total } from './Holdings.tsx'

const featureIcons: Record<AccountFeature['name'], string> = {
  onramp: buy,
  swaps: swap,
  send,
  receive,
  activity: clock,
}

/**
 * Balance, address and actions of the active account.
 *
 * @see docs/views.md#account
 */
export function Account() {
  const kit = useInstance()
  const t = useText(accountText)
  const account = useDisplayedAccount()
  const { name: networkName, network } = useCurrentNetwork()
  const { data: identity } = useKitIdentity()
  const avatar = useLastValue(identity?.avatar, account.live)
  const features = useKitState((state) => state.features)
  const namespace = useKitState((state) => state.namespace)
  const holdings = useHoldings(account.live)
  const canBuy = useLastValue(useCanBuy(), account.live)
  const actions = accountFeatures({
    features,
    namespace,
    hasGateway: kit.options.endpoints.gateway !== undefined,
    order: kit.options.features?.walletFeaturesOrder,
    send: kit.options.features?.send,
    receive: holdings ? kit.options.features?.receive : false,
  }).filter(
    ({ name, view }) =>
      hasView(view) && (canBuy || name !== 'onramp') && (network || name !== 'send'),
  )
  const { address } = account
  return (
    <div className="gf-body">
      <Style css={css} />
      <div className="gf-profile">
        {!holdings && <Avatar address={address} src={avatar} />}
        {holdings && !holdings.isError ? (
          <Total list={holdings.list} />
        ) : (
          <Balance live={account.live} />
        )}
        {network?.testnet && <Tag>{t('account.testNetwork')}</Tag>}
        {!network && <Tag kind="warn">{t('account.unsupported', { network: networkName })}</Tag>}
        <Address
          address={address}
          named={Boolean(identity?.name)}
          explorer={explorerUrl(network, address)}
          end={<Refresh hasTokens={Boolean(holdings)} />}
        />
      </div>
      {holdings && (
        <>
          <RoundActions
            actions={actions
              .filter(({ name }) => name !== 'activity')
              .map((action) => ({ ...action, icon: featureIcons[action.name] }))}
          />
          <HoldingTabs
            holdings={holdings}
            hasNfts={featureNamespaces.nfts.includes(namespace)}
            hasActivity={actions.some(({ name }) => name === 'activity')}
            canBuy={canBuy && actions.some(({ name }) => name === 'onramp')}
          />
        </>
      )}
      {!holdings && actions.length > 0 && (
        <List label={t('account.actions')}>
          {actions.map(({ name, view }) => (
            <Row
              key={name}
              start={<Artwork icon={featureIcons[name]} />}
              title={t(`account.${name}`)}
              end={<RowChevron />}
              onClick={() => push(kit, { name: view } as ViewEntry)}
            />
          ))}
        </List>
      )}
      {network && !network.testnet && identity && identity.name === undefined && <ChooseName />}
      <List label={t('account.settings')}>
        {holdings && <CurrencyRow />}
        {account.connector?.type === 'AUTH' && hasView('AccountSettings') && <SettingsRow />}
        <Disconnect />
      </List>
    </div>
  )
}

/** The active wallet, shown instead of the title; opens ProfileWallets. */
export function AccountHeading() {
  const kit = useInstance()
  const t = useText(accountText)
  const { address, connector, live } = useDisplayedAccount()
  const { data: identity } = useKitIdentity()
  const name = useLastValue(identity?.name, live)
  const art = useWalletArt(connector)
  const wallet = useLastValue(art.name, live)
  const src = useLastValue(art.src, live)
  const picture = useLastValue(art.picture, live)
  const short = shortAddress(address)
  return (
    <div className="gf-center">
      <button
        type="button"
        className="gf-chip"
        aria-label={t('account.wallets', { name: name ?? short })}
        {...prefetchOnIntent('ProfileWallets')}
        onClick={() => push(kit, { name: 'ProfileWallets' })}
      >
        <Artwork size={20} name={wallet} src={src} picture={picture} />
        <bdi dir={name ? undefined : 'ltr'}>{name ?? short}</bdi>
        <Icon d={down} size={16} />
      </button>
    </div>
  )
}

/**
 * The active network, shown instead of the back button; opens Networks if there
 * is a choice.
 */
export function AccountLeading() {
  const kit = useInstance()
  const t = useText(accountText)
  const { name, network } = useCurrentNetwork()
  const choice = useKitState(({ networks }) => networks.length > 1) || !network
  const art = (
    <Artwork size={24} shape="hex" icon={help} {...(network && networkArt(kit, network))} />
  )
  if (!choice || kit.options.enableNetworkSwitch === false)
    return (
      <span
        className="gf-icon-button"
        role="img"
        aria-label={t('account.networkOnly', { network: name })}
      >
        {art}
      </span>
    )
  return (
    <button
      type="button"
      className="gf-icon-button"
      aria-label={t('account.network', { network: name })}
      {...prefetchOnIntent('Networks')}
      onClick={() => push(kit, { name: 'Networks' })}
    >
      {art}
    </button>
  )
}

/** The balance, its skeleton while it loads or, after a failure, the time until the next request. */
function Balance({ live }: { live: boolean }) {
  const kit = useInstance()
  const t = useText(accountText)
  const locale = useKitState((state) => state.locale)
  const { data, isError, isFetching, errorUpdatedAt } = useKitBalance()
  const balance = useLastValue(data, live)
  const failed = t('account.balanceFailed')

  // A failure that happened before the view opened is shown instead of the
  // balance. A later failure is shown in a toast first; the layout effect
  // ensures that no frame shows both.
  const [earlier] = useState(errorUpdatedAt)
  const isNew = isError && errorUpdatedAt !== earlier
  const hasToast = useKitState(({ toast }) => toast?.message === failed)
  useLayoutEffect(() => {
    if (isNew) showToast(kit, 'error', failed)
  }, [kit, isNew, failed, errorUpdatedAt])

  if (balance) {
    const amount = formatBalance(balance.balance, locale)
    const { symbol } = balance
    // The width of the balance in digits. CSS scales the font by it, to keep the balance on one line.
    const length = amount.length + symbol.length * 0.45 + 0.4
    return (
      <p className="gf-balance" style={{ '--len': length }}>
        <bdi>{amount}</bdi>
        <small>{symbol}</small>
      </p>
    )
  }
  if (isError)
    return (
      <div className="gf-balance-state">
        {hasToast ? <b aria-hidden>–</b> : <b role={isNew ? undefined : 'alert'}>{failed}</b>}
        {isFetching ? (
          <small>{t('account.balanceNow')}</small>
        ) : (
          <Countdown until={errorUpdatedAt + limits.balanceRetryDelayMs} />
        )}
      </div>
    )
  return (
    <div className="gf-balance-state" role="status" aria-label={t('account.loadingBalance')}>
      <span className="gf-skeleton" />
    </div>
  )
}

/**
 * A button that copies the address, and a link to the explorer.
 *
 * @param props.named - whether the header shows a name instead of the address; if so, the button shows the address
 */
function Address(props: {
  address: string
  named: boolean
  explorer: string | undefined
  end: ReactNode
}) {
  const { address, named, explorer } = props
  const t = useText(accountText)
  const { copied, copy } = useCopy(t('account.copyFailed'))
  return (
    <p className="gf-links">
      <button
        type="button"
        className="gf-link"
        aria-label={named ? `${t('account.copy')} ${shortAddress(address)}` : t('account.copy')}
        onClick={() => copy(address)}
      >
        <Icon d={copied ? check : copyIcon} size={16} />
        {/* Both labels are laid out, so that the width does not change. */}
        <span className="gf-swap-label" data-second={copied || undefined}>
          <span>{named ? <bdi dir="ltr">{shortAddress(address)}</bdi> : t('account.copy')}</span>
          <span>{t('wallets.copied')}</span>
        </span>
      </button>
      <span className="gf-hidden" role="status">
        {copied && t('account.copied')}
      </span>
      {explorer && (
        <a className="gf-link" href={safeHref(explorer)} target="_blank" rel="noopener noreferrer">
          {t('account.explorer')}
        </a>
      )}
      {props.end}
    </p>
  )
}

/** A button that refetches the balances, bypassing the gateway's cache. */
function Refresh({ hasTokens }: { hasTokens: boolean }) {
  const t = useText(accountText)
  const { status, refresh } = useRefresh({ hasTokens, failed: t('account.refreshFailed') })
  const isBusy = status === 'busy'
  return (
    <>
      <button
        type="button"
        className="gf-link"
        aria-label={t('account.refresh')}
        aria-disabled={isBusy || undefined}
        onClick={isBusy ? undefined : refresh}
      >
        <Icon d={isBusy ? spin : retry} size={16} spin={isBusy} />
      </button>
      <span className="gf-hidden" role="status">
        {status !== 'idle' && t(isBusy ? 'account.refreshing' : 'account.refreshed')}
      </span>
    </>
  )
}

/** The currency of values and prices; opens the list of currencies. */
function CurrencyRow() {
  const kit = useInstance()
  const t = useText(accountText)
  const currency = useKitState((state) => state.preferences.currency)
  return (
    <Row
      start={<Artwork icon={banknote} />}
      title={t('account.currency')}
      end={
        <>
          <span className="gf-row-end">{currency}</span>
          <RowChevron />
        </>
      }
      onClick={() => push(kit, { name: 'Currency' })}
    />
  )
}

/** Opens the settings of a wallet that has settings in the modal. */
function SettingsRow() {
  const kit = useInstance()
  const t = useText(accountText)
  return (
    <Row
      start={<Artwork icon={key} />}
      title={t('account.settings')}
      end={<RowChevron />}
      onClick={() => push(kit, { name: 'AccountSettings' })}
    />
  )
}

/**
 * Opens the registration of a name, if the account has no name in the gateway's
 * zone.
 */
function ChooseName() {
  const kit = useInstance()
  const t = useText(accountText)
  const { data } = useKitNames()
  if (!data?.zone || data.names.length > 0) return null
  return (
    <List label={t('account.chooseName')}>
      <Row
        start={<Artwork icon={tag} />}
        title={t('account.chooseName')}
        end={<RowChevron />}
        onClick={() => push(kit, { name: 'ChooseAccountName' })}
      />
    </List>
  )
}

function Disconnect() {
  const t = useText(accountText)
  const { busy, disconnect } = useDisconnectWallet()
  return (
    <Row
      start={<Artwork kind="bad" icon={out} />}
      title={t(busy ? 'account.disconnecting' : 'account.disconnect')}
      end={busy && <Icon d={spin} spin />}
      busy={busy}
      onClick={disconnect}
    />
  )
}

/** The active account or, during the exit animation, the last one. */
function useDisplayedAccount() {
  const account = useKitAccount()
  const live = Boolean(account.address)
  const address = useLastValue(account.address, live) ?? ''
  const connector = useLastValue(account.connector, live)
  return { address, connector, live }
}

/**
 * The tokens of the account. Undefined without a gateway, for families without token balances, and if the gateway does
 * not serve balances; the account view then shows the native balance.
 */
function useHoldings(live: boolean) {
  const kit = useInstance()
  const namespace = useKitState((state) => state.namespace)
  const { data, error, isError, isFetching, errorUpdatedAt, refetch } = useKitTokens()
  const list = useLastValue(data, live)
  const isServed = !(error instanceof GatewayError && error.status === 404)
  if (!kit.options.endpoints.gateway || !featureNamespaces.tokens.includes(namespace) || !isServed)
    return undefined
  return {
    list,
    isError: isError && !list,
    isFetching,
    failedAt: errorUpdatedAt,
    onRetry: () => void refetch(),
  }
}
