import {
  type Address,
  type Hex,
  concat,
  createWalletClient,
  encodeFunctionData,
  encodePacked,
  hashMessage,
  http,
  parseAbi,
  parseEther,
  parseEventLogs,
  publicActions,
  zeroAddress,
} from 'viem'
import { entryPoint07Abi, toPackedUserOperation } from 'viem/account-abstraction'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { safeAbi, safeProxyFactoryAbi } from './abis.ts'
import { type DevAccount, accounts } from './accounts.ts'
import { addresses } from './addresses.ts'
import { gatefoldLocal, gatefoldSecond } from './chains.ts'
import { type Chain, startChain } from './startChain.ts'
import { receiptOf } from './receiptOf.ts'

const [mira, tomas, keeper] = accounts

describe.each([
  ['the first chain', 31337, gatefoldLocal],
  ['the second chain', 31338, gatefoldSecond],
] as const)('Safe 1.4.1 on %s', (_, chainId, toChain) => {
  let chain: Chain
  let client: ReturnType<typeof createWallet>
  let safe: Address
  beforeAll(async () => {
    chain = await startChain({ chainId })
    client = createWallet()
    safe = await createSafe({ owners: [mira.address, tomas.address], threshold: 2n })
  })
  afterAll(() => chain.stop())

  test('the factory creates a Safe with the given owners', async () => {
    const contract = { address: safe, abi: safeAbi } as const
    expect(await client.readContract({ ...contract, functionName: 'VERSION' })).toBe('1.4.1')
    expect(await client.readContract({ ...contract, functionName: 'getThreshold' })).toBe(2n)
    expect(await client.readContract({ ...contract, functionName: 'getOwners' })).toEqual([
      mira.address,
      tomas.address,
    ])
  })

  test('a Safe executes a transfer signed by all owners', async () => {
    await fund(safe)
    const before = await client.getBalance(keeper)
    await execute({ to: keeper.address, value: 7n }, [mira, tomas])
    expect(await client.getBalance(keeper)).toBe(before + 7n)
  })

  test('error: a Safe rejects a transfer with only one of two signatures', async () => {
    const before = await client.getBalance(keeper)
    await expect(execute({ to: keeper.address, value: 7n }, [mira])).rejects.toThrow('GS020')
    expect(await client.getBalance(keeper)).toBe(before)
  })

  test.each(['safeMultiSend', 'safeMultiSendCallOnly'] as const)(
    '%s sends two calls in one transaction',
    async (name) => {
      await fund(safe)
      const before = await client.getBalance(keeper)
      const call = encodePacked(
        ['uint8', 'address', 'uint256', 'uint256', 'bytes'],
        [0, keeper.address, 5n, 0n, '0x'],
      )
      const data = encodeFunctionData({
        abi: parseAbi(['function multiSend(bytes transactions) payable']),
        args: [concat([call, call])],
      })
      await execute({ to: addresses[name], data, operation: 1 }, [mira, tomas])
      expect(await client.getBalance(keeper)).toBe(before + 10n)
    },
  )

  test('a Safe verifies a message signed by its owners (ERC-1271)', async () => {
    const message = 'Sign in to the Book of Ethereum'
    const signature = await signAll([mira, tomas], (owner) =>
      owner.signTypedData({
        domain: { chainId, verifyingContract: safe },
        types: { SafeMessage: [{ name: 'message', type: 'bytes' }] },
        primaryType: 'SafeMessage',
        message: { message: hashMessage(message) },
      }),
    )
    expect(await client.verifyMessage({ address: safe, message, signature })).toBe(true)
    expect(await client.verifyMessage({ address: safe, message: `${message}!`, signature })).toBe(
      false,
    )
  })

  test('a Safe executes a user operation with the ERC-4337 module', async () => {
    const owner = privateKeyToAccount(mira.privateKey)
    const smart = await createSafe({
      owners: [owner.address],
      threshold: 1n,
      to: addresses.safeModuleSetup,
      data: encodeFunctionData({
        abi: parseAbi(['function enableModules(address[] modules)']),
        args: [[addresses.safe4337Module]],
      }),
      fallbackHandler: addresses.safe4337Module,
    })
    await fund(smart)
    const entryPoint = { address: addresses.entryPoint07, abi: entryPoint07Abi } as const
    const operation = {
      sender: smart,
      nonce: await client.readContract({
        ...entryPoint,
        functionName: 'getNonce',
        args: [smart, 0n],
      }),
      callData: encodeFunctionData({
        abi: parseAbi([
          'function executeUserOp(address to, uint256 value, bytes data, uint8 operation)',
        ]),
        args: [keeper.address, 3n, '0x', 0],
      }),
      callGasLimit: 200_000n,
      verificationGasLimit: 300_000n,
      preVerificationGas: 60_000n,
      maxFeePerGas: 10n ** 10n,
      maxPriorityFeePerGas: 10n ** 9n,
    }
    const validity = encodePacked(['uint48', 'uint48'], [0, 0])
    const signature = await owner.signTypedData({
      domain: { chainId, verifyingContract: addresses.safe4337Module },
      types: safeOperation,
      primaryType: 'SafeOp',
      message: {
        ...operation,
        safe: smart,
        initCode: '0x',
        paymasterAndData: '0x',
        validAfter: 0,
        validUntil: 0,
        entryPoint: addresses.entryPoint07,
      },
    })
    const packed = toPackedUserOperation({ ...operation, signature: concat([validity, signature]) })
    const before = await client.getBalance(keeper)
    const receipt = await confirm(
      await client.writeContract({
        ...entryPoint,
        functionName: 'handleOps',
        args: [[packed], mira.address],
      }),
    )
    const [outcome] = parseEventLogs({
      abi: entryPoint07Abi,
      eventName: 'UserOperationEvent',
      logs: receipt.logs,
    })
    expect(outcome?.args).toMatchObject({ sender: smart, success: true })
    expect(await client.getBalance(keeper)).toBe(before + 3n)
  })

  function createWallet() {
    return createWalletClient({
      account: privateKeyToAccount(mira.privateKey),
      chain: toChain(chain.url),
      transport: http(),
      pollingInterval: 5,
    }).extend(publicActions)
  }

  type Setup = {
    owners: Address[]
    threshold: bigint
    to?: Address
    data?: Hex
    fallbackHandler?: Address
  }

  async function createSafe(setup: Setup): Promise<Address> {
    const { owners, threshold, to = zeroAddress, data = '0x' } = setup
    const { fallbackHandler = addresses.safeFallbackHandler } = setup
    const initializer = encodeFunctionData({
      abi: safeAbi,
      functionName: 'setup',
      args: [owners, threshold, to, data, fallbackHandler, zeroAddress, 0n, zeroAddress],
    })
    const receipt = await confirm(
      await client.writeContract({
        address: addresses.safeProxyFactory,
        abi: safeProxyFactoryAbi,
        functionName: 'createProxyWithNonce',
        args: [addresses.safeL2, initializer, 1n],
      }),
    )
    const [created] = parseEventLogs({ abi: safeProxyFactoryAbi, logs: receipt.logs })
    return created!.args.proxy
  }

  /** Signs with each owner and executes from the first account. */
  async function execute(
    call: { to: Address; value?: bigint; data?: Hex; operation?: 0 | 1 },
    owners: readonly DevAccount[],
  ) {
    const contract = { address: safe, abi: safeAbi } as const
    const message = {
      value: 0n,
      data: '0x' as const,
      operation: 0,
      safeTxGas: 0n,
      baseGas: 0n,
      gasPrice: 0n,
      gasToken: zeroAddress,
      refundReceiver: zeroAddress,
      nonce: await client.readContract({ ...contract, functionName: 'nonce' }),
      ...call,
    }
    const { to, value, data, operation } = message
    const signatures = await signAll(owners, (owner) =>
      owner.signTypedData({
        domain: { chainId, verifyingContract: safe },
        types: safeTransaction,
        primaryType: 'SafeTx',
        message,
      }),
    )
    return confirm(
      await client.writeContract({
        ...contract,
        functionName: 'execTransaction',
        args: [to, value, data, operation, 0n, 0n, 0n, zeroAddress, zeroAddress, signatures],
      }),
    )
  }

  async function fund(address: Address) {
    await confirm(await client.sendTransaction({ to: address, value: parseEther('1') }))
  }

  async function confirm(hash: Hex) {
    const receipt = await receiptOf(client, hash)
    expect(receipt.status).toBe('success')
    return receipt
  }
})

