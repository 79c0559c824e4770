import { ed25519 } from '@noble/curves/ed25519'
import { base58 } from '@scure/base'
import { expect, it } from 'vitest'
import { entropyToMnemonic } from '@scure/bip39'
import { wordlist } from '@scure/bip39/wordlists/english'
import { combine, split } from 'shamir-secret-sharing'
import { parseTransaction, recoverMessageAddress, recoverTypedDataAddress, type Hex } from 'viem'
import { mnemonicToAccount } from 'viem/accounts'
import { run, WrongSharesError, type Pair } from './operations.ts'

type Bytes = Uint8Array<ArrayBuffer>

const pairsOf = ({ device, auth, recovery }: Record<'device' | 'auth' | 'recovery', Bytes>) =>
  [
    [device, auth],
    [auth, recovery],
    [device, recovery],
  ] as Pair[]

it('derives the accounts of the phrase, as other wallets do', async () => {
  const entropy = new Uint8Array(16).fill(7)
  const shares = (await split(entropy, 3, 2)) as Bytes[]
  const phrase = entropyToMnemonic(entropy, wordlist)
  const { address } = mnemonicToAccount(phrase)
  const { address: second } = mnemonicToAccount(phrase, { addressIndex: 1 })
  const found = await run({ name: 'check', shares: [shares[0]!, shares[1]!], address })
  expect(found.eip155).toBe(address)
  expect(found.owner).toBe(second)
  expect(base58.decode(found.solana)).toHaveLength(32)
})

it('rebuilds the key from any two of the three shares', async () => {
  const created = await run({ name: 'create' })
  for (const shares of pairsOf(created))
    await expect(run({ name: 'check', shares, address: created.eip155 })).resolves.toEqual({
      eip155: created.eip155,
      owner: created.owner,
      solana: created.solana,
    })
})

it('no share is the seed, and the shares of two splits have nothing in common', async () => {
  const first = await run({ name: 'create' })
  const seed = await combine([first.device, first.auth])
  const second = await run({
    name: 'split',
    shares: [first.auth, first.recovery],
    address: first.eip155,
  })
  expect(second.eip155).toBe(first.eip155)
  const texts = [first, second].flatMap(({ device, auth, recovery }) =>
    [device, auth, recovery].map((share) => Buffer.from(share.subarray(0, 16)).toString('hex')),
  )
  expect(new Set(texts).size).toBe(6)
  expect(texts).not.toContain(Buffer.from(seed).toString('hex'))
})

it('error: shares of different splits do not yield the key', async () => {
  const first = await run({ name: 'create' })
  const second = await run({
    name: 'split',
    shares: [first.device, first.auth],
    address: first.eip155,
  })
  for (const shares of [
    [first.device, second.auth],
    [second.device, first.recovery],
    [first.auth, second.recovery],
  ] as Pair[])
    await expect(run({ name: 'check', shares, address: first.eip155 })).rejects.toThrow(
      WrongSharesError,
    )
})

it('attack: one changed byte, anywhere in any share, is detected', async () => {
  const created = await run({ name: 'create' })
  for (let at = 0; at < created.device.length; at += 4)
    for (const shares of pairsOf(created)) {
      const changed = shares.map((share) => share.slice()) as Pair
      changed[0][at]! ^= 1
      await expect(
        run({ name: 'sign', shares: changed, address: created.eip155, request: message }),
      ).rejects.toThrow(WrongSharesError)
    }
})

it('attack: nothing that a page can request is signed with the key of the smart account’s owner', async () => {
  const created = await run({ name: 'create' })
  const sign = async (request: Parameters<typeof run<'sign'>>[0]['request']) =>
    run({ name: 'sign', shares: [created.device, created.auth], address: created.eip155, request })
  const data = {
    domain: { chainId: 1 },
    types: { SafeOp: [{ name: 'nonce', type: 'uint256' }] },
    primaryType: 'SafeOp',
    message: { nonce: 1n },
  } as const
  const byPage = (await sign({ kind: 'typedData', data })) as Hex
  const byOwner = (await sign({ kind: 'owner', data })) as Hex
  expect(await recoverTypedDataAddress({ ...data, signature: byPage })).toBe(created.eip155)
  expect(await recoverTypedDataAddress({ ...data, signature: byOwner })).toBe(created.owner)
  expect(created.owner).not.toBe(created.eip155)
})

it('error: two copies of one share are refused', async () => {
  const { device, eip155 } = await run({ name: 'create' })
  await expect(run({ name: 'check', shares: [device, device], address: eip155 })).rejects.toThrow(
    WrongSharesError,
  )
})

const message = { kind: 'message', message: '0x68656c6c6f' } as const

it('signs messages, typed data, transactions and Solana messages', async () => {
  const { device, auth, eip155: address, solana } = await run({ name: 'create' })
  const sign = (request: Parameters<typeof run<'sign'>>[0]['request']) =>
    run({ name: 'sign', shares: [device.slice(), auth.slice()], address, request })

  const signature = (await sign(message)) as `0x${string}`
  expect(await recoverMessageAddress({ message: 'hello', signature })).toBe(address)

  const data = {
    domain: { name: 'Book', chainId: 1 },
    types: { Page: [{ name: 'number', type: 'uint256' }] },
    primaryType: 'Page',
    message: { number: 7n },
  } as const
  const typed = (await sign({ kind: 'typedData', data })) as `0x${string}`
  expect(await recoverTypedDataAddress({ ...data, signature: typed })).toBe(address)

  const transaction = {
    type: 'eip1559',
    chainId: 31337,
    nonce: 0,
    gas: 21_000n,
    maxFeePerGas: 2n,
    maxPriorityFeePerGas: 1n,
    to: address,
    value: 5n,
  } as const
  const raw = (await sign({ kind: 'transaction', transaction })) as `0x${string}`
  expect(parseTransaction(raw)).toMatchObject({ chainId: 31337, value: 5n, gas: 21_000n })

  const messages = [new Uint8Array([1, 2, 3]), new Uint8Array([4])]
  const solanaSignatures = base58.decode(await sign({ kind: 'solana', messages }))
  for (const [index, bytes] of messages.entries()) {
    const one = solanaSignatures.subarray(index * 64, (index + 1) * 64)
    expect(ed25519.verify(one, bytes, base58.decode(solana))).toBe(true)
  }
})
