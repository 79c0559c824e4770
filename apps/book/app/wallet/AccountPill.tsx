import { Icon } from '../parts/Icon.tsx'
import { PillButton } from '../parts/Pill.tsx'
import { Avatar } from './Avatar.tsx'
import { formatCompactBalance, shorten } from './format.ts'
import type { Account } from './wallet.ts'

/** Avatar, balance and name of the account; opens the account view. */
export function AccountPill({ account, onOpen }: { account: Account; onOpen: () => void }) {
  const { address, balance, name } = account
  const label = name ?? shorten(address)
  const sum = balance.status === 'known' ? formatCompactBalance(balance) : undefined
  return (
    <PillButton
      kind="ghost"
      className="account"
      onClick={onOpen}
      aria-label={['Account', sum, label].filter(Boolean).join(' ')}
      data-testid="account"
      data-address={address}
    >
      <Avatar account={account} />
      {balance.status !== 'unavailable' && (
        <span className="sum">
          {sum === undefined ? <span className="skeleton" /> : <bdi dir="ltr">{sum}</bdi>}
        </span>
      )}{' '}
      <bdi className="name" dir="ltr">
        {label}
      </bdi>
      <Icon name="down" />
    </PillButton>
  )
}
