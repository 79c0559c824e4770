import { useEffect, useId, useRef, useState } from 'react'
import type { ReactNode } from 'react'

import type { ChainNamespace } from '@gatefold/protocol'

import { getNetwork } from '../../../core/connection/account.ts'
import { connectWallet } from '../../../core/connection/connect.ts'
import {
  addWallet,
  disconnectAll,
  disconnectWallet,
  forgetWallet,
  switchWallet,
  walletsUsedBefore,
} from '../../../core/connection/linkedWallets.ts'
import type { Account, Connection } from '../../../core/connection/Connection.ts'
import { findConnector } from '../../../core/connection/Connector.ts'
import type { Connector } from '../../../core/connection/Connector.ts'
import { explorerUrl } from '../../../core/networks/explorerUrl.ts'
import { connectorArt } from '../../../core/wallets/art.ts'
import { shortAddress } from '../../../core/account/shortAddress.ts'
import { push } from '../../../core/view/navigate.ts'
import { useInstance, useKitState } from '../../../react/context.ts'
import { useKitConnections } from '../../../react/useKitConnections.ts'
import { useKitIdentity } from '../../../react/queries.ts'
import { bin, buy, copy as copyIcon, dots, plus } from '../../icons/account.ts'
import { check, out, spin } from '../../icons/base.ts'
import { external } from '../../icons/guide.ts'
import { seal } from '../../icons/wallets.ts'
import { Artwork } from '../../parts/Artwork.tsx'
import { Button } from '../../parts/Button.tsx'
import { Empty } from '../../parts/Empty.tsx'
import { Icon } from '../../parts/Icon.tsx'
import { IconButton } from '../../parts/IconButton.tsx'
import { List, Row, Tag } from '../../parts/List.tsx'
import { safeHref } from '../../../core/platform/safeHref.ts'
import { Scroll } from '../../parts/Scroll.tsx'
import { Segmented } from '../../parts/Segmented.tsx'
import { Style } from '../../parts/Style.tsx'
import { useCopy } from '../../hooks/useCopy.ts'
import { useNames } from '../../hooks/usePeer.ts'
import { useText } from '../../hooks/useText.ts'
import { accountText } from '../../strings/account.ts'
import css from '../../styles/account.css?inline'
import { familyNames } from '../../../data/familyNames.ts'
import { useWalletArt } from '../../hooks/useWalletArt.ts'

/**
 * The connected wallets of each chain family, and previously connected ones.
 *
 * @see docs/views.md#profilewallets
 */
export function ProfileWallets() {
  const kit = useInstance()
  const t = useText(accountText)
  const [namespace, setNamespace] = useState(useKitState((state) => state.namespace))
  const { namespaces } = kit.options
  return (
    <div className="gf-body">
      <Style css={css} />
      {namespaces.length > 1 ? (
        <Segmented
          label={t('wallets.chains')}
          tabs={namespaces.map((value) => ({ value, label: familyNames[value] ?? value }))}
          value={namespace}
          onChange={setNamespace}
        >
          <Family key={namespace} namespace={namespace} />
        </Segmented>
      ) : (
        <Family namespace={namespace} />
      )}
    </div>
  )
}

