import { accounts, addresses, gatefoldLocal, receiptOf, usdtAbi } from '@gatefold/chain'
import {
  createTestClient,
  erc20Abi,
  http,
  parseEther,
  parseUnits,
  publicActions,
  walletActions,
} from 'viem'
import type { Address } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { readContract } from 'viem/actions'

import type { Stack } from '../stack.ts'

/**
 * An account on the first chain, read and changed without the page.
 *
 * @param address - by default, the demo wallets' first account
 */
export function swapAccount(stack: Stack, address: Address = accounts[0].address) {
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
    address,
    ether: () => client.getBalance({ address }),
    balanceOf: (of: Address) =>
      readContract(client, {
        ...token(of),
        functionName: 'balanceOf',
        args: [address],
      }),
    /** What the router may spend of a token. */
    allowanceOf: (of: Address) =>
      readContract(client, {
        ...token(of),
        functionName: 'allowance',
        args: [address, addresses.uniswapSwapRouter02],
      }),
    /** Sends the account 2 ETH and 500 BOOK. */
    async fund() {
      await client.setBalance({ address, value: parseEther('2') })
      const hash = await client.writeContract({
        ...token(addresses.book),
        functionName: 'transfer',
        args: [address, parseUnits('500', 18)],
      })
      await receiptOf(client, hash)
    },
    /** Mints 1,000 USDT, and leaves the router an allowance for the smallest amount. */
    async leaveUsdtAllowance() {
      const usdt = { address: addresses.usdt, abi: usdtAbi } as const
      const [minted, spender] = [parseUnits('1000', 6), addresses.uniswapSwapRouter02]
      // Also sends from an account whose key is not known.
      await client.impersonateAccount({ address })
      for (const hash of [
        await client.writeContract({ ...usdt, functionName: 'mint', args: [address, minted] }),
        await client.writeContract({
          ...usdt,
          account: address,
          functionName: 'approve',
          args: [spender, 1n],
        }),
      ])
        await receiptOf(client, hash)
      await client.stopImpersonatingAccount({ address })
    },
  }
}
