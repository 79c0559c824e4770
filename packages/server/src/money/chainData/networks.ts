import type { ChainData, Token } from './ChainData.ts'

type Address = `0x${string}`

const multicall3 = '0xcA11bde05977b3631167028862bE2a173976CA11'
const ether = { name: 'Ether', symbol: 'ETH', decimals: 18 }

function token(address: Address, name: string, symbol: string, decimals: number): Token {
  return { address, name, symbol, decimals }
}

/** Uniswap v3 on chains where it has the addresses of its first deployment. */
const uniswap = {
  factory: '0x1F98431c8aD98523631AE4a59f267346ea31F984',
  quoter: '0x61fFE014bA17989E743c5F6cB21bF9697530B21e',
  router: '0x68b3465833fb72A70ecDF485E0e4C7bD8665Fc45',
} as const

/**
 * 0x, on chains with the Cancun hardfork that its API supports.
 *
 * @see https://github.com/0xProject/0x-settler#allowanceholder-addresses
 */
const zeroEx = {
  allowanceHolder: '0x0000000000001fF3684f28c67538d4D072C22734',
  settlers: '0x00000000000004533Fe15556B1E086BB1A72cEae',
} as const

/** 1inch, on chains that its API supports and where it has the address of its first deployment. */
const oneInch = { router: '0x111111125421cA6dc452d289314280a0f8842A65' } as const

const ethereum = {
  weth: '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2',
  usdc: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
  usdt: '0xdAC17F958D2ee523a2206206994597C13D831ec7',
  dai: '0x6B175474E89094C44Da98b954EedeAC495271d0F',
} as const

const optimism = {
  weth: '0x4200000000000000000000000000000000000006',
  usdc: '0x0b2C639c533813f4Aa9D7837CAf62653d097Ff85',
  usdt: '0x94b008aA00579c1307B0EF2c499aD98a8ce58e58',
  dai: '0xDA10009cBd5D07dd0CeCc66161FC93D7c9000da1',
} as const

const arbitrum = {
  weth: '0x82aF49447D8a07e3bd95BD0d56f35241523fBab1',
  usdc: '0xaf88d065e77c8cC2239327C5EDb3A432268e5831',
  usdt: '0xFd086bC7CD5C481DCC9C85ebE478A1C0b69FCbb9',
  dai: '0xDA10009cBd5D07dd0CeCc66161FC93D7c9000da1',
} as const

const base = {
  weth: '0x4200000000000000000000000000000000000006',
  usdc: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  dai: '0x50c5725949A6F0c72E6C4a641F24049A917DB0Cb',
} as const

const polygon = {
  wpol: '0x0d500B1d8E8eF31E21C99d1Db9A6444d3ADf1270',
  usdc: '0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359',
  usdt: '0xc2132D05D31c914a87C6611C10748AEb04B58e8F',
  dai: '0x8f3Cf7ad23Cd3CaDbD9735AFf958023239c6A063',
} as const

const bnb = {
  wbnb: '0xbb4CdB9CBd36B01bD1cBaEBF2De08d9173bc095c',
  usdc: '0x8AC76a51cc950d9822D68b83fE1Ad97B32Cd580d',
  usdt: '0x55d398326f99059fF775485246999027B3197955',
} as const

const avalanche = {
  wavax: '0xB31f66AA3C1e785363F0875A1B74E27b85FD66c7',
  usdc: '0xB97EF9Ef8734C71904D8002F8b6Bc66Dd9c48a6E',
  usdt: '0x9702230A8Ea53601f5cD2dc00fDBc13d4dF4A8c7',
} as const

const zksync = { weth: '0x5AEa5775959fBC2557Cc8789bC1bf90A239D9a91' } as const

/**
 * Built-in data for the twelve networks on which official clients offer swaps.
 * Uniswap v3 exists on eight of them, v2 on seven, 0x on seven, 1inch on nine.
 * `GATEFOLD_CHAINS` replaces and adds entries.
 *
 * @see spec §9.3.1; https://docs.uniswap.org/contracts/v2/reference/smart-contracts/v2-deployments
 */
