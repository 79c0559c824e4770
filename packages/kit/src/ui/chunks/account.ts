/** The lazy chunk of the account view. */
export { Account, AccountHeading, AccountLeading } from '../views/account/Account.tsx'
