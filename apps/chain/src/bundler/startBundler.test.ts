import { createPublicClient, http, parseEther } from 'viem'
import { createBundlerClient, entryPoint07Abi } from 'viem/account-abstraction'
import { expect, test } from 'vitest'
import { addresses } from '../addresses.ts'
import { gatefoldLocal } from '../chains.ts'
import { BundlerMissingError } from '../errors.ts'
import { startChain } from '../startChain.ts'
import { findAlto, hasBundler } from './findAlto.ts'
import { startBundler } from './startBundler.ts'

test('error: without the optional program, the error says how to install it', () => {
  expect(() => findAlto('/nowhere/alto.js')).toThrow(BundlerMissingError)
  expect(() => findAlto('/nowhere/alto.js')).toThrow(/npm run bundler -w @gatefold\/chain/)
})

test('the paymaster has a deposit at the entry point', async () => {
  const chain = await startChain()
  const client = createPublicClient({ chain: gatefoldLocal(chain.url), transport: http() })
  expect(
    await client.readContract({
      address: addresses.entryPoint07,
      abi: entryPoint07Abi,
      functionName: 'balanceOf',
      args: [addresses.paymaster],
    }),
  ).toBe(parseEther('1000'))
  await chain.stop()
})

test.runIf(hasBundler())('the bundler serves both entry points, and stops', async () => {
  const chain = await startChain()
  const bundler = await startBundler(chain)
  const client = createBundlerClient({ transport: http(bundler.url) })
  expect(await client.getSupportedEntryPoints()).toEqual([
    addresses.entryPoint08,
    addresses.entryPoint07,
  ])
  expect(new URL(bundler.url).hostname).toBe('127.0.0.1')
  await bundler.stop()
  await bundler.ended
  await expect(client.getSupportedEntryPoints()).rejects.toThrow('HTTP request failed')
  await chain.stop()
})
