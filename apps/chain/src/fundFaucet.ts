import { encodeFunctionData, parseEther, parseUnits, toHex } from 'viem'
import { usdcAbi } from './abis.ts'
import { faucet } from './accounts.ts'
import { addresses } from './addresses.ts'
import { request, type Chain } from './startChain.ts'

/**
 * Gives the faucet account of a local chain a million ether and a billion USDC, from which the on-ramp's sandbox pays.
 *
 * @throws ChainRequestError
 */
export async function fundFaucet({ url }: Pick<Chain, 'url'>) {
  const ether = toHex(parseEther('1000000'))
  const mint = encodeFunctionData({
    abi: usdcAbi,
    functionName: 'mint',
    args: [faucet.address, parseUnits('1000000000', 6)],
  })
  const transaction = { from: faucet.address, to: addresses.usdc, data: mint }
  await request(url, 'anvil_setBalance', [faucet.address, ether])
  await request(url, 'anvil_impersonateAccount', [faucet.address])
  await request(url, 'eth_sendTransaction', [transaction])
  await request(url, 'anvil_stopImpersonatingAccount', [faucet.address])
}
