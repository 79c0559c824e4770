/**
 * Image ids that official clients hard-code (`PresetsUtil` of `@reown/appkit-utils` 1.7.15,
 * Apache-2.0), mapped to a network in `@web3icons/core` or to a drawing below.
 */
export const networkImages: Record<string, string> = {
  'ba0ba0cd-17c6-4806-ad93-f9d174f17900': 'ethereum',
  '3bff954d-5cb0-47a0-9a23-d20192e74600': 'arbitrum-one',
  '30c46e53-e989-45fb-4549-be3bd4eb3b00': 'avalanche',
  '93564157-2e8e-4ce7-81df-b264dbee9b00': 'binance-smart-chain',
  '06b26297-fe0c-4733-5d6b-ffa5498aac00': 'fantom',
  'ab9c186a-c52f-464b-2906-ca59d760a400': 'optimism',
  '41d04d42-da3b-4453-8506-668cc0727900': 'polygon',
  'e86fae9b-b770-4eea-e520-150e12c81100': 'mantle',
  '6a97d510-cac8-4e58-c7ce-e8681b044c00': 'hedera-hashgraph',
  'e909ea0a-f92a-4512-c8fc-748044ea6800': 'ethereum',
  'a18a7ecd-e307-4360-4746-283182228e00': 'base',
  '4eeea7ef-0014-4649-5d1d-07271a80f600': 'unichain',
  '2257980a-3463-48c6-cbac-a42d2a956e00': 'unichain',
  '0a728e83-bacb-46db-7844-948f05434900': 'monad',
  '02b53f6a-e3d4-479e-1cb4-21178987d100': 'gnosis',
  'f926ff41-260d-4028-635e-91913fc28e00': 'evmos',
  'b310f07f-4ef7-49f3-7073-2a0a39685800': 'zksync',
  '5a73b3dd-af74-424e-cae0-0de859ee9400': 'filecoin',
  '34e68754-e536-40da-c153-6ef2e7188a00': 'iotex',
  '3897a66d-40b9-4833-162f-a2c90531c900': 'metis-andromeda',
  '161038da-44ae-4ec7-1208-0ea569454b00': 'moonbeam',
  'f1d73bb6-5450-4e18-38f7-fb6484264a00': 'moonriver',
  '845c60df-d429-4991-e687-91ae45791600': 'zora',
  'ab781bbc-ccc6-418d-d32d-789b15da1f00': 'celo',
  '7289c336-3981-4081-c5f4-efc26ac64a00': 'base',
  '3ff73439-a619-4894-9262-4470c773a100': 'aurora',
  'b8101fc0-9c19-4b6f-ec65-f6dfff106e00': 'ronin',
  'e329c2c9-59b0-4a02-83e4-212ff3779900': 'berachain',
  'fc2427d1-5af9-4a9c-8da5-6f94627cd900': 'abstract',
  'a1b58899-f671-4276-6a5e-56ca5bd59700': 'solana',
  '0b4838db-0161-4ffe-022d-532bf03dba00': 'bitcoin',
  '39354064-d79b-420b-065d-f980c4b78200': 'bitcoin',
}

/** Image ids of connectors, mapped to a wallet in `@web3icons/core` or, with `own:`, to a drawing below. */
export const connectorImages: Record<string, string> = {
  '0c2840c3-5b04-4c44-9661-fbd4b49e1800': 'coinbase',
  '461db637-8616-43ce-035a-d89b8a1d5800': 'safe',
  '54a1aa77-d202-4f8d-0fb2-5d2bb6db0300': 'ledger',
  'ef1a1fcf-7fe8-4d69-bd6d-fda1345b4400': 'wallet-connect',
  '07ba87ed-43aa-4adf-4540-9e6a2b9cae00': 'own:injected',
}

/** Drawings of a wallet and a network that are missing from the icon package. */
export const ownDrawings: Record<string, string> = {
  injected:
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40"><rect width="40" height="40" rx="10" fill="#202435"/><g fill="none" stroke="#f4f1e8" stroke-width="2.4" stroke-linejoin="round"><path d="M28 14v-2.5a2 2 0 0 0-2-2H12a3 3 0 0 0 0 6h16a2 2 0 0 1 2 2v11a2 2 0 0 1-2 2H12a3 3 0 0 1-3-3v-16"/></g><circle cx="25" cy="22.5" r="2" fill="#d8a441"/></svg>',
  evmos:
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40"><circle cx="20" cy="20" r="20" fill="#ed4e33"/><path fill="#fff" d="M13 11.5h14v3.4H16.9v3.4H26v3.4h-9.1v3.4H27v3.4H13z"/></svg>',
}

/** Symbols with an image at `GET /public/getTokenImage/{symbol}`; `a=kind/b` uses the image `b` of that kind. */
export const tokenSymbols =
  `ETH WETH=tokens/ETH BTC WBTC USDC USDT DAI EURC PYUSD FRAX LUSD GHO TUSD USDE POL MATIC BNB AVAX
  SOL JUP PYTH RAY OP ARB LINK UNI AAVE MKR LDO COMP SNX ENS GRT SUSHI YFI DYDX RETH CBETH RPL PEPE
  SHIB DOGE WLD=networks/world MANA SAND AXS CELO GNO FTM XDAI=networks/gnosis ZK=networks/zksync
  MNT TON=networks/ton TRX DOT ADA ATOM NEAR XRP LTC BCH 1INCH CRV`.split(/\s+/)

/** Currency codes, mapped to a file in `circle-flags`. */
export const currencyFlags: Record<string, string> = {
  AED: 'ae',
  ARS: 'ar',
  AUD: 'au',
  BDT: 'bd',
  BGN: 'bg',
  BRL: 'br',
  CAD: 'ca',
  CHF: 'ch',
  CLP: 'cl',
  CNY: 'cn',
  COP: 'co',
  CRC: 'cr',
  CZK: 'cz',
  DKK: 'dk',
  EGP: 'eg',
  EUR: 'european_union',
  GBP: 'gb',
  GEL: 'ge',
  GHS: 'gh',
  GTQ: 'gt',
  HKD: 'hk',
  HUF: 'hu',
  IDR: 'id',
  ILS: 'il',
  INR: 'in',
  JPY: 'jp',
  KES: 'ke',
  KRW: 'kr',
  KZT: 'kz',
  LKR: 'lk',
  MAD: 'ma',
  MXN: 'mx',
  MYR: 'my',
  NGN: 'ng',
  NOK: 'no',
  NZD: 'nz',
  PEN: 'pe',
  PHP: 'ph',
  PKR: 'pk',
  PLN: 'pl',
  RON: 'ro',
  SAR: 'sa',
  SEK: 'se',
  SGD: 'sg',
  THB: 'th',
  TRY: 'tr',
  TWD: 'tw',
  UAH: 'ua',
  USD: 'us',
  UYU: 'uy',
  VND: 'vn',
  XOF: 'sn',
  ZAR: 'za',
}