/** Concatenates the owners' signatures, sorted by address as the contract requires. */
async function signAll(
  owners: readonly DevAccount[],
  sign: (owner: PrivateKeyAccount) => Promise<Hex>,
): Promise<Hex> {
  const ordered = owners.toSorted((a, b) => (BigInt(a.address) < BigInt(b.address) ? -1 : 1))
  return concat(
    await Promise.all(ordered.map(({ privateKey }) => sign(privateKeyToAccount(privateKey)))),
  )
}

const safeTransaction = {
  SafeTx: [
    { name: 'to', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'data', type: 'bytes' },
    { name: 'operation', type: 'uint8' },
    { name: 'safeTxGas', type: 'uint256' },
    { name: 'baseGas', type: 'uint256' },
    { name: 'gasPrice', type: 'uint256' },
    { name: 'gasToken', type: 'address' },
    { name: 'refundReceiver', type: 'address' },
    { name: 'nonce', type: 'uint256' },
  ],
} as const

const safeOperation = {
  SafeOp: [
    { name: 'safe', type: 'address' },
    { name: 'nonce', type: 'uint256' },
    { name: 'initCode', type: 'bytes' },
    { name: 'callData', type: 'bytes' },
    { name: 'verificationGasLimit', type: 'uint128' },
    { name: 'callGasLimit', type: 'uint128' },
    { name: 'preVerificationGas', type: 'uint256' },
    { name: 'maxPriorityFeePerGas', type: 'uint128' },
    { name: 'maxFeePerGas', type: 'uint128' },
    { name: 'paymasterAndData', type: 'bytes' },
    { name: 'validAfter', type: 'uint48' },
    { name: 'validUntil', type: 'uint48' },
    { name: 'entryPoint', type: 'address' },
  ],
} as const
