import type { Address, Hex } from 'viem'

export type DevAccount = { label: string; address: Address; privateKey: Hex }

/**
 * anvil's ten default accounts, from the mnemonic "test test test test test test test test test test test
 * junk". DEVELOPMENT ONLY: the keys are public, and funds sent to them on real networks will be stolen.
 */
export const accounts = [
  {
    label: 'Dev account 0',
    address: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
    privateKey: '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80',
  },
  {
    label: 'Dev account 1',
    address: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
    privateKey: '0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d',
  },
  {
    label: 'Dev account 2',
    address: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
    privateKey: '0x5de4111afa1a4b94908f83103eb1f1706367c2e68ca870fc3fb9a804cdab365a',
  },
  {
    label: 'Dev account 3',
    address: '0x90F79bf6EB2c4f870365E785982E1f101E93b906',
    privateKey: '0x7c852118294e51e653712a81e05800f419141751be58f605c371e15141b007a6',
  },
  {
    label: 'Dev account 4',
    address: '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65',
    privateKey: '0x47e179ec197488593b187f80a00eb0da91f1b9d0b13f8733639f19c30a34926a',
  },
  {
    label: 'Dev account 5',
    address: '0x9965507D1a55bcC2695C58ba16FB37d819B0A4dc',
    privateKey: '0x8b3a350cf5c34c9194ca85829a2df0ec3153be0318b5e2d3348e872092edffba',
  },
  {
    label: 'Dev account 6',
    address: '0x976EA74026E726554dB657fA54763abd0C3a0aa9',
    privateKey: '0x92db14e403b83dfe3df233f83dfa3a0d7096f21ca9b0d6d6b8d88b2b4ec1564e',
  },
  {
    label: 'Dev account 7',
    address: '0x14dC79964da2C08b23698B3D3cc7Ca32193d9955',
    privateKey: '0x4bbbf85ce3377467afe5d46f804f221813b2bb87f24d81f60f1fcdbf7cbf4356',
  },
  {
    label: 'Dev account 8',
    address: '0x23618e81E3f5cdF7f54C3d65f7FBc0aBf5B21E8f',
    privateKey: '0xdbda1821b80551c9d65939329250298aa3472ba22feea921c0cf5d620ea67b97',
  },
  {
    label: 'Dev account 9',
    address: '0xa0Ee7A142d267C1f36714E4a8F75612F20a79720',
    privateKey: '0x2a871d0798f97d79848a013d4936a73bf4cc922c825d33c1cf7073dff6d409c6',
  },
] as const satisfies readonly DevAccount[]

/** Deployer and owner of the contracts. The private key is `keccak256('gatefold local chain')`. */
export const deployer = {
  label: 'Deployer',
  address: '0xf8b2DD6e84697FCb27E69564Ab249c506c45F156',
  privateKey: '0xd7e68b4a9969ca526bf318f5fe77fc89449fd25c6242ff32fe74d37d2d6d14fe',
} as const satisfies DevAccount

/**
 * Pays out for the on-ramp's sandbox, see `fundFaucet`. The private key is `keccak256('gatefold faucet')`. DEVELOPMENT
 * ONLY, as above.
 */
export const faucet = {
  label: 'Faucet',
  address: '0x964D57393c182A8a89651D162D7247418bcb39A8',
  privateKey: '0x82a32ce3d723d8b61637a819cc6d4758e23cc1e480a180cfad34ed33915880a1',
} as const satisfies DevAccount

/**
 * Trades in the pools, see `movePrices`. The private key is `keccak256('gatefold trader')`. DEVELOPMENT ONLY, as above.
 */
export const trader = {
  label: 'Trader',
  address: '0x9C30f4012bd1524fBD29420CB3C84ae7D7F1bF67',
  privateKey: '0x7051ca1937daaacc1ade4814f0f0511a2408a8a688db5fa788595626a0ae269c',
} as const satisfies DevAccount

/**
 * Signs for the paymaster: the key of the server on the local stack. The private key is `keccak256('gatefold sponsor')`.
 * DEVELOPMENT ONLY, as above.
 */
export const sponsor = {
  label: 'Sponsor',
  address: '0x34047f20363FfB745Ca7738621FCd194016792aD',
  privateKey: '0x107ec3815491b0f3e4149f2bebb20b2ee032e2bb25305e06038d452d82813eeb',
} as const satisfies DevAccount

/**
 * Sends the operations of the local bundler, see `startBundler`. The private key is `keccak256('gatefold bundler')`.
 * DEVELOPMENT ONLY, as above.
 */
export const bundler = {
  label: 'Bundler',
  address: '0x968Bf17c7B182Ce720F8F19A558b6703950fb6aA',
  privateKey: '0x74a74441c2229f24d14e5f4c0070beed78a045e0a56defc3ac678d35fd28c428',
} as const satisfies DevAccount
