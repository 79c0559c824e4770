import type { Subject } from '../../src/provider/Subject.ts'
import { tellAccounts } from '../../src/phone/namespaces.ts'
import { short } from '../../src/window/describe.ts'
import { Abilities } from '../parts/Abilities.tsx'
import { Facts } from '../parts/Facts.tsx'
import { Icon } from '../parts/Icon.tsx'
import { usePhone } from '../usePhone.ts'

/** What an app gets when it is let in: what it may do, where, and as whom. */
export function SessionBody({ subject }: { subject: Extract<Subject, { kind: 'session' }> }) {
  const { controls } = usePhone().wallet
  const { chains, unknownChains, methods } = subject
  const nameOf = (id: number) => controls.chains.find((one) => one.id === id)?.name ?? `Chain ${id}`
  return (
    <>
      <section className="stack" aria-labelledby="could">
        <h3 id="could" className="caption">
          It could
        </h3>
        <Abilities methods={methods} />
      </section>
      <section className="stack" aria-labelledby="where">
        <h3 id="where" className="caption">
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
              <bdi>{chain}</bdi> <span>not in this wallet</span>
            </li>
          ))}
        </ul>
      </section>
      <Facts
        label="Accounts it sees"
        rows={tellAccounts(controls).map((address, index) => ({
          label: index ? 'and' : 'Sees your account',
          value: short(address),
        }))}
      />
      {methods.length > 0 && (
        <details className="methods">
          <summary>
            {methods.length === 1
              ? 'The method it asks for'
              : `All ${methods.length} methods it asks for`}
            <Icon name="chevron" />
          </summary>
          <p>
            <bdi>{methods.join(' · ')}</bdi>
          </p>
        </details>
      )}
    </>
  )
}
