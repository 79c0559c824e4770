import { AddressAvatar } from '@gatefold/kit/react'
import type { Account } from './wallet.ts'

/** The account's avatar, or the kit's pattern for its address. The page and the modal show the same picture. */
export function Avatar({ account }: { account: Pick<Account, 'address' | 'avatar'> }) {
  return (
    <span className="avatar">
      {account.avatar ? (
        <img src={account.avatar} alt="" />
      ) : (
        <AddressAvatar address={account.address} />
      )}
    </span>
  )
}
