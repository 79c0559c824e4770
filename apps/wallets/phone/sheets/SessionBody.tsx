import type { RequestDetails } from '../../src/provider/RequestDetails.ts'
import { exposedAccounts } from '../../src/phone/namespaces.ts'
import { short } from '../../src/window/describeRequest.ts'
import { Methods } from '../parts/Methods.tsx'
import { Permissions } from '../parts/Permissions.tsx'
import { DetailList } from '../parts/DetailList.tsx'
import { Icon } from '../parts/Icon.tsx'
import { usePhone } from '../usePhone.ts'

/** Details of a session proposal: permissions, networks and accounts. */
export function SessionBody({
  details,
}: {
  details: Extract<RequestDetails, { kind: 'session' }>
}) {
  const { controls } = usePhone().wallet
  const { chains, unknownChains, methods } = details
  const nameOf = (id: number) => controls.chains.find((one) => one.id === id)?.name ?? `Chain ${id}`
  return (
    <>
      <section className="stack" aria-labelledby="proposed-permissions">
        <h3 id="proposed-permissions" className="caption">
          This app will be able to
        </h3>
        <Permissions methods={methods} />
      </section>
      <section className="stack" aria-labelledby="proposed-networks">
        <h3 id="proposed-networks" className="caption">
          On these networks
        </h3>
        <ul className="chips">
          {chains.map((id) => (
            <li key={id}>
              <Icon name="hex" />
              {nameOf(id)}
            </li>
          ))}
          {unknownChains.map((chain) => (
            <li key={chain} data-off>
              <Icon name="hex" />
              <bdi>{chain}</bdi> <span>not supported</span>
            </li>
          ))}
        </ul>
      </section>
      <DetailList
        label="Shared accounts"
        rows={exposedAccounts(controls).map((address, index) => ({
          label: index ? 'Also shared' : 'Shared account',
          value: short(address),
        }))}
      />
      <Methods methods={methods} />
    </>
  )
}
