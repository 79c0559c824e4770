/**
 * Explorer ids that pages and official clients use, by the wallet's id in the source. Every other wallet gets
 * the SHA-256 of its id in the source. The first fifteen are in `PresetsUtil` of `@reown/appkit-utils` 1.7.15
 * (Apache-2.0); the others were seen on sites and have not been compared with the vendor's registry.
 */
export const explorerIds: Record<string, string> = {
  'com.coinbase.wallet': 'fd20dc426fb37566d803205b19bbc1d4096b248ac04548e3cfb6b3a38bd033aa',
  'global.safe': '225affb176778569276e484e1b92637ad061b01e13a048b35a9d280c3b58970f',
  'com.ledger': '19177a98252e07ddfc9af2083ba8e07ef627cb6103467ffebb3f8f4205fd7927',
  'com.okex.wallet': '971e689d0a5be527bac79629b4ee9b925e82208e5168b733496a09c0faed0709',
  'io.metamask': 'c57ca95b47569778a828d19178114f4db188b89b763c899ba0be274e97267d96',
  'com.trustwallet.app': '4622a2b2d6af1c9844944291e5e7351a6aa24cd7b23099efac1b2fd875da31a0',
  'com.solflare': '1ca0bdd4747578705b1939af023d120677c64fe6ca76add81fda36e350605e79',
  'app.phantom': 'a797aa35c0fadbfc1a53e7f675162ed5226968b44a19ee3d24385c64d1d3c393',
  'com.coin98': '2a3c89040ac3b723a1972a33a125b1db11e258a6975d3a61252cd64e6ea5ea01',
  'io.magiceden.wallet': '8b830a2b724a9c3fbab63af6f55ed29c9dfa8a55e732dc88c80a196a2ba136c6',
  'app.backpack': '2bd8c14e035c2d48f184aaa168559e86b0e3433228d3c4075900a221785019b0',
  'com.bitget.web3': '38f5d18bd8522c244bdd70cb4a68e0e718865155811c043f052fb9f1c51de662',
  'xyz.frontier.wallet': '85db431492aa2e8672e93f4ea7acf10c88b97b867b0d373107af63dc4880f041',
  'app.xverse': '2a87d74ae02e10bdd1f51f7ce6c4e1cc53cd5f2c0b6b5ad0d7b3007d2b13de7b',
  'io.leather': '483afe1df1df63daf313109971ff3ef8356ddf1cc4e45877d205eee0b7893a13',
  'me.rainbow': '1ae92b26df02f0abca6304df07debccd18262fdf5fe82daa81593582dac9a369',
  'io.zerion.wallet': 'ecc4036f814562b41a5268adc86270fba1365471402006302e70169465b7ac18',
  'com.binance.wallet': '8a0ee50d1f22f6651afcae7eb4253e52a3310b90af5daef78a8c4929a9bb99d4',
  'org.uniswap': 'c03dfee351b6fcc421b4494ea33b9d4b92a984f87aa76d1663bb28705e95034a',
  'pro.tokenpocket': '20459438007b75f4f4acb98bf29aa3b800550309646d375da5fd4aac6c2a2c66',
  'com.safepal': '0b415a746fb9ee99cce155c2ceca0c6f6061b1dbca2d722b3ba16381d0562150',
  'com.bybit': '15c8b91ade1a4e58f3ce4e7a0dd7f42b47db0c8df7e0d84f63eb39bcb96c4e0f',
  'im.token': 'ef333840daf915aafdc4a004525502d6d49d77bd9c65e0642dbaefb3c2893bef',
  'io.rabby': '18388be9ac2d02726dbac9777c96efaac06d744b2f6d580fccdd4127a6d01fd1',
  'io.1inch.wallet': 'c286eebc742a537cd1d6818363e9dc53b21759a1e8e5d9b263d0c03ec7703576',
  'com.exodus': 'e9ff15be73584489ca4a66f64d32c4537711797e30b6660dbcb71ea72a42b1f4',
  'com.crypto.wallet': 'f2436c67184f158d1beda5df53298ee84abfc367581e4505134b5bcf5f46697d',
  'com.robinhood.wallet': '8837dd9413b1d9b585ee937d27a816590248386d9dbf59f5cd3422dbbb65683e',
  'so.onekey.app.wallet': '1aedbcfc1f31aade56ca34c38b0a1607b41cccfa3de93c946ef3b4ba2dfab11c',
  'xyz.argent': 'bc949c5d968ae81310268bf9193f9c9fb7bb4e1283e1284af8f2bd4992535fd6',
}

