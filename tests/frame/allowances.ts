import { addresses, usdcAbi, type Chain } from '@gatefold/chain'
import type { Page } from 'playwright-core'
import {
  createPublicClient,
  createTestClient,
  encodeFunctionData,
  erc20Abi,
  http,
  maxUint256,
  parseEther,
  type Address,
} from 'viem'
import { waitForTransactionReceipt } from 'viem/actions'
import { expect } from 'vitest'
import { login, type HostWindow, type Reply } from './openHost.ts'
import type { FrameStack } from './startFrame.ts'

declare const window: HostWindow

/** Logs in, and gives the wallet 1 ether. @returns the wallet's address */
export async function loginWithEther(
  { frame, chain }: { frame: FrameStack; chain: Chain },
  page: Page,
  email: string,
): Promise<Address> {
  const address = (await login(frame, page, email, 1)) as Address
  const client = createTestClient({ mode: 'anvil', transport: http(chain.url) })
  await client.setBalance({ address, value: parseEther('1') })
  return address
}

/** The page requests an unlimited allowance of USDC. */
export async function requestAllowance(page: Page, from: Address, spender: Address): Promise<void> {
  const approve = { abi: erc20Abi, functionName: 'approve' } as const
  const data = encodeFunctionData({ ...approve, args: [spender, maxUint256] })
  await page.evaluate(
    (call) => {
      window.signed = window.send('RPC_REQUEST', {
        method: 'eth_sendTransaction',
        params: [call],
        chainId: 31_337,
      })
    },
    { from, to: addresses.usdc, data },
  )
}

/** The allowance after the request of the page. */
export async function allowanceOf(
  chain: Chain,
  page: Page,
  [owner, spender]: readonly [owner: Address, spender: Address],
): Promise<bigint> {
  const node = createPublicClient({ transport: http(chain.url) })
  const reply = await page.evaluate<Reply>(() => window.signed!)
  expect(reply).toMatchObject({ type: '@w3m-frame/RPC_REQUEST_SUCCESS' })
  const hash = reply.payload as Address
  expect((await waitForTransactionReceipt(node, { hash })).status).toBe('success')
  return node.readContract({
    address: addresses.usdc,
    abi: usdcAbi,
    functionName: 'allowance',
    args: [owner, spender],
  })
}