/** The wallets of one chain family. */
function Family({ namespace }: { namespace: ChainNamespace.ChainNamespace }) {
  const kit = useInstance()
  const t = useText(accountText)
  const connections = useKitConnections({ namespace })
  const multiWallet = useKitState((state) => state.features.multiWallet)
  const active = useKitState((state) => state.chains[namespace]?.connectorId)
  // Previous wallets are in storage rather than in the state, so a counter re-renders after a change.
  const [, setForgotten] = useState(0)
  const previous = walletsUsedBefore(kit, { namespace })
  const chain = familyNames[namespace] ?? namespace
  const [current, ...others] = connections
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // Moves the focus to the card after the focused row was removed.
    if (document.activeElement === document.body)
      list.current?.closest<HTMLElement>('.gf-card')?.focus({ preventScroll: true })
  }, [connections.length, previous.length])
  const empty = !current && previous.length === 0
  const connected = (connection: Connection) => (
    <ConnectedWallet
      key={connection.connectorId}
      namespace={namespace}
      connection={connection}
      current={connection.connectorId === active}
    />
  )
  return (
    <div className="gf-family" ref={list}>
      {empty && <Empty title={t('wallets.none', { chain })}>{t('wallets.noneHint')}</Empty>}
      {!empty && (
        <Scroll max={420}>
          {current && <Group caption={t('wallets.active')}>{connected(current)}</Group>}
          {others.length > 0 && (
            <Group
              caption={t('wallets.alsoConnected')}
              end={<DisconnectAll namespace={namespace} />}
            >
              {others.map(connected)}
            </Group>
          )}
          {previous.length > 0 && (
            <Group caption={t('wallets.previous')}>
              {previous.map((connector) => (
                <PreviousWallet
                  key={connector.id}
                  connector={connector}
                  namespace={namespace}
                  onForget={() => setForgotten((count) => count + 1)}
                />
              ))}
            </Group>
          )}
        </Scroll>
      )}
      {(multiWallet || !current) && (
        <Button
          kind={current ? undefined : 'primary'}
          icon={plus}
          onClick={() => addWallet(kit, { namespace })}
        >
          {t('wallets.add', { chain })}
        </Button>
      )}
    </div>
  )
}

function Group(props: { caption: string; end?: ReactNode; children: ReactNode }) {
  return (
    <section className="gf-group">
      <div className="gf-caption">
        <h3>{props.caption}</h3>
        {props.end}
      </div>
      <List label={props.caption}>{props.children}</List>
    </section>
  )
}

/** The row of a connected wallet, which expands to show the wallet's actions. */
function ConnectedWallet(props: {
  namespace: ChainNamespace.ChainNamespace
  connection: Connection
  current: boolean
}) {
  const { namespace, connection, current } = props
  const kit = useInstance()
  const t = useText(accountText)
  const connector = useKitState(({ connectors }) =>
    findConnector(connectors, connection.connectorId, namespace),
  )
  const { data: identity } = useKitIdentity({ namespace })
  const [open, setOpen] = useState(false)
  const [busy, setBusy] = useState<'switch' | 'disconnect'>()
  const actionsId = useId()
  const [first, ...more] = connection.accounts
  const address = first?.address ?? ''
  const art = useWalletArt(connector)
  const wallet = art.name ?? ''
  const several = more.length > 0
  const own = several ? wallet : (connection.name ?? (current ? identity?.name : undefined))
  const name = own ?? shortAddress(address)
  const parameters = { namespace, connectorId: connection.connectorId }
  const run = (what: typeof busy, action: () => Promise<void>) => {
    setBusy(what)
    void action().finally(() => setBusy(undefined))
  }
  return (
    <>
      <Row
        start={<Artwork {...art} />}
        title={own ?? <bdi dir="ltr">{name}</bdi>}
        note={
          several ? (
            t('wallets.addresses', { n: connection.accounts.length })
          ) : own ? (
            <>
              {wallet} · <bdi dir="ltr">{shortAddress(address)}</bdi>
            </>
          ) : (
            wallet
          )
        }
        current={current && !several}
        end={
          <>
            <span className="gf-hidden" role="status">
              {busy === 'switch' && t('wallets.switching')}
            </span>
            {!current && (
              <TextButton
                label={t('wallets.switchTo', { name })}
                busy={busy === 'switch'}
                onClick={() => run('switch', () => switchWallet(kit, parameters))}
              >
                {t('wallets.switch')}
              </TextButton>
            )}
            <button
              type="button"
              className="gf-icon-button"
              aria-label={t('wallets.more', { name })}
              aria-expanded={open}
              aria-controls={actionsId}
              onClick={() => setOpen(!open)}
            >
              <Icon d={dots} />
            </button>
          </>
        }
      />
      {several &&
        connection.accounts.map((account, index) => (
          <AddressRow key={account.address} account={account} current={current && index === 0} />
        ))}
      <li id={actionsId} hidden={!open} className="gf-actions">
        {open && (
          <WalletActions
            address={address}
            namespace={namespace}
            busy={busy === 'disconnect'}
            onDisconnect={() => run('disconnect', () => disconnectWallet(kit, parameters))}
          />
        )}
      </li>
    </>
  )
}

