/** Strings for WalletReceive and WalletCompatibleNetworks. */
export const receiveText = {
  'receive.loadingName': 'Loading name',
  'receive.kinds': 'Address types',
  'receive.qrLabel': 'QR code of your address on {network}',
  'receive.address': 'Your address',
  'receive.network': 'Network',
  'receive.networks': 'Same address on {n} networks',
  'receive.only': 'Only send on {network}',
  'receive.onlyHint': 'Coins sent on another network may be lost.',
  'receive.smartAccountHint':
    'This account doesn’t exist on other networks. Coins sent there are lost.',
  'receive.paymentHint':
    'Send inscriptions to your Ordinals address. Here, they could be spent as coins.',
  'receive.ordinal': 'Only send inscriptions here',
  'receive.ordinalHint': 'Send coins to your Payments address.',
  'receive.share': 'Share',
  'receive.shareFailed': 'Couldn’t share the address',
  'receive.chooseNameHint': 'Easier to share than an address',
  'receive.compatible':
    'Coins sent on these networks reach your address. Choose one to show its code.',
  'receive.others': 'Other addresses',
} as const
