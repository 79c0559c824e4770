import {
  type Hex,
  hexToBigInt,
  numberToHex,
  parseEther,
  parseTransaction,
  verifyMessage,
  verifyTypedData,
} from 'viem'
import { describe, expect, it } from 'vitest'
import { alice, bob, carol, codeOf, lower, useTestWallets } from '../testing/useTestWallets.ts'

const { make, connected, viemOf } = useTestWallets()

/** Deploys code that reverts every call with the 32-byte number 0x42. */
const brokenContract = '0x69604260005260206000fd600052600a6016f3'

describe('signing: the wallet', () => {
  it('signs a message, and the signature verifies', async () => {
    const { wallet } = viemOf(await connected())
    const signature = await wallet.signMessage({ message: 'Grüße from the Book' })
    expect(
      await verifyMessage({ address: alice.address, message: 'Grüße from the Book', signature }),
    ).toBe(true)
  })

  it('signs plain text as UTF-8', async () => {
    const wallet = await connected()
    const signature = (await wallet.request('personal_sign', 'hello', bob.address)) as Hex
    expect(await verifyMessage({ address: bob.address, message: 'hello', signature })).toBe(true)
  })

  it('signs typed data, and rejects typed data for another chain', async () => {
    const { wallet } = viemOf(await connected())
    const typedData = {
      domain: { name: 'Book', version: '1', chainId: 31337 },
      types: { Note: [{ name: 'text', type: 'string' }] },
      primaryType: 'Note',
      message: { text: 'read me' },
    } as const
    const signature = await wallet.signTypedData(typedData)
    expect(await verifyTypedData({ address: alice.address, ...typedData, signature })).toBe(true)
    await expect(
      wallet.signTypedData({ ...typedData, domain: { ...typedData.domain, chainId: 1 } }),
    ).rejects.toMatchObject({ cause: { code: -32602 } })
  })

  it('rejects eth_sign, accounts without permission and invalid parameters', async () => {
    const wallet = await connected()
    const codes: unknown[] = []
    for (const [method, ...params] of [
      ['eth_sign', alice.address, '0x00'],
      ['personal_sign', '0x00', carol],
      ['personal_sign', alice.address, '0x00'],
      ['eth_signTypedData_v4', alice.address, '{'],
      ['eth_sendTransaction', { from: alice.address, to: '0x12' }],
      ['eth_sendTransaction', { from: alice.address, to: carol, value: 1 }],
      ['eth_sendTransaction', { from: alice.address, to: carol, chainId: '0x1' }],
      ['eth_sendTransaction', { from: carol, to: carol }],
      ['wallet_switchEthereumChain', { chainId: 31338 }],
    ] as const) {
      codes.push(await codeOf(wallet.request(method, ...params)))
    }
    expect(codes).toEqual([4200, 4100, -32602, -32602, -32602, -32602, -32602, 4100, -32602])
    await expect(wallet.provider.request({} as { method: string })).rejects.toMatchObject({
      code: -32600,
    })
  })
})

describe('sending: the wallet', () => {
  it('sends a transaction, and the chain includes it', async () => {
    const viem = viemOf(await connected(), bob.address)
    const before = await viem.chain.getBalance({ address: carol })
    const hash = await viem.wallet.sendTransaction({ to: carol, value: parseEther('1.5') })
    const receipt = await viem.chain.waitForTransactionReceipt({ hash })
    expect(receipt).toMatchObject({ status: 'success', from: lower(bob.address) })
    expect((await viem.chain.getBalance({ address: carol })) - before).toBe(parseEther('1.5'))
  })

  it('assigns different nonces to concurrent transactions', async () => {
    const viem = viemOf(await connected())
    const hashes = await Promise.all(
      [1n, 2n, 3n].map((value) => viem.wallet.sendTransaction({ to: carol, value })),
    )
    const sent = await Promise.all(hashes.map((hash) => viem.chain.getTransaction({ hash })))
    expect(new Set(sent.map(({ nonce }) => nonce)).size).toBe(3)
  })

  it('signs without sending', async () => {
    const wallet = await connected()
    const raw = (await wallet.request('eth_signTransaction', {
      from: alice.address,
      to: carol,
      value: '0x1',
    })) as Hex
    expect(parseTransaction(raw)).toMatchObject({ chainId: 31337, value: 1n, type: 'eip1559' })
  })

  it("forwards the chain's error for a failing call, with its revert data", async () => {
    const wallet = await connected()
    const viem = viemOf(wallet)
    const hash = await viem.wallet.sendTransaction({ data: brokenContract })
    const { contractAddress } = await viem.chain.waitForTransactionReceipt({ hash })
    await expect(
      wallet.request('eth_sendTransaction', { from: alice.address, to: contractAddress }),
    ).rejects.toMatchObject({ code: 3, data: numberToHex(0x42, { size: 32 }) })
  })

  it('forwards reads to the current chain', async () => {
    const wallet = make()
    const { chain } = viemOf(wallet)
    const balance = (await wallet.request('eth_getBalance', carol, 'latest')) as Hex
    expect(hexToBigInt(balance)).toBe(await chain.getBalance({ address: carol }))
    expect(await wallet.request('eth_chainId')).toBe(numberToHex(await chain.getChainId()))
    expect(await wallet.request('net_version')).toBe('31337')
  })
})
