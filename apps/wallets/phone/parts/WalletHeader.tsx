import { noFaults } from '../../src/provider/Faults.ts'
import { noPhoneFaults } from '../../src/phone/PhoneFaults.ts'
import { short } from '../../src/window/describeRequest.ts'
import { phoneName } from '../identity.ts'
import { useBalance } from '../useBalance.ts'
import { useCurrent, usePhone } from '../usePhone.ts'
import { go, routes } from '../useRoute.ts'
import { Icon } from './Icon.tsx'

/** Labels for the relay's status. */
const relayTexts = {
  idle: 'Ready',
  connecting: 'Connecting to relay',
  connected: 'Relay connected',
  offline: 'Relay offline, reconnecting',
  refused: 'Relay rejected this wallet',
} as const

/** The wallet's name, status, balance, account and network. */
export function WalletHeader() {
  const phone = usePhone()
  const { controls, address, account, chain, chainId, chainName, symbol } = useCurrent()
  const balance = useBalance(address, chain?.rpcUrl)
  const faults = countFaults(phone)
  const { status } = phone.relay
  const networks = controls.chains.map(({ id, name }) => [id, name ?? `Chain ${id}`] as const)
  return (
    <header className="header">
      <div className="header-top">
        <img src="/icon.svg" alt="" width={32} height={32} />
        <div>
          <h1>{phoneName}</h1>
          <p className="relay" data-status={status} role="status">
            {relayTexts[status]}
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
          <span role="img" className="skeleton" aria-label="Loading balance" />
        )}
        {balance === null && <span className="unknown">{chainName} is unreachable</span>}
        {balance && (
          <>
            <bdi>{balance}</bdi> <small>{symbol}</small>
          </>
        )}
      </p>
      <div className="header-selects">
        <label>
          <span className="visually-hidden">Account</span>
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
          <span className="visually-hidden">Network</span>
          <Icon name="hex" />
          <select
            value={chainId}
            onChange={({ currentTarget }) => controls.switchChain(Number(currentTarget.value))}
          >
            {!chain && <option value={chainId}>{chainName} (no RPC)</option>}
            {networks.map(([id, name]) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
            {/* A network without an RPC URL, to test how the app handles it. */}
            {!networks.some(([id]) => id === 1) && chainId !== 1 && (
              <option value={1}>Ethereum (no RPC)</option>
            )}
          </select>
        </label>
      </div>
    </header>
  )
}

function countFaults({ wallet: { controls }, faults }: ReturnType<typeof usePhone>): number {
  const countChanged = (current: object, defaults: object) =>
    Object.entries(current).filter(
      ([name, value]) => String(value) !== String((defaults as Record<string, unknown>)[name]),
    ).length
  return (
    countChanged(controls.faults, noFaults) +
    countChanged(faults, noPhoneFaults) +
    Number(!controls.connected)
  )
}
