import { useState } from 'react'

import { addressGroups } from '../../../core/account/addressGroups.ts'
import type { ReceiveTarget } from '../../../core/account/receive.ts'
import type { Account, AccountType } from '../../../core/connection/Connection.ts'
import { push } from '../../../core/view/navigate.ts'
import type { ViewData } from '../../../core/view/view.ts'
import { networkArt } from '../../../core/wallets/art.ts'
import { useInstance, useKitState } from '../../../react/context.ts'
import { useKitAccount } from '../../../react/hooks.ts'
import { useKitNames } from '../../../react/names.ts'
import { useKitIdentity } from '../../../react/queries.ts'
import { buy, copy as copyIcon, down, share as shareIcon } from '../../icons/account.ts'
import { check, help } from '../../icons/base.ts'
import { tag } from '../../icons/names.ts'
import { seal } from '../../icons/wallets.ts'
import { Artwork } from '../../parts/Artwork.tsx'
import { Avatar } from '../../parts/Avatar.tsx'
import { Button } from '../../parts/Button.tsx'
import { Icon } from '../../parts/Icon.tsx'
import { List, Row, RowChevron } from '../../parts/List.tsx'
import { Note } from '../../parts/Note.tsx'
import { QrCode } from '../../parts/QrCode.tsx'
import { Segmented } from '../../parts/Segmented.tsx'
import { Style } from '../../parts/Style.tsx'
import { useCopy } from '../../hooks/useCopy.ts'
import { useLastValue } from '../../hooks/useLastValue.ts'
import { useShare } from '../../hooks/useShare.ts'
import { useText } from '../../hooks/useText.ts'
import { useWalletArt } from '../../hooks/useWalletArt.ts'
import { accountText } from '../../strings/account.ts'
import { receiveText } from '../../strings/receive.ts'
import css from '../../styles/receive.css?inline'
import { useCurrentNetwork } from '../networks/useCurrentNetwork.ts'
import { useReceiveTarget } from './useReceiveTarget.ts'

const text = { ...accountText, ...receiveText }

/**
 * The address of the active account: as a QR code, as text, and to copy or share.
 *
 * @see docs/views.md#walletreceive
 */
export function WalletReceive({ data }: { data: ViewData['WalletReceive'] }) {
  const t = useText(text)
  const { target, others } = useReceiveTarget(data?.network)
  const [type, setType] = useState<AccountType>()
  const accounts = target?.accounts ?? []
  const account = accounts.find((one) => one.type === type) ?? accounts[0]
  if (!target || !account) return null
  const content = <Receive target={target} account={account} hasOthers={others.length > 0} />
  return (
    <div className="gf-body">
      <Style css={css} />
      <Name target={target} address={account.address} />
      {accounts.length > 1 ? (
        <Segmented
          label={t('receive.kinds')}
          tabs={accounts.map(({ type: value }) => ({
            value,
            label: (
              <>
                <Icon d={value === 'ordinal' ? seal : buy} size={16} />
                {value !== 'eoa' && t(`wallets.${value}`)}
              </>
            ),
          }))}
          value={account.type}
          onChange={setType}
        >
          {content}
        </Segmented>
      ) : (
        content
      )}
      {target.network && !target.network.testnet && <ChooseName target={target} />}
    </div>
  )
}

/** Avatar and name of the account, or a placeholder while the name is loading. Renders nothing without a name. */
function Name({ target, address }: { target: ReceiveTarget; address: string }) {
  const t = useText(receiveText)
  const { namespace } = target
  const { isConnected } = useKitAccount({ namespace })
  const { data, isLoading } = useKitIdentity({ namespace })
  const identity = useLastValue(data, isConnected)
  const name = identity?.name ?? target.name
  if (name)
    return (
      <p className="gf-receive-name">
        <Avatar address={address} src={identity?.avatar} size={28} />
        <bdi>{name}</bdi>
      </p>
    )
  if (!isLoading) return null
  return (
    <div className="gf-receive-name" role="status" aria-label={t('receive.loadingName')}>
      <span className="gf-skeleton" />
    </div>
  )
}

/** Opens the registration of a name, if the active account has none. */
function ChooseName({ target: { namespace } }: { target: ReceiveTarget }) {
  const kit = useInstance()
  const t = useText(text)
  const isActive = useKitState((state) => state.namespace === namespace)
  const { data: identity } = useKitIdentity()
  const { data } = useKitNames()
  if (!isActive || !identity || identity.name || !data?.zone || data.names.length > 0) return null
  return (
    <List label={t('account.chooseName')}>
      <Row
        start={<Artwork icon={tag} />}
        title={t('account.chooseName')}
        note={t('receive.chooseNameHint')}
        end={<RowChevron />}
        onClick={() => push(kit, { name: 'ChooseAccountName' })}
      />
    </List>
  )
}

