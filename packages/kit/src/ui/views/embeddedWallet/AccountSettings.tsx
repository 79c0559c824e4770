import { getAccount } from '../../../core/connection/account.ts'
import { networkArt } from '../../../core/wallets/art.ts'
import type { KitInstance } from '../../../core/kit/Kit.ts'
import { push } from '../../../core/view/navigate.ts'
import { useInstance, useKitState } from '../../../react/context.ts'
import { out, wallet } from '../../icons/base.ts'
import { mail, passkey, shield, socialIcons } from '../../icons/embedded.ts'
import { Artwork } from '../../parts/Artwork.tsx'
import { List, Row, RowChevron } from '../../parts/List.tsx'
import { useDisconnectWallet } from '../../hooks/useDisconnectWallet.ts'
import { useText } from '../../hooks/useText.ts'
import { embeddedText } from '../../strings/embedded.ts'
import { useCurrentNetwork } from '../networks/useCurrentNetwork.ts'
import { embeddedOf } from '../../../connectors/embeddedWallet/embedded.ts'
import { embeddedId } from '../../../connectors/embeddedWallet/id.ts'
import { socialNames } from './socialNames.ts'
import { useAccountType } from './useAccountType.ts'
import { useLoginName } from './useEmbedded.ts'

/**
 * The settings of an embedded wallet.
 *
 * @see docs/views.md#accountsettings
 */
export function AccountSettings() {
  const kit = useInstance()
  const t = useText(embeddedText)
  const name = useLoginName()
  const { network, name: networkName } = useCurrentNetwork()
  const locale = useKitState((state) => state.locale)
  const namespace = useKitState((state) => getAccount(state)?.namespace ?? state.namespace)
  const several = useKitState((state) => state.networks.length > 1)
  const { busy, disconnect } = useDisconnectWallet({ connectorId: embeddedId, namespace })
  const accountType = useAccountType(network?.caipNetworkId)
  const method = embeddedOf(kit)?.client.current()?.loginMethod()
  const provider = method && socialNames[method]
  const icon = (method && socialIcons[method]) ?? (name ? undefined : passkey)
  const isEmail = method === 'email' || (!method && name.includes('@'))
  const end = <RowChevron />
  return (
    <div className="gf-body">
      <List label={t('embedded.account')}>
        {isEmail ? (
          <Row
            start={<Artwork icon={mail} />}
            title={t('embedded.email')}
            note={name}
            end={end}
            onClick={() => push(kit, { name: 'UpdateEmailWallet' })}
          />
        ) : (
          <Row
            start={icon ? <Artwork icon={icon} /> : <Artwork name={name} />}
            title={name || t('name.Passkey wallet')}
            note={
              provider
                ? t('embedded.withProvider', { provider })
                : name
                  ? undefined
                  : t('embedded.noEmail')
            }
          />
        )}
        <Row
          start={<Artwork {...(network ? networkArt(kit, network) : { name: networkName })} />}
          title={t('embedded.network')}
          note={networkName}
          {...(several && { end, onClick: () => push(kit, { name: 'Networks' }) })}
        />
        {accountType && (
          <Row
            start={<Artwork icon={wallet} />}
            title={t(accountType.isSmart ? 'embedded.smart' : 'embedded.standard')}
            note={t(
              accountType.failed
                ? 'embedded.switchFailed'
                : accountType.isSmart
                  ? 'embedded.toStandard'
                  : 'embedded.toSmart',
            )}
            busy={accountType.busy}
            onClick={accountType.change}
          />
        )}
        {kit.options.endpoints.frame && (
          <Row
            start={<Artwork icon={shield} />}
            title={t('embedded.walletSettings')}
            note={t('embedded.walletSettingsNote')}
            end={end}
            href={settingsUrl(kit, locale)}
          />
        )}
      </List>
      <List label={t('embedded.disconnect')}>
        <Row
          start={<Artwork icon={out} kind="bad" />}
          title={t(busy ? 'embedded.disconnecting' : 'embedded.disconnect')}
          busy={busy}
          onClick={disconnect}
        />
      </List>
    </div>
  )
}

/**
 * The settings page on the frame's origin. It opens in a new window, because no
 * page can embed it. @see docs/custody.md#pages
 */
function settingsUrl({ options }: KitInstance, locale: string): string {
  const url = new URL('/settings', options.endpoints.frame)
  if (options.projectId) url.searchParams.set('projectId', options.projectId)
  url.searchParams.set('locale', locale)
  return url.href
}
