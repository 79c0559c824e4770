import { noFaults } from '../../src/provider/Faults.ts'
import { noPhoneFaults } from '../../src/phone/PhoneFaults.ts'
import { short } from '../../src/window/describe.ts'
import { phoneName } from '../identity.ts'
import { useBalance } from '../useBalance.ts'
import { useCurrent, usePhone } from '../usePhone.ts'
import { go, routes } from '../useRoute.ts'
import { Icon } from './Icon.tsx'

/** The way to the relay, in words. */
const relayWords = {
  idle: 'Ready',
  connecting: 'Reaching the relay',
  connected: 'On the relay',
  offline: 'Relay is away, trying again',
  refused: 'Relay refuses this wallet',
} as const

/** The wallet's front: its name, what it holds, and who and where it is. */
export function Cover() {
  const phone = usePhone()
  const { controls, address, account, chain, chainId, chainName, symbol } = useCurrent()
  const balance = useBalance(address, chain?.rpcUrl)
  const faults = countFaults(phone)
  const { status } = phone.relay
  const networks = controls.chains.map(({ id, name }) => [id, name ?? `Chain ${id}`] as const)
  return (
    <header className="cover">
      <div className="cover-top">
        <img src="/icon.svg" alt="" width={32} height={32} />
        <div>
          <h1>{phoneName}</h1>
          <p className="relay" data-status={status} role="status">
            {relayWords[status]}
          </p>
        </div>
        <button
          type="button"
          className="round"
          aria-label={faults ? `Faults, ${faults} on` : 'Faults'}
          onClick={() => go(routes.faults)}
        >
          <Icon name="switches" />
          {faults > 0 && <b aria-hidden="true">{faults}</b>}
        </button>
      </div>
      <p className="balance" aria-live="off">
        {balance === undefined && (
          <span role="img" className="skeleton" aria-label="Balance is on its way" />
        )}
        {balance === null && <span className="unknown">{chainName} does not answer</span>}
        {balance && (
          <>
            <bdi>{balance}</bdi> <small>{symbol}</small>
          </>
        )}
      </p>
      <div className="cover-picks">
        <label>
          <span className="quiet">Account</span>
          <span aria-hidden="true" className="dot" />
          <select
            value={account}
            onChange={({ currentTarget }) => controls.switchAccount(Number(currentTarget.value))}
          >
            {controls.accounts.map((one, index) => (
              <option key={one} value={index}>
                {short(one)}
              </option>
            ))}
          </select>
        </label>
        <label>
          <span className="quiet">Network</span>
          <Icon name="hex" />
          <select
            value={chainId}
            onChange={({ currentTarget }) => controls.switchChain(Number(currentTarget.value))}
          >
            {!chain && <option value={chainId}>{chainName}, no node</option>}
            {networks.map(([id, name]) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
            {/* A network no page here works on, to see what the page does about it. */}
            {!networks.some(([id]) => id === 1) && chainId !== 1 && (
              <option value={1}>Ethereum, no node</option>
            )}
          </select>
        </label>
      </div>
    </header>
  )
}

function countFaults({ wallet: { controls }, faults }: ReturnType<typeof usePhone>): number {
  const differs = (now: object, usual: object) =>
    Object.entries(now).filter(
      ([name, value]) => String(value) !== String((usual as Record<string, unknown>)[name]),
    ).length
  return (
    differs(controls.faults, noFaults) +
    differs(faults, noPhoneFaults) +
    Number(!controls.connected)
  )
}
