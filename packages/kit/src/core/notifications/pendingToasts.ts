/**
 * English strings for the toasts of submitted transactions. A separate module,
 * so that it is loaded only with these.
 */
export const pendingToastText = {
  'toast.sendSubmitted': 'Sending {what}…',
  'toast.sendConfirmed': '{what} sent',
  'toast.sendFailed': '{what} wasn’t sent',
  'toast.approveSubmitted': 'Approving {what}…',
  'toast.approveConfirmed': '{what} approved',
  'toast.approveFailed': '{what} wasn’t approved',
  'toast.revokeSubmitted': 'Removing the approval of {what}…',
  'toast.revokeConfirmed': 'Approval of {what} removed',
  'toast.revokeFailed': 'The approval of {what} wasn’t removed',
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