/** One of a wallet's addresses, with the purpose of the address. */
function AddressRow({ account, current }: { account: Account; current: boolean }) {
  const t = useText(accountText)
  const title = account.type === 'eoa' ? undefined : t(`wallets.${account.type}`)
  const address = <bdi dir="ltr">{shortAddress(account.address)}</bdi>
  return (
    <Row
      start={<Artwork icon={account.type === 'ordinal' ? seal : buy} />}
      title={title ?? address}
      note={title && address}
      current={current}
      end={current && <Tag kind="good">{t('wallets.active')}</Tag>}
    />
  )
}

/** The actions of a connected wallet, below its row. */
function WalletActions(props: {
  address: string
  namespace: ChainNamespace.ChainNamespace
  busy: boolean
  onDisconnect: () => void
}) {
  const { address, namespace, busy, onDisconnect } = props
  const t = useText(accountText)
  const network = useKitState((state) => getNetwork(state, namespace))
  const { copied, copy } = useCopy(t('account.copyFailed'))
  const explorer = safeHref(explorerUrl(network, address))
  return (
    <>
      {/* Not last: expanding the row moves the centered card up, which puts the last action under the pointer. */}
      <button
        type="button"
        className="gf-action"
        data-kind="bad"
        aria-disabled={busy || undefined}
        onClick={busy ? undefined : onDisconnect}
      >
        <Icon d={busy ? spin : out} size={16} spin={busy} />
        {t('account.disconnect')}
      </button>
      {explorer && (
        <a className="gf-action" href={explorer} target="_blank" rel="noopener noreferrer">
          <Icon d={external} size={16} />
          {t('wallets.explorer')}
        </a>
      )}
      <button type="button" className="gf-action" onClick={() => copy(address)}>
        <Icon d={copied ? check : copyIcon} size={16} />
        {t(copied ? 'wallets.copied' : 'wallets.copy')}
      </button>
      <span className="gf-hidden" role="status">
        {copied && t('account.copied')}
      </span>
    </>
  )
}

/** The row of a previously connected wallet. */
function PreviousWallet(props: {
  connector: Connector
  namespace: ChainNamespace.ChainNamespace
  onForget: () => void
}) {
  const { connector, namespace, onForget } = props
  const kit = useInstance()
  const t = useText(accountText)
  const name = useNames()(connector.name)
  return (
    <Row
      start={<Artwork {...connectorArt(kit, connector)} />}
      title={name}
      end={
        <>
          <TextButton
            label={t('wallets.connectTo', { name })}
            onClick={() => {
              // A wallet with a login is connected by one of the logins, which Connect lists.
              if (connector.type === 'AUTH') push(kit, { name: 'Connect' }, namespace)
              else void connectWallet(kit, { connector })
            }}
          >
            {t('wallets.connect')}
          </TextButton>
          <IconButton
            icon={bin}
            label={t('wallets.forget', { name })}
            onClick={() => {
              forgetWallet(kit, { namespace, connectorId: connector.id })
              onForget()
            }}
          />
        </>
      }
    />
  )
}

function DisconnectAll({ namespace }: { namespace: ChainNamespace.ChainNamespace }) {
  const kit = useInstance()
  const t = useText(accountText)
  const [busy, setBusy] = useState(false)
  return (
    <TextButton
      kind="bad"
      busy={busy}
      onClick={() => {
        setBusy(true)
        void disconnectAll(kit, { namespace }).finally(() => setBusy(false))
      }}
    >
      {t('wallets.disconnectAll')}
    </TextButton>
  )
}

/**
 * A button that looks like a link. While busy, a spinner replaces the label without changing the width.
 */
function TextButton(props: {
  children: ReactNode
  label?: string
  kind?: 'bad'
  busy?: boolean
  onClick: () => void
}) {
  const { busy } = props
  return (
    <button
      type="button"
      className="gf-link"
      aria-label={props.label}
      data-kind={props.kind}
      aria-disabled={busy || undefined}
      onClick={busy ? undefined : props.onClick}
    >
      <span className="gf-link-text">{props.children}</span>
      {busy && <Icon d={spin} size={16} spin />}
    </button>
  )
}
