/** The lazy chunk of the views of an account's activity. */
export { Transaction } from '../views/activity/Transaction.tsx'
export { ActivityList, Transactions } from '../views/activity/Transactions.tsx'
