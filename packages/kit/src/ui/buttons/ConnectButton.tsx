import type { ReactNode } from 'react'

import { useKitContext, useKitState } from '../../react/context.ts'
import { AddressAvatar } from '../parts/AddressAvatar.tsx'
import { useCatalog, useText } from '../hooks/useText.ts'
import { buttonText } from '../strings/buttons.ts'
import { Buttons, PageButton, shownOn } from './Buttons.tsx'
import type { On, Responsive } from './Buttons.tsx'
import { usePageState } from './usePageState.ts'
import type { ConnectButtonState } from './usePageState.ts'

/** The content of the account button: avatar and name, or one of them. */
export type AccountStatus = 'full' | 'avatar' | 'address'
/** The content of the network button: image and name, one of them, or nothing. */
export type ChainStatus = 'full' | 'icon' | 'name' | 'none'

/** The props of `ConnectButton`, the same as RainbowKit's. */
export type ConnectButtonProps = {
  /**
   * Label of the button while no wallet is connected.
   *
   * @default 'Connect Wallet', in the visitor's language
   */
  label?: string
  /**
   * Whether to show the balance.
   *
   * @default { smallScreen: false, largeScreen: true }
   */
  showBalance?: Responsive<boolean>
  /**
   * What to show of the account.
   *
   * @default 'full'
   */
  accountStatus?: Responsive<AccountStatus>
  /**
   * What to show of the network.
   *
   * @default { smallScreen: 'icon', largeScreen: 'full' }
   */
  chainStatus?: Responsive<ChainStatus>
}

/**
 * Connects a wallet. Once connected, shows the account, and the network if the site has several or the
 * wallet's chain is unsupported. Same props as RainbowKit's.
 *
 * @example <ConnectButton chainStatus="icon" showBalance={{ smallScreen: false, largeScreen: true }} />
 * @example
 * // A button that the site renders:
 * <ConnectButton.Custom>
 *   {({ account, openConnectModal, openAccountModal }) => (
 *     <button onClick={account ? openAccountModal : openConnectModal}>
 *       {account?.displayName ?? 'Connect'}
 *     </button>
 *   )}
 * </ConnectButton.Custom>
 */
export function ConnectButton(props: ConnectButtonProps) {
  const { chainStatus = { smallScreen: 'icon', largeScreen: 'full' } as const } = props
  const page = usePageState()
  const networks = useKitState((state) => state.networks.length)
  const showsChain = page.account && (networks > 1 || page.chain?.unsupported)
  return (
    <Buttons>
      {showsChain && <Chain key="chain" page={page} status={chainStatus} />}
      {/* The same element before and after connecting, so that it keeps the focus. */}
      <Main key="main" page={page} {...props} />
    </Buttons>
  )
}

/** A connect button that the site renders. */
ConnectButton.Custom = function Custom(props: {
  /** Renders the button from the wallet's state. */
  children: (page: ConnectButtonState) => ReactNode
}): ReactNode {
  return props.children(usePageState())
}

/**
 * The account part of `ConnectButton`; empty while no wallet is connected.
 *
 * @example <AccountButton accountStatus="avatar" showBalance={false} />
 */
export function AccountButton(props: Pick<ConnectButtonProps, 'showBalance' | 'accountStatus'>) {
  const page = usePageState()
  return page.account ? (
    <Buttons>
      <Main page={page} {...props} />
    </Buttons>
  ) : null
}

/**
 * The network part of `ConnectButton`; also shown while no wallet is connected.
 *
 * @example <NetworkButton chainStatus="icon" />
 */
export function NetworkButton(props: Pick<ConnectButtonProps, 'chainStatus'>) {
  const page = usePageState()
  return (
    <Buttons>
      <Chain page={page} status={props.chainStatus ?? 'full'} />
    </Buttons>
  )
}

function Main({ page, ...props }: { page: ConnectButtonState } & ConnectButtonProps) {
  const {
    showBalance = { smallScreen: false, largeScreen: true },
    accountStatus = 'full',
    label,
  } = props
  const t = useText(buttonText, useCatalog())
  const { account, connecting } = page
  const { avatar: Custom } = useKitContext()
  const sum = account?.displayBalance
  // The label contains the visible text, in its order (WCAG 2.5.3).
  const address = sum ? `${sum} ${account.displayName}` : account?.displayName
  return (
    <PageButton
      kind={account ? undefined : 'primary'}
      label={address && t('button.account', { address })}
      onClick={account ? page.openAccountModal : page.openConnectModal}
    >
      {account ? (
        <>
          {sum && (
            <span data-sum="" data-on={shownOn(showBalance, Boolean)}>
              <bdi dir="ltr">{sum}</bdi>
            </span>
          )}{' '}
          <Art on={shownOn(accountStatus, (status) => status !== 'address')}>
            {Custom ? (
              <Custom address={account.address} ensImage={account.ensAvatar} size={24} />
            ) : account.ensAvatar ? (
              <img src={account.ensAvatar} alt="" />
            ) : (
              <AddressAvatar address={account.address} />
            )}
          </Art>
          <span data-on={shownOn(accountStatus, (status) => status !== 'avatar')}>
            <bdi dir="ltr">{account.displayName}</bdi>
          </span>
        </>
      ) : (
        <>
          {connecting && <span data-spin="" aria-hidden />}
          <span>{connecting ? t('button.connecting') : (label ?? t('button.connect'))}</span>
        </>
      )}
    </PageButton>
  )
}

function Chain({ page, status }: { page: ConnectButtonState; status: Responsive<ChainStatus> }) {
  const t = useText(buttonText, useCatalog())
  const { chain } = page
  const text = chain?.unsupported
    ? t('button.switchNetwork')
    : (chain?.name ?? t('button.selectNetwork'))
  return (
    <PageButton
      kind={chain?.unsupported ? 'bad' : undefined}
      label={chain && !chain.unsupported ? t('button.network', { network: chain.name }) : undefined}
      on={chain?.unsupported ? undefined : shownOn(status, (value) => value !== 'none')}
      onClick={page.openChainModal}
    >
      {chain && !chain.unsupported && (
        <Art shape="hex" on={shownOn(status, (value) => value === 'full' || value === 'icon')}>
          {chain.iconUrl && <img src={chain.iconUrl} alt="" />}
        </Art>
      )}
      <span
        data-on={
          chain?.unsupported
            ? undefined
            : shownOn(status, (value) => value === 'full' || value === 'name')
        }
      >
        {text}
      </span>
    </PageButton>
  )
}

function Art(props: { shape?: 'hex'; on: On; children: ReactNode }) {
  return (
    <span data-art={props.shape ?? 'round'} data-on={props.on} aria-hidden>
      {props.children}
    </span>
  )
}