/** Entries in the source that are not wallets: placeholders, samples, app stores. */
export const notWallets = new Set([
  'com.apple.apps',
  'com.example.subdomain',
  'com.google.play',
  'com.reown',
  'com.reown.docs',
  'com.reown.lab',
  'com.thirdweb',
  'com.wallet.reown',
  'com.walletconnect',
  'io.mywallet',
])

/**
 * The first wallets of the directory, best known first; the others follow in the source's order.
 * The kit bundles these wallets for sites without a gateway.
 */
export const bestKnown = [
  'io.metamask',
  'com.trustwallet.app',
  'com.coinbase.wallet',
  'app.phantom',
  'com.binance.wallet',
  'com.okex.wallet',
  'me.rainbow',
  'io.rabby',
  'com.bitget.web3',
  'org.uniswap',
  'com.ledger',
  'io.zerion.wallet',
  'global.safe',
  'com.exodus',
  'app.backpack',
  'com.solflare',
  'com.bybit',
  'com.crypto.wallet',
  'com.robinhood.wallet',
  'com.kraken',
  'pro.tokenpocket',
  'com.safepal',
  'im.token',
  'so.onekey.app.wallet',
  'io.1inch.wallet',
  'com.brave.wallet',
  'io.magiceden.wallet',
  'com.tangem',
  'io.trezor',
  'co.family.wallet',
  'xyz.argent',
  'io.ready',
  'com.roninchain.wallet',
  'app.core.extension',
  'com.coin98',
  'com.mewwallet',
  'com.enkrypt',
  'app.xverse',
  'io.leather',
  'app.keplr',
  'xyz.talisman',
  'app.subwallet',
  'com.gemwallet',
  'sh.frame',
]

/**
 * Replacement icons by the wallet's id in the source, for icons with a certifier's mark or without a background.
 * A value is a kind and a name in `@web3icons/core`, or a name in `@rainbow-me/rainbowkit`.
 */
export const replacementIcons: Record<string, string> = {
  'io.metamask': 'wallets/metamask',
  'com.trustwallet.app': 'trust',
  'com.binance.wallet': 'binance',
  'io.rabby': 'wallets/rabby',
  'com.bitget.web3': 'bitget',
  'org.uniswap': 'uniswap',
  'com.ledger': 'wallets/ledger',
  'io.zerion.wallet': 'wallets/zerion',
  'global.safe': 'safe',
  'com.exodus': 'wallets/exodus',
  'com.crypto.wallet': 'exchanges/crypto-com',
  'pro.tokenpocket': 'wallets/token-pocket',
  'com.safepal': 'safepal',
  'im.token': 'wallets/imtoken',
  'io.1inch.wallet': 'exchanges/1inch',
  'io.trezor': 'wallets/trezor',
  'com.roninchain.wallet': 'wallets/ronin',
  'com.bifrostwallet': 'bifrost',
  'com.bestwallet': 'best',
  'com.elrond.maiar.wallet': 'xPortal',
}

/** Wallets in the official clients' presets that are missing from the source. */
export const additions = [
  {
    id: 'com.solflare',
    name: 'Solflare',
    homepage: 'https://solflare.com',
    rdns: 'com.solflare',
    image_id: '1b1f4c52-5a10-4b4c-9f4d-7a6d3f0c9e00',
    icon: 'wallets/solflare',
    mobile: { native: 'solflare://', universal: 'https://solflare.com/ul/v1' },
    desktop: { native: null, universal: null },
    app: {
      browser: 'https://solflare.com/portfolio',
      ios: 'https://apps.apple.com/app/solflare/id1580902717',
      android: 'https://play.google.com/store/apps/details?id=com.solflare.mobile',
      chrome:
        'https://chromewebstore.google.com/detail/solflare-wallet/bhhhlbepdkbapadjdnnojkbgioiodbic',
    },
  },
  {
    id: 'io.leather',
    name: 'Leather',
    homepage: 'https://leather.io',
    rdns: 'io.leather',
    image_id: undefined,
    icon: undefined,
    mobile: { native: null, universal: null },
    desktop: { native: null, universal: null },
    app: {
      browser: null,
      ios: null,
      android: null,
      chrome: 'https://chromewebstore.google.com/detail/leather/ldinpeekobnhjjdofggfgjlcehhmanlj',
    },
  },
]
