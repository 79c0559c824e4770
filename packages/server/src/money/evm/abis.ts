import { parseAbi } from 'viem'

export const multicallAbi = parseAbi([
  'function getEthBalance(address account) view returns (uint256)',
])

export const factoryAbi = parseAbi([
  'function getPool(address a, address b, uint24 fee) view returns (address)',
])

export const v2FactoryAbi = parseAbi([
  'function getPair(address a, address b) view returns (address)',
])

export const pairAbi = parseAbi([
  'function getReserves() view returns (uint112 reserve0, uint112 reserve1, uint32 blockTimestampLast)',
])

export const poolAbi = parseAbi([
  'function observe(uint32[] secondsAgos) view returns (int56[] tickCumulatives, uint160[] secondsPerLiquidityCumulatives)',
])

/** QuoterV2 declares its quotes as state-changing, but they are made for `eth_call`. */
export const quoterAbi = parseAbi([
  'function quoteExactInput(bytes path, uint256 amountIn) view returns (uint256 amountOut, uint160[] sqrtPriceX96AfterList, uint32[] initializedTicksCrossedList, uint256 gasEstimate)',
])

export const routerAbi = parseAbi([
  'struct ExactInputParams { bytes path; address recipient; uint256 amountIn; uint256 amountOutMinimum; }',
  'function exactInput(ExactInputParams params) payable returns (uint256 amountOut)',
  'function swapExactTokensForTokens(uint256 amountIn, uint256 amountOutMin, address[] path, address to) payable returns (uint256 amountOut)',
  'function selfPermitIfNecessary(address token, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s) payable',
  'function factoryV2() view returns (address)',
  'function unwrapWETH9(uint256 amountMinimum, address recipient) payable',
  'function multicall(uint256 deadline, bytes[] data) payable returns (bytes[] results)',
])

/** The functions of ERC-721 and ERC-1155 that reads need. */
export const nftAbi = parseAbi([
  'function name() view returns (string)',
  'function balanceOf(address owner) view returns (uint256)',
  'function ownerOf(uint256 tokenId) view returns (address)',
  'function tokenURI(uint256 tokenId) view returns (string)',
  'function tokenOfOwnerByIndex(address owner, uint256 index) view returns (uint256)',
  'function uri(uint256 id) view returns (string)',
])

/** `balanceOf` of ERC-1155 has other parameters. */
export const multiTokenAbi = parseAbi([
  'function balanceOf(address account, uint256 id) view returns (uint256)',
])
