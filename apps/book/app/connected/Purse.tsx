import { PathIcon } from '../parts/Icon.tsx'
import { formatAmount } from '../wallet/format.ts'
import { useMoney, type Holding, type Holdings, type MoneyView } from '../wallet/money.ts'
import { useWallet } from '../wallet/wallet.ts'
import { formatBalance } from '@gatefold/kit/core'
import { describeHoldings, formatMoney } from './describe.ts'
import { icons } from './icons.ts'
import { Failure, Rows, SkeletonRows } from './Rows.tsx'

/** How many tokens the page shows. */
const shownTokens = 3

const none: Pick<Holdings, 'holdings' | 'currency'> = { holdings: [], currency: 'USD' }

/** The total, the actions on it, and the most valuable tokens. */
export function Purse() {
  const { holdings, open } = useMoney()
  const { holdings: all, currency } = holdings.status === 'known' ? holdings.value : none
  return (
    <section className="leaf" aria-label="Balance">
      <Total />
      <Actions />
      {holdings.status !== 'missing' && (
        <Rows
          heading="Tokens"
          count={shownTokens}
          more={all.length > shownTokens ? `All ${all.length} tokens` : undefined}
          onMore={() => open({ view: 'Account' })}
          isBusy={holdings.status === 'loading'}
        >
          {holdings.status === 'loading' && <SkeletonRows count={shownTokens} />}
          {holdings.status === 'failed' && (
            <Failure onRetry={holdings.retry}>Your tokens couldn’t be loaded.</Failure>
          )}
          {holdings.status === 'known' && all.length === 0 && (
            <p className="leaf-note">Tokens that you buy or receive are listed here.</p>
          )}
          {all.length > 0 && (
            <ul aria-label="Tokens">
              {all.slice(0, shownTokens).map((holding) => (
                <li key={holding.id}>
                  <TokenRow
                    holding={holding}
                    currency={currency}
                    onOpen={() => open({ view: 'Token', id: holding.id })}
                  />
                </li>
              ))}
            </ul>
          )}
        </Rows>
      )}
    </section>
  )
}

/** The value of all tokens; without them, the balance of the network's currency. */
function Total() {
  const { holdings } = useMoney()
  const { account, network } = useWallet()
  if (holdings.status === 'known') {
    const { currency, isPartial, total } = holdings.value
    return (
      <p className="total">
        <small>Total balance</small>
        <b data-testid="total">{formatMoney(total, currency)}</b>
        <small data-kind={isPartial ? 'warning' : undefined}>
          {describeHoldings(holdings.value)}
        </small>
      </p>
    )
  }
  const balance = account?.balance
  if (holdings.status === 'loading' || balance?.status === 'loading')
    return (
      <p className="total" role="status" aria-label="Loading the balance">
        <small>Total balance</small>
        <b>
          <span className="skeleton" />
        </b>
        <small />
      </p>
    )
  return (
    <p className="total">
      <small>Balance</small>
      <b data-testid="total">
        {balance?.status === 'known'
          ? `${formatBalance(formatAmount({ ...balance, symbol: '' }).trim(), 'en')} ${balance.symbol}`
          : 'Unavailable'}
      </b>
      <small>{network ? `on ${network.name}` : 'on a network that the Book doesn’t use'}</small>
    </p>
  )
}

function Actions() {
  const { canBuy, hasName, holdings, open, zone } = useMoney()
  const isServed = holdings.status !== 'missing'
  const actions: [label: string, icon: string, view: MoneyView, isShown: boolean][] = [
    ['Buy', icons.buy, { view: 'OnRampProviders' }, isServed && canBuy !== false],
    ['Swap', icons.swap, { view: 'Swap' }, isServed],
    ['Send', icons.send, { view: 'WalletSend' }, true],
    ['Receive', icons.receive, { view: 'WalletReceive' }, true],
    ['Name', icons.name, { view: 'ChooseAccountName' }, Boolean(zone) && hasName === false],
  ]
  return (
    <ul className="round-actions" aria-label="Actions">
      {actions
        .filter(([, , , isShown]) => isShown)
        .map(([label, icon, view]) => (
          <li key={label}>
            <button type="button" onClick={() => open(view)}>
              <span>
                <PathIcon d={icon} />
              </span>
              {label}
            </button>
          </li>
        ))}
    </ul>
  )
}

function TokenRow(props: { holding: Holding; currency: string; onOpen: () => void }) {
  const { holding, currency, onOpen } = props
  const { amount, image, name, network, symbol, value } = holding
  return (
    <button type="button" className="leaf-row" onClick={onOpen}>
      <span className="coin" aria-hidden="true">
        {symbol.slice(0, 1)}
        {image && <img src={image} alt="" onError={hide} />}
      </span>
      <span className="what">
        <b>{name}</b>
        <small>{network}</small>
      </span>
      <span className="much">
        <b>{value === undefined ? '–' : formatMoney(value, currency)}</b>
        <small>
          {formatBalance(amount, 'en')} {symbol}
        </small>
      </span>
    </button>
  )
}

/** Leaves the letter if there is no picture. */
function hide({ currentTarget }: { currentTarget: HTMLElement }) {
  currentTarget.remove()
}
