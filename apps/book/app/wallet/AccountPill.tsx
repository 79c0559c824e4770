import { Icon } from '../parts/Icon.tsx'
import { PillButton } from '../parts/Pill.tsx'
import { Avatar } from './Avatar.tsx'
import { formatCompactBalance, shorten } from './format.ts'
import type { Account } from './wallet.ts'

/** Avatar, balance and name of the account; opens the account view. */
export function AccountPill({ account, onOpen }: { account: Account; onOpen: () => void }) {
  const { address, balance, name } = account
  const label = name ?? shorten(address)
  return (
    <PillButton
      kind="ghost"
      className="account"
      onClick={onOpen}
      aria-label={`Account ${label}`}
      data-testid="account"
      data-address={address}
    >
      <Avatar account={account} />
      {balance.status !== 'unavailable' && (
        <span className="sum">
          {balance.status === 'known' ? (
            <bdi dir="ltr">{formatCompactBalance(balance)}</bdi>
          ) : (
            <span className="skeleton" />
          )}
        </span>
      )}
      <bdi className="name" dir="ltr">
        {label}
      </bdi>
      <Icon name="down" />
    </PillButton>
  )
}
