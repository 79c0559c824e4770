import { useState } from 'react'

import { connectorImage } from '../../core/wallets/images.ts'
import { useKitContext, useKitState } from '../../react/context.ts'
import { Buttons, PageButton } from './Buttons.tsx'

/**
 * Connects one wallet on click. If it is not installed, the modal shows how to connect or get it.
 *
 * @example <WalletButton wallet="io.metamask" label="MetaMask" />
 */
export function WalletButton(props: {
  /** The wallet's id, rdns or name. */
  wallet: string
  /**
   * The button's label.
   *
   * @default the wallet's name
   */
  label?: string
}) {
  const { kit, loadModal } = useKitContext()
  const query = props.wallet.toLowerCase()
  const connector = useKitState((state) =>
    state.connectors.find(({ id, name, info }) =>
      [id, name, info?.rdns].some((text) => text?.toLowerCase() === query),
    ),
  )
  const image = connector && connectorImage(kit, connector)
  const [finding, setFinding] = useState(false)
  const onClick = () => {
    if (finding) return
    if (!connector) {
      setFinding(true)
      return void import('../../core/wallets/openWallet.ts')
        .then(
          ({ openWallet }) => openWallet(kit, props.wallet),
          // Falls back to the wallet list when the chunk fails to load.
          () => void kit.open({ view: 'Connect' }),
        )
        .finally(() => setFinding(false))
    }
    const { id: connectorId, chain: namespace } = connector
    void kit.open({ view: 'ConnectingExternal', data: { connectorId, namespace } })
    loadModal().then(
      ({ connectWallet }) => connectWallet(kit, { connector }),
      // `GatefoldModal` logs the failure and closes.
      () => {},
    )
  }
  return (
    <Buttons>
      <PageButton onClick={onClick}>
        {finding && <span data-spin="" aria-hidden />}
        {image && (
          <span data-art="square" aria-hidden>
            <img src={image} alt="" />
          </span>
        )}
        <span>{props.label ?? connector?.name ?? props.wallet}</span>
      </PageButton>
    </Buttons>
  )
}
