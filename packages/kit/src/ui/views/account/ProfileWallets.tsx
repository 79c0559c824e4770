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
import type { Account, Connection, Connector } from '../../../core/connection/Connector.ts'
import { explorerUrl } from '../../../core/networks/explorerUrl.ts'
import { connectorImage } from '../../../core/wallets/images.ts'
import { shortAddress } from '../../../core/account/shortAddress.ts'
import { useKit, useKitState } from '../../../react/context.ts'
import { useConnections } from '../../../react/hooks.ts'
import { useIdentity } from '../../../react/queries.ts'
import { bin, buy, copy as copyIcon, dots, out, plus } from '../../icons/account.ts'
import { check, spin } from '../../icons/base.ts'
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
import { useText } from '../../hooks/useText.ts'
import { accountText } from '../../strings/account.ts'
import css from '../../styles/account.css?inline'
import { familyNames } from '../networks/familyNames.ts'
import { useWalletArt } from '../../hooks/useWalletArt.ts'

/**
 * Every linked wallet on one list; the one in use wears the ribbon.
 *
 * @see views.md “ProfileWallets”
 */
export function ProfileWallets() {
  const kit = useKit()
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
  const kit = useKit()
  const t = useText(accountText)
  const connections = useConnections({ namespace })
  const several = useKitState((state) => state.features.multiWallet)
  const active = useKitState((state) => state.chains[namespace]?.connectorId)
  // What was used before is stored, not state: it is read again after every change here.
  const [, setForgotten] = useState(0)
  const before = walletsUsedBefore(kit, { namespace })
  const chain = familyNames[namespace] ?? namespace
  const [current, ...others] = connections
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // A row that went took the focus with it.
    if (document.activeElement === document.body)
      list.current?.closest<HTMLElement>('.gf-card')?.focus({ preventScroll: true })
  }, [connections.length, before.length])
  const nothing = !current && before.length === 0
  const linked = (connection: Connection) => (
    <Linked
      key={connection.connectorId}
      namespace={namespace}
      connection={connection}
      current={connection.connectorId === active}
    />
  )
  return (
    <div className="gf-family" ref={list}>
      {nothing && <Empty title={t('wallets.none', { chain })}>{t('wallets.noneHint')}</Empty>}
      {!nothing && (
        <Scroll max={420}>
          {current && <Group caption={t('wallets.inUse')}>{linked(current)}</Group>}
          {others.length > 0 && (
            <Group caption={t('wallets.linked')} end={<DisconnectAll namespace={namespace} />}>
              {others.map(linked)}
            </Group>
          )}
          {before.length > 0 && (
            <Group caption={t('wallets.before')}>
              {before.map((connector) => (
                <Before
                  key={connector.id}
                  connector={connector}
                  onForget={() => setForgotten((count) => count + 1)}
                />
              ))}
            </Group>
          )}
        </Scroll>
      )}
      {(several || !current) && (
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

/** A connected wallet: who it is, and what can be done with it, folded away. */
function Linked(props: {
  namespace: ChainNamespace.ChainNamespace
  connection: Connection
  current: boolean
}) {
  const { namespace, connection, current } = props
  const kit = useKit()
  const t = useText(accountText)
  const connector = useKitState(({ connectors }) =>
    connectors.find(({ id, chain }) => id === connection.connectorId && chain === namespace),
  )
  const { data: identity } = useIdentity({ namespace })
  const [open, setOpen] = useState(false)
  const [busy, setBusy] = useState<'switch' | 'disconnect'>()
  const drawer = useId()
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
              aria-controls={drawer}
              onClick={() => setOpen(!open)}
            >
              <Icon d={dots} />
            </button>
          </>
        }
      />
      {several &&
        connection.accounts.map((account, index) => (
          <Purpose key={account.address} account={account} current={current && index === 0} />
        ))}
      <li id={drawer} hidden={!open} className="gf-actions">
        {open && (
          <Actions
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

/** One of several addresses of a wallet, by what it is for. */
function Purpose({ account, current }: { account: Account; current: boolean }) {
  const t = useText(accountText)
  const title = account.type === 'eoa' ? undefined : t(`wallets.${account.type}`)
  const address = <bdi dir="ltr">{shortAddress(account.address)}</bdi>
  return (
    <Row
      start={<Artwork icon={account.type === 'ordinal' ? seal : buy} />}
      title={title ?? address}
      note={title && address}
      current={current}
      end={current && <Tag kind="good">{t('wallets.inUse')}</Tag>}
    />
  )
}

/** What can be done with a linked wallet: cells under its row. */
function Actions(props: {
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
      {/* First, away from the dots: a card that grows upwards brings the last cell under the pointer. */}
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

/** A wallet of earlier days. */
function Before({ connector, onForget }: { connector: Connector; onForget: () => void }) {
  const kit = useKit()
  const t = useText(accountText)
  const { name } = connector
  return (
    <Row
      start={<Artwork name={name} src={connectorImage(kit, connector)} />}
      title={name}
      end={
        <>
          <TextButton
            label={t('wallets.connectTo', { name })}
            onClick={() => void connectWallet(kit, { connector })}
          >
            {t('wallets.connect')}
          </TextButton>
          <IconButton
            icon={bin}
            label={t('wallets.forget', { name })}
            onClick={() => {
              forgetWallet(kit, { namespace: connector.chain, connectorId: connector.id })
              onForget()
            }}
          />
        </>
      }
    />
  )
}

function DisconnectAll({ namespace }: { namespace: ChainNamespace.ChainNamespace }) {
  const kit = useKit()
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

/** A word that acts. While it does, a spinner takes its place and the width stays. */
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