export const networks: Readonly<Record<string, ChainData>> = {
  'eip155:1': {
    name: 'Ethereum',
    nativeCurrency: ether,
    multicall3,
    ensUniversalResolver: '0xeEeEEEeE14D718C2B47D9923Deab1335E144EeEe',
    wrapped: ethereum.weth,
    uniswap: { ...uniswap, v2Factory: '0x5C69bEe701ef814a2B6a3EDD4B1652CB9cc5aA6f' },
    zeroEx,
    oneInch,
    dollars: [ethereum.usdc, ethereum.usdt, ethereum.dai],
    tokens: [
      token(ethereum.weth, 'Wrapped Ether', 'WETH', 18),
      { ...token(ethereum.usdc, 'USDC', 'USDC', 6), permit: true },
      token(ethereum.usdt, 'Tether USD', 'USDT', 6),
      token(ethereum.dai, 'Dai Stablecoin', 'DAI', 18),
      token('0x2260FAC5E5542a773Aa44fBCfeDf7C193bc2C599', 'Wrapped Bitcoin', 'WBTC', 8),
      token('0x514910771AF9Ca656af840dff83E8264EcF986CA', 'Chainlink', 'LINK', 18),
      token('0x1f9840a85d5aF5bf1D1762F925BDADdC4201F984', 'Uniswap', 'UNI', 18),
      token('0x7Fc66500c84A76Ad7e9c93437bFc5Ac33E2DDaE9', 'Aave', 'AAVE', 18),
      token('0x5A98FcBEA516Cf06857215779Fd812CA3beF1B32', 'Lido DAO', 'LDO', 18),
      token('0xD533a949740bb3306d119CC777fa900bA034cd52', 'Curve DAO', 'CRV', 18),
      token(
        '0xBe9895146f7AF43049ca1c1AE358B0541Ea49704',
        'Coinbase Wrapped Staked ETH',
        'cbETH',
        18,
      ),
      token('0x1aBaEA1f7C830bD89Acc67eC4af516284b1bC33c', 'EURC', 'EURC', 6),
    ],
  },
  'eip155:42161': {
    name: 'Arbitrum One',
    nativeCurrency: ether,
    multicall3,
    wrapped: arbitrum.weth,
    uniswap: { ...uniswap, v2Factory: '0xf1D7CC64Fb4452F05c498126312eBE29f30Fbcf9' },
    zeroEx,
    oneInch,
    dollars: [arbitrum.usdc, arbitrum.usdt, arbitrum.dai],
    tokens: [
      token(arbitrum.weth, 'Wrapped Ether', 'WETH', 18),
      { ...token(arbitrum.usdc, 'USDC', 'USDC', 6), permit: true },
      token(arbitrum.usdt, 'Tether USD', 'USDT', 6),
      token(arbitrum.dai, 'Dai Stablecoin', 'DAI', 18),
      token('0x2f2a2543B76A4166549F7aaB2e75Bef0aefC5B0f', 'Wrapped Bitcoin', 'WBTC', 8),
      token('0x912CE59144191C1204E64559FE8253a0e49E6548', 'Arbitrum', 'ARB', 18),
      token('0xf97f4df75117a78c1A5a0DBb814Af92458539FB4', 'Chainlink', 'LINK', 18),
      token('0xFa7F8980b0f1E64A2062791cc3b0871572f1F7f0', 'Uniswap', 'UNI', 18),
      token('0x13Ad51ed4F1B7e9Dc168d8a00cB3f4dDD85EfA60', 'Lido DAO', 'LDO', 18),
    ],
  },
  'eip155:10': {
    name: 'OP Mainnet',
    nativeCurrency: ether,
    multicall3,
    wrapped: optimism.weth,
    uniswap: { ...uniswap, v2Factory: '0x0c3c1c532F1e39EdF36BE9Fe0bE1410313E074Bf' },
    zeroEx,
    oneInch,
    dollars: [optimism.usdc, optimism.usdt, optimism.dai],
    tokens: [
      token(optimism.weth, 'Wrapped Ether', 'WETH', 18),
      { ...token(optimism.usdc, 'USDC', 'USDC', 6), permit: true },
      token(optimism.usdt, 'Tether USD', 'USDT', 6),
      token(optimism.dai, 'Dai Stablecoin', 'DAI', 18),
      token('0x68f180fcCe6836688e9084f035309E29Bf0A2095', 'Wrapped Bitcoin', 'WBTC', 8),
      token('0x4200000000000000000000000000000000000042', 'Optimism', 'OP', 18),
      token('0x350a791Bfc2C21F9Ed5d10980Dad2e2638ffa7f6', 'Chainlink', 'LINK', 18),
      token('0x6fd9d7AD17242c41f7131d257212c54A0e816691', 'Uniswap', 'UNI', 18),
    ],
  },
  'eip155:324': {
    name: 'ZKsync Era',
    nativeCurrency: ether,
    multicall3: '0xF9cda624FBC7e059355ce98a31693d299FACd963',
    wrapped: zksync.weth,
    uniswap: {
      factory: '0x8FdA5a7a8dCA67BBcDd10F02Fa0649A937215422',
      quoter: '0x8Cb537fc92E26d8EBBb760E632c95484b6Ea3e28',
      router: '0x99c56385daBCE3E81d8499d0b8d0257aBC07E8A3',
    },
    oneInch: { router: '0x6fd4383cB451173D5f9304F041C7BCBf27d561fF' },
    dollars: [],
    tokens: [token(zksync.weth, 'Wrapped Ether', 'WETH', 18)],
  },
  'eip155:8453': {
    name: 'Base',
    nativeCurrency: ether,
    multicall3,
    wrapped: base.weth,
    uniswap: {
      factory: '0x33128a8fC17869897dcE68Ed026d694621f6FDfD',
      v2Factory: '0x8909Dc15e40173Ff4699343b6eB8132c65e18eC6',
      quoter: '0x3d4e44Eb1374240CE5F1B871ab261CD16335B76a',
      router: '0x2626664c2603336E57B271c5C0b26F421741e481',
    },
    zeroEx,
    oneInch,
    dollars: [base.usdc, base.dai],
    tokens: [
      token(base.weth, 'Wrapped Ether', 'WETH', 18),
      { ...token(base.usdc, 'USDC', 'USDC', 6), permit: true },
      token(base.dai, 'Dai Stablecoin', 'DAI', 18),
      token(
        '0x2Ae3F1Ec7F1F5012CFEab0185bfc7aa3cf0DEc22',
        'Coinbase Wrapped Staked ETH',
        'cbETH',
        18,
      ),
      token('0x60a3E35Cc302bFA44Cb288Bc5a4F316Fdb1adb42', 'EURC', 'EURC', 6),
    ],
  },
  'eip155:56': {
    name: 'BNB Smart Chain',
    nativeCurrency: { name: 'BNB', symbol: 'BNB', decimals: 18 },
    multicall3,
    wrapped: bnb.wbnb,
    uniswap: {
      factory: '0xdB1d10011AD0Ff90774D0C6Bb92e5C5c8b4461F7',
      v2Factory: '0x8909Dc15e40173Ff4699343b6eB8132c65e18eC6',
      quoter: '0x78D78E420Da98ad378D7799bE8f4AF69033EB077',
      router: '0xB971eF87ede563556b2ED4b1C0b0019111Dd85d2',
    },
    zeroEx,
    oneInch,
    dollars: [bnb.usdt, bnb.usdc],
    tokens: [
      token(bnb.wbnb, 'Wrapped BNB', 'WBNB', 18),
      token(bnb.usdt, 'Tether USD', 'USDT', 18),
      token(bnb.usdc, 'USD Coin', 'USDC', 18),
      token('0x1AF3F329e8BE154074D8769D1FFa4eE058B1DBc3', 'Dai Stablecoin', 'DAI', 18),
      token('0xF8A0BF9cF54Bb92F17374d9e9A321E6a111a51bD', 'Chainlink', 'LINK', 18),
      token('0xBf5140A22578168FD562DCcF235E5D43A02ce9B1', 'Uniswap', 'UNI', 18),
      token('0xfb6115445Bff7b52FeB98650C87f44907E58f802', 'Aave', 'AAVE', 18),
    ],
  },
  'eip155:137': {
    name: 'Polygon',
    nativeCurrency: { name: 'POL', symbol: 'POL', decimals: 18 },
    multicall3,
    wrapped: polygon.wpol,
    uniswap: { ...uniswap, v2Factory: '0x9e5A52f57b3038F1B8EeE45F28b3C1967e22799C' },
    zeroEx,
    oneInch,
    dollars: [polygon.usdc, polygon.usdt, polygon.dai],
    tokens: [
      token(polygon.wpol, 'Wrapped POL', 'WPOL', 18),
      { ...token(polygon.usdc, 'USDC', 'USDC', 6), permit: true },
      token(polygon.usdt, 'Tether USD', 'USDT', 6),
      token(polygon.dai, 'Dai Stablecoin', 'DAI', 18),
      token('0x7ceB23fD6bC0adD59E62ac25578270cFf1b9f619', 'Wrapped Ether', 'WETH', 18),
      token('0x1BFD67037B42Cf73acF2047067bd4F2C47D9BfD6', 'Wrapped Bitcoin', 'WBTC', 8),
      token('0x53E0bca35eC356BD5ddDFebbD1Fc0fD03FaBad39', 'Chainlink', 'LINK', 18),
      token('0xb33EaAd8d922B1083446DC23f610c2567fB5180f', 'Uniswap', 'UNI', 18),
      token('0xD6DF932A45C0f255f85145f286eA0b292B21C90B', 'Aave', 'AAVE', 18),
      token('0x172370d5Cd63279eFa6d502DAB29171933a610AF', 'Curve DAO', 'CRV', 18),
    ],
  },
  'eip155:100': {
    name: 'Gnosis',
    nativeCurrency: { name: 'xDAI', symbol: 'XDAI', decimals: 18 },
    multicall3,
    oneInch,
    dollars: [],
    tokens: [],
  },
  'eip155:43114': {
    name: 'Avalanche',
    nativeCurrency: { name: 'Avalanche', symbol: 'AVAX', decimals: 18 },
    multicall3,
    wrapped: avalanche.wavax,
    uniswap: {
      factory: '0x740b1c1de25031C31FF4fC9A62f554A55cdC1baD',
      v2Factory: '0x9e5A52f57b3038F1B8EeE45F28b3C1967e22799C',
      quoter: '0xbe0F5544EC67e9B3b2D979aaA43f18Fd87E6257F',
      router: '0xbb00FF08d01D300023C629E8fFfFcb65A5a578cE',
    },
    zeroEx,
    oneInch,
    dollars: [avalanche.usdc, avalanche.usdt],
    tokens: [
      token(avalanche.wavax, 'Wrapped AVAX', 'WAVAX', 18),
      { ...token(avalanche.usdc, 'USDC', 'USDC', 6), permit: true },
      token(avalanche.usdt, 'Tether USD', 'USDT', 6),
      token('0x50b7545627a5162F82A992c33b87aDc75187B218', 'Wrapped Bitcoin', 'WBTC', 8),
      token('0x5947BB275c521040051D82396192181b413227A3', 'Chainlink', 'LINK', 18),
      token('0x63a72806098Bd3D9520cC43356dD78afe5D386D9', 'Aave', 'AAVE', 18),
      token('0xC891EB4cbdEFf6e073e859e987815Ed1505c2ACD', 'EURC', 'EURC', 6),
    ],
  },
  'eip155:250': {
    name: 'Fantom',
    nativeCurrency: { name: 'Fantom', symbol: 'FTM', decimals: 18 },
    multicall3,
    dollars: [],
    tokens: [],
  },
  'eip155:8217': {
    name: 'Kaia',
    nativeCurrency: { name: 'Kaia', symbol: 'KAIA', decimals: 18 },
    multicall3,
    dollars: [],
    tokens: [],
  },
  'eip155:1313161554': {
    name: 'Aurora',
    nativeCurrency: ether,
    multicall3,
    dollars: [],
    tokens: [],
  },
}
