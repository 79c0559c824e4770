import { shortAddress } from '../../../core/account/shortAddress.ts'
import type { Network } from '../../../core/networks/Network.ts'
import { returnTo } from '../../../core/view/navigate.ts'
import type { ViewData } from '../../../core/view/view.ts'
import { networkArt } from '../../../core/wallets/art.ts'
import { familyNames } from '../../../data/familyNames.ts'
import { useInstance } from '../../../react/context.ts'
import { Artwork } from '../../parts/Artwork.tsx'
import { List, Row, RowChevron } from '../../parts/List.tsx'
import { Scroll } from '../../parts/Scroll.tsx'
import { Style } from '../../parts/Style.tsx'
import { useText } from '../../hooks/useText.ts'
import { accountText } from '../../strings/account.ts'
import { receiveText } from '../../strings/receive.ts'
import css from '../../styles/account.css?inline'
import { NetworkList } from '../networks/Networks.tsx'
import { useReceiveTarget } from './useReceiveTarget.ts'

const text = { ...accountText, ...receiveText }

/**
 * The networks on which the visitor receives at the same address, and the addresses on other chain families. Choosing
 * one shows it in WalletReceive; the wallet's network stays the same.
 *
 * @see docs/views.md#walletcompatiblenetworks
 */
export function WalletCompatibleNetworks({ data }: { data: ViewData['WalletCompatibleNetworks'] }) {
  const kit = useInstance()
  const t = useText(text)
  const { target, others } = useReceiveTarget(data?.network)
  const select = (network: Network) => returnTo(kit, { name: 'WalletReceive', data: { network } })
  if (!target) return null
  return (
    <div className="gf-body">
      <Style css={css} />
      {target.networks.length > 1 && <p className="gf-footer">{t('receive.compatible')}</p>}
      <Scroll max={480}>
        {target.networks.length > 0 && (
          <section className="gf-group">
            <NetworkList networks={target.networks} current={target.network} onSelect={select} />
          </section>
        )}
        {others.length > 0 && (
          <section className="gf-group">
            <div className="gf-caption">
              <h3>{t('receive.others')}</h3>
            </div>
            <List label={t('receive.others')}>
              {others.map(({ namespace, accounts, network }) => (
                <Row
                  key={namespace}
                  start={<Artwork {...(network && networkArt(kit, network))} />}
                  title={familyNames[namespace] ?? namespace}
                  note={
                    accounts.length > 1 ? (
                      t('wallets.addresses', { n: accounts.length })
                    ) : (
                      <bdi dir="ltr">{shortAddress(accounts[0]?.address ?? '')}</bdi>
                    )
                  }
                  end={<RowChevron />}
                  onClick={() => network && select(network)}
                />
              ))}
            </List>
          </section>
        )}
      </Scroll>
    </div>
  )
}
