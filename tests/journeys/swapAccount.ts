import { accounts, addresses, gatefoldLocal, usdtAbi } from '@gatefold/chain'
import { createTestClient, erc20Abi, http, parseUnits, publicActions, walletActions } from 'viem'
import type { Address } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { readContract } from 'viem/actions'

import type { Stack } from '../stack.ts'

/** The demo wallets' first account on the first chain, read and changed without the page. */
export function swapAccount(stack: Stack) {
  const account = privateKeyToAccount(accounts[0].privateKey)
  const client = createTestClient({
    mode: 'anvil',
    account,
    chain: gatefoldLocal(stack.chains[0]!.url),
    transport: http(),
  })
    .extend(publicActions)
    .extend(walletActions)
  const token = (address: Address) => ({ address, abi: erc20Abi }) as const
  return {
    client,
    address: account.address,
    balanceOf: (address: Address) =>
      readContract(client, {
        ...token(address),
        functionName: 'balanceOf',
        args: [account.address],
      }),
    /** What the router may spend of a token. */
    allowanceOf: (address: Address) =>
      readContract(client, {
        ...token(address),
        functionName: 'allowance',
        args: [account.address, addresses.uniswapSwapRouter02],
      }),
    /** Mints 1,000 USDT, and leaves the router an allowance for the smallest amount. */
    async leaveUsdtAllowance() {
      const usdt = { address: addresses.usdt, abi: usdtAbi } as const
      const [minted, spender] = [parseUnits('1000', 6), addresses.uniswapSwapRouter02]
      for (const hash of [
        await client.writeContract({
          ...usdt,
          functionName: 'mint',
          args: [account.address, minted],
        }),
        await client.writeContract({ ...usdt, functionName: 'approve', args: [spender, 1n] }),
      ])
        await client.waitForTransactionReceipt({ hash })
    },
  }
}
