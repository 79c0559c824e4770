import { requestUri } from '../../../core/connection/connect.ts'
import type { Network } from '../../../core/networks/Network.ts'
import { walletArt } from '../../../core/wallets/art.ts'
import type { WalletListing } from '../../../core/wallets/WalletListing.ts'
import { useInstance } from '../../../react/context.ts'
import { retry } from '../../icons/base.ts'
import { Button } from '../../parts/Button.tsx'
import { Message } from '../../parts/Message.tsx'
import { FacingPages } from '../../parts/FacingPages.tsx'
import { useText } from '../../hooks/useText.ts'
import { shellText } from '../../strings/shell.ts'
import { connectingText } from '../../strings/connecting.ts'
import { walletConnectText } from '../../strings/walletConnect.ts'
import { useUriAttempt } from './useUriAttempt.ts'
import type { UriAttempt } from './useUriAttempt.ts'

/**
 * Shown when an attempt was rejected, expired or failed, with a button to retry. Browsers cache a
 * failed import for the lifetime of the page, so if a retry fails to load code, the button reloads the
 * page.
 */
export function Ended(props: {
  wallet: WalletListing | undefined
  status: 'rejected' | 'expired' | 'failed'
}) {
  const { wallet, status } = props
  const kit = useInstance()
  const t = useText(connectingText)
  const p = useText(walletConnectText)
  const s = useText(shellText)
  const attempt = useUriAttempt()
  const reload =
    status === 'failed' &&
    attempt?.error?.code === 'kit.chunk_not_loaded' &&
    attempt.isRetry &&
    navigator.onLine
  const name = wallet?.name ?? p('walletConnect.wallet')
  const values = { wallet: name }
  const isUnsupported = attempt?.error?.code === 'chain.not_supported'
  const empty = attempt?.error?.code === 'wallet.no_account'
  const texts = {
    rejected: [t('connecting.declined', values), t('connecting.declinedHint')],
    expired: [p('walletConnect.requestExpired'), p('walletConnect.requestExpiredHint', values)],
    failed: isUnsupported
      ? [
          p('walletConnect.noNetwork', {
            wallet: wallet?.name ?? p('walletConnect.walletStart'),
          }),
          p('walletConnect.noNetworkHint', { networks: namesOf(kit.getState().networks) }),
        ]
      : empty
        ? [
            p('walletConnect.noAccount', {
              wallet: wallet?.name ?? p('walletConnect.walletStart'),
            }),
            p('walletConnect.noAccountHint'),
          ]
        : [
            p('walletConnect.failed'),
            p(reload ? 'walletConnect.reloadHint' : reasonOf(attempt), values),
          ],
  } as const
  const [title, hint] = texts[status]
  const { metadata } = kit.options
  return (
    <div className="gf-body" data-status={status}>
      <FacingPages
        state={status === 'expired' ? 'late' : 'bad'}
        from={{ name: metadata.name, src: metadata.icons[0] }}
        to={wallet ? walletArt(kit, wallet) : { name: 'WalletConnect' }}
      />
      <Message role="alert" title={title}>
        {hint}
      </Message>
      <Button
        kind="primary"
        icon={retry}
        onClick={() => (reload ? location.reload() : requestUri(kit, { renew: true }))}
      >
        {reload ? s('shell.reload') : t('connecting.tryAgain')}
      </Button>
    </div>
  )
}

/** The names of up to three networks. */
function namesOf(networks: readonly Network[]): string {
  const names = networks.slice(0, 3).map(({ name }) => name)
  return names.join(', ') + (networks.length > 3 ? ' …' : '')
}

/**
 * The text key for the cause of a failure: no connection, a response of the wallet that cannot be used, or
 * a relay that rejects the site.
 */
function reasonOf({ error, offline }: Partial<UriAttempt> = {}) {
  const isLost = !error || offline || !navigator.onLine || /relay$|loaded$/.test(error.code)
  if (isLost) return 'walletConnect.failedHint'
  const isRefused = error.code === 'wallet.connect_failed' && !error.cause
  return isRefused ? 'walletConnect.failedSite' : 'walletConnect.failedWallet'
}
