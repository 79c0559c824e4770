import { useLayoutEffect, useRef, useState } from 'react'

import { canUse } from '../../../core/networks/canUse.ts'
import { push } from '../../../core/view/navigate.ts'
import { selectNetwork } from '../../../core/networks/switchNetwork.ts'
import { networkArt } from '../../../core/wallets/art.ts'
import type { Network } from '../../../core/networks/Network.ts'
import { useInstance, useKitState } from '../../../react/context.ts'
import { check } from '../../icons/base.ts'
import { globe } from '../../icons/guide.ts'
import { search as searchIcon } from '../../icons/wallets.ts'
import { Artwork } from '../../parts/Artwork.tsx'
import { Button } from '../../parts/Button.tsx'
import { Empty } from '../../parts/Empty.tsx'
import { Field } from '../../parts/Field.tsx'
import { Icon } from '../../parts/Icon.tsx'
import { List, Row, Tag } from '../../parts/List.tsx'
import { Scroll } from '../../parts/Scroll.tsx'
import { useText } from '../../hooks/useText.ts'
import { networksText } from '../../strings/networks.ts'
import { useCurrentNetwork } from './useCurrentNetwork.ts'
import { useWalletName } from '../../hooks/useWalletName.ts'

/** Minimum number of networks for which a search field is shown. */
const searchFrom = 5

/**
 * The site's networks, with the active one marked.
 *
 * @see docs/views.md#networks
 */
export function Networks() {
  const kit = useInstance()
  const t = useText(networksText)
  // Omits networks that no adapter supports, such as those that only a wallet's
  // provider uses.
  const { namespaces } = kit.options
  const networks = useKitState((state) => state.networks).filter(
    ({ chainNamespace }) => namespaces.length === 0 || namespaces.includes(chainNamespace),
  )
  const { network: current } = useCurrentNetwork()
  const [search, setSearch] = useState('')
  const query = search.trim().toLowerCase()
  const found = networks.filter(
    ({ id, name }) => name.toLowerCase().includes(query) || String(id) === query,
  )
  return (
    <div className="gf-body">
      {networks.length >= searchFrom && (
        <Field
          type="search"
          icon={searchIcon}
          label={t('networks.search')}
          value={search}
          onChange={setSearch}
        />
      )}
      {found.length > 0 ? (
        <Scroll max={392}>
          <NetworkList networks={found} current={current} />
        </Scroll>
      ) : (
        <>
          <Empty plate="search" title={t('networks.none', { x: search.trim() })}>
            {t('networks.noneHint')}
          </Empty>
          <Button onClick={() => setSearch('')}>{t('networks.all')}</Button>
        </>
      )}
      <p className="gf-footer">
        {t('networks.note')}{' '}
        <button
          type="button"
          onClick={() => {
            kit.track({ event: 'CLICK_NETWORK_HELP', properties: {} })
            push(kit, { name: 'WhatIsANetwork' })
          }}
        >
          {t('networks.what')}
        </button>
      </p>
    </div>
  )
}

/**
 * A list of networks; those that the wallet has not approved are disabled.
 *
 * @param props.onSelect - by default, switches to the network
 */
export function NetworkList(props: {
  networks: readonly Network[]
  current?: Network | undefined
  onSelect?: (network: Network) => void
}) {
  const kit = useInstance()
  const { networks, current, onSelect = (network) => selectNetwork(kit, { network }) } = props
  const t = useText(networksText)
  const state = useKitState((all) => all)
  const { wallet } = useWalletName()
  const list = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const row = list.current?.querySelector<HTMLElement>('[aria-current]')
    const box = list.current?.closest('.gf-scroll')
    if (row && box) box.scrollTop = row.offsetTop - box.clientHeight / 2
  }, [])
  return (
    <div ref={list}>
      <List label={t('networks.list')}>
        {networks.map((network) => {
          const active = network.caipNetworkId === current?.caipNetworkId
          const disabled = !canUse(state, network)
          return (
            <Row
              key={network.caipNetworkId}
              start={<Artwork {...networkArt(kit, network)} icon={globe} />}
              title={network.name}
              note={disabled && t('networks.notApproved', { wallet })}
              end={
                <>
                  {network.testnet && <Tag>{t('networks.test')}</Tag>}
                  {active && (
                    <span style={{ color: 'var(--gf-accent-text)' }}>
                      <Icon d={check} />
                    </span>
                  )}
                </>
              }
              current={active}
              disabled={disabled}
              onClick={() => onSelect(network)}
            />
          )
        })}
      </List>
    </div>
  )
}
