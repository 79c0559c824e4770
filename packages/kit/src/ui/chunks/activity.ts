/** The lazy chunk of the activity views. */
export { Transaction } from '../views/activity/Transaction.tsx'
export { ActivityList, Transactions } from '../views/activity/Transactions.tsx'