/** One address, with its network and the actions. */
function Receive(props: { target: ReceiveTarget; account: Account; hasOthers: boolean }) {
  const { target, account, hasOthers } = props
  const kit = useInstance()
  const t = useText(text)
  const current = useCurrentNetwork(target.namespace)
  const network = target.network ?? current.network
  const name = network?.name ?? current.name
  const { connector } = useKitAccount({ namespace: target.namespace })
  const { name: wallet } = useWalletArt(connector)
  const art = network ? networkArt(kit, network) : ({ icon: help, shape: 'hex' } as const)
  const { length } = target.networks
  const note =
    account.type === 'smartAccount'
      ? t('wallets.smartAccount')
      : length > 1
        ? t('receive.networks', { n: length })
        : wallet
  const hasChoice = length > 1 || hasOthers
  return (
    <div className="gf-section">
      <div className="gf-receive-code">
        <QrCode text={account.address} label={t('receive.qrLabel', { network: name })}>
          <Artwork {...art} />
        </QrCode>
      </div>
      <Address address={account.address} />
      <List label={t('receive.network')}>
        <Row
          start={<Artwork {...art} />}
          title={name}
          note={note}
          {...(hasChoice && {
            end: <Icon d={down} size={16} />,
            onClick: () => push(kit, { name: 'WalletCompatibleNetworks', data: { network } }),
          })}
        />
      </List>
      <Warning account={account} accounts={target.accounts} network={name} />
      <Actions key={account.address} address={account.address} />
    </div>
  )
}

/** The whole address, in groups of four. Selected text is copied without the spaces between the groups. */
function Address({ address }: { address: string }) {
  const t = useText(receiveText)
  const groups = addressGroups(address)
  const columns = groups.length % 5 === 0 ? 5 : 6
  const last = groups.length - 1
  return (
    <div
      className="gf-address"
      dir="ltr"
      role="group"
      aria-label={t('receive.address')}
      style={{ '--gf-columns': columns }}
      onCopy={(event) => {
        const selected = String(getSelection()).replaceAll(/\s/g, '')
        // Other selections start or end outside of the address.
        if (!selected || !address.includes(selected)) return
        event.preventDefault()
        event.clipboardData.setData('text/plain', selected)
      }}
    >
      {groups.map((group, index) =>
        index === 0 || index === last ? (
          <b key={index}>{group}</b>
        ) : (
          <span key={index}>{group}</span>
        ),
      )}
    </div>
  )
}

/**
 * A warning about funds that must not be sent to the address; red if they would
 * certainly be lost.
 */
function Warning(props: { account: Account; accounts: readonly Account[]; network: string }) {
  const { account, accounts, network } = props
  const t = useText(receiveText)
  const only = t('receive.only', { network })
  if (account.type === 'smartAccount')
    return (
      <Note kind="bad" title={only}>
        {t('receive.smartAccountHint')}
      </Note>
    )
  if (account.type === 'ordinal')
    return (
      <Note kind="warn" title={t('receive.ordinal')}>
        {t('receive.ordinalHint')}
      </Note>
    )
  if (accounts.some(({ type }) => type === 'ordinal'))
    return <Note>{t('receive.paymentHint')}</Note>
  return (
    <Note kind="warn" title={only}>
      {t('receive.onlyHint')}
    </Note>
  )
}

/** Copies the address and, if the browser supports it, shares it. */
function Actions({ address }: { address: string }) {
  const t = useText(text)
  const { copied, copy } = useCopy(t('account.copyFailed'))
  const { canShare, share } = useShare(t('receive.shareFailed'))
  return (
    <div className="gf-receive-actions">
      <Button
        {...(!copied && { kind: 'primary' })}
        icon={copied ? check : copyIcon}
        onClick={() => copy(address)}
      >
        {t(copied ? 'wallets.copied' : 'wallets.copy')}
      </Button>
      <p className="gf-hidden" role="status">
        {copied && t('account.copied')}
      </p>
      {canShare && (
        <Button icon={shareIcon} onClick={() => share(address)}>
          {t('receive.share')}
        </Button>
      )}
    </div>
  )
}
