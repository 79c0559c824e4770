import { connectorImage } from '../../core/images.ts'
import { loadModal } from '../GatefoldProvider.tsx'
import { useKit, useKitState } from '../../react/context.ts'
import { Buttons, PageButton } from './Buttons.tsx'

/**
 * One wallet, asked at a click. Where it is not in this browser, the connect view opens.
 *
 * @param props.wallet - id, rdns or name
 */
export function WalletButton(props: { wallet: string; label?: string }) {
  const kit = useKit()
  const wanted = props.wallet.toLowerCase()
  const connector = useKitState((state) =>
    state.connectors.find(({ id, name, info }) =>
      [id, name, info?.rdns].some((text) => text?.toLowerCase() === wanted),
    ),
  )
  const image = connector && connectorImage(kit, connector)
  const onClick = () => {
    if (!connector) return void kit.open({ view: 'Connect' })
    const { id: connectorId, chain: namespace } = connector
    void kit.open({ view: 'ConnectingExternal', data: { connectorId, namespace } })
    loadModal().then(
      ({ connectWallet }) => connectWallet(kit, { connector }),
      // The modal says itself that its code did not come.
      () => {},
    )
  }
  return (
    <Buttons>
      <PageButton onClick={onClick}>
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
