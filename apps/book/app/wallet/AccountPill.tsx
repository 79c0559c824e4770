import { Icon } from '../parts/Icon.tsx'
import { PillButton } from '../parts/Pill.tsx'
import { Avatar } from './Avatar.tsx'
import { formatHoldings, shorten } from './format.ts'
import type { Account } from './wallet.ts'

/** Picture, balance and name of the account; opens its card. */
export function AccountPill({ account, onOpen }: { account: Account; onOpen: () => void }) {
  const { address, balance, name } = account
  const called = name ?? shorten(address)
  return (
    <PillButton
      kind="ghost"
      className="account"
      onClick={onOpen}
      aria-label={`Account ${called}`}
      data-testid="account"
      data-address={address}
    >
      <Avatar account={account} />
      {balance.status !== 'unavailable' && (
        <span className="sum">
          {balance.status === 'known' ? (
            <bdi dir="ltr">{formatHoldings(balance)}</bdi>
          ) : (
            <span className="bone" />
          )}
        </span>
      )}
      <bdi className="name" dir="ltr">
        {called}
      </bdi>
      <Icon name="down" />
    </PillButton>
  )
}
