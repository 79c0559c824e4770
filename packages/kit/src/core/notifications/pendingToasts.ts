/** English strings for the toasts of transactions that the site submitted. A module of its own, because it loads with them. */
export const pendingToastText = {
  'toast.sendSubmitted': 'Sending {what}…',
  'toast.sendConfirmed': '{what} sent',
  'toast.sendFailed': '{what} wasn’t sent',
  'toast.approveSubmitted': 'Approving {what}…',
  'toast.approveConfirmed': '{what} approved',
  'toast.approveFailed': '{what} wasn’t approved',
  'toast.tradeSubmitted': 'Swapping {what}…',
  'toast.tradeConfirmed': '{what} swapped',
  'toast.tradeFailed': '{what} wasn’t swapped',
  'toast.executeSubmitted': 'Transaction sent',
  'toast.executeConfirmed': 'Transaction confirmed',
  'toast.executeFailed': 'Transaction failed',
  'toast.canceled': 'Transaction canceled',
  'toast.replaced': 'Transaction replaced by another one',
  'toast.dropped': 'The network dropped a transaction',
} as const
