import { describe, expect, test } from 'vitest'
import { isAllowed, isExpensive, isSend, parametersProblem, priceOf } from './methods.ts'

/** The methods of every bundler. @see ERC-4337, ERC-7769 */
const bundler = [
  'eth_chainId',
  'eth_estimateUserOperationGas object address object?',
  'eth_getUserOperationByHash hash',
  'eth_getUserOperationReceipt hash',
  'eth_sendUserOperation object address',
  'eth_supportedEntryPoints',
  'pimlico_getUserOperationGasPrice',
]

/** Each method with its parameters; `?` marks an optional one. */
const signatures = {
  eip155: [
    'eth_blobBaseFee',
    'eth_blockNumber',
    'eth_call call block? any? any?',
    'eth_chainId',
    'eth_createAccessList call block?',
    'eth_estimateGas call block? any? any?',
    'eth_feeHistory count block any?',
    'eth_gasPrice',
    'eth_getBalance address block?',
    'eth_getBlockByHash hash boolean?',
    'eth_getBlockByNumber block boolean?',
    'eth_getBlockReceipts block',
    'eth_getBlockTransactionCountByHash hash',
    'eth_getBlockTransactionCountByNumber block',
    'eth_getCode address block?',
    'eth_getLogs object',
    'eth_getProof address list block?',
    'eth_getStorageAt address quantity block?',
    'eth_getTransactionByBlockHashAndIndex hash quantity',
    'eth_getTransactionByBlockNumberAndIndex block quantity',
    'eth_getTransactionByHash hash',
    'eth_getTransactionCount address block?',
    'eth_getTransactionReceipt hash',
    'eth_getUncleByBlockHashAndIndex hash quantity',
    'eth_getUncleByBlockNumberAndIndex block quantity',
    'eth_getUncleCountByBlockHash hash',
    'eth_getUncleCountByBlockNumber block',
    'eth_maxPriorityFeePerGas',
    'eth_sendRawTransaction hex',
    'eth_simulateV1 object block?',
    'eth_syncing',
    'net_listening',
    'net_version',
    'web3_clientVersion',
    'web3_sha3 hex',
  ],
  solana: [
    'getAccountInfo text object?',
    'getBalance text object?',
    'getBlock any object?',
    'getBlockHeight object?',
    'getBlockTime any',
    'getEpochInfo object?',
    'getFeeForMessage text object?',
    'getFirstAvailableBlock',
    'getGenesisHash',
    'getHealth',
    'getLatestBlockhash object?',
    'getMinimumBalanceForRentExemption any object?',
    'getMultipleAccounts list object?',
    'getRecentPrioritizationFees list?',
    'getSignatureStatuses list object?',
    'getSignaturesForAddress text object?',
    'getSlot object?',
    'getTokenAccountBalance text object?',
    'getTokenAccountsByOwner text object object?',
    'getTokenSupply text object?',
    'getTransaction text any?',
    'getTransactionCount object?',
    'getVersion',
    'isBlockhashValid text object?',
    'sendTransaction text object?',
    'simulateTransaction text object?',
  ],
  bundler,
  'bundler with paymaster': [
    ...bundler,
    'pm_getPaymasterData object address quantity object?',
    'pm_getPaymasterStubData object address quantity object?',
    'pm_sponsorUserOperation object address object?',
  ],
}

/** The names of all methods, each once. */
const allMethods = [
  ...new Set(
    Object.values(signatures)
      .flat()
      .map((signature) => signature.split(' ')[0]!),
  ),
]

const byte = (count: number) => `0x${'aB'.repeat(count)}`

/** For each kind: a phrase from its description, valid values and invalid values. */
const kinds: Record<string, { phrase: string; right: unknown[]; wrong: unknown[] }> = {
  address: {
    phrase: 'address',
    right: [byte(20)],
    wrong: [byte(19), byte(21), byte(20).slice(2), `${byte(20)}\n`, `x${byte(20)}`, [byte(20)]],
  },
  hash: {
    phrase: '64',
    right: [byte(32)],
    wrong: [byte(31), byte(33), byte(32).slice(2), `${byte(32)}\n`, `x${byte(32)}`, [byte(32)]],
  },
  hex: {
    phrase: 'even number',
    right: ['0x', byte(1), byte(99)],
    wrong: ['0x0', '00', `${byte(1)}\n`, `x${byte(1)}`, '0xzz', 0],
  },
  quantity: {
    phrase: 'quantity',
    right: ['0x0', '0x1F', byte(40)],
    wrong: ['0x', '1', 'x0x1', '0x1\n', '0xg', 1, ['0x1']],
  },
  count: {
    phrase: 'whole number',
    right: ['0x10', 16],
    wrong: ['16', 1.5, 2 ** 53, true],
  },
  block: {
    phrase: 'block',
    right: ['latest', 'earliest', 'pending', 'safe', 'finalized', '0x1', { blockNumber: '0x1' }],
    wrong: ['last', 'not latest', 'latest block', 1, [], true],
  },
  call: { phrase: 'object', right: [{}, { to: 1 }], wrong: [[], 'text', 1, true] },
  object: { phrase: 'object', right: [{}, { a: 1 }], wrong: [[], 'text', 1, true] },
  boolean: { phrase: 'true or false', right: [true, false], wrong: ['true', 0, {}] },
  list: { phrase: 'an array', right: [[], [1]], wrong: [{}, 'text', 1] },
  text: { phrase: 'a string', right: ['', 'text'], wrong: [1, {}, true] },
  any: { phrase: 'value', right: [1, 'text', {}, []], wrong: [] },
}

describe.each(Object.entries(signatures))('§7.12.3 methods of %s', (namespace, methods) => {
  test.each(methods)('%s', (signature) => {
    const [method = '', ...names] = signature.split(' ')
    const parameters = names.map((name) => ({
      ...kinds[name.replace('?', '')]!,
      isOptional: name.endsWith('?'),
    }))
    const valid = parameters.map(({ right }) => right[0])
    const problemOf = (params: unknown) => parametersProblem(namespace, method, params)
    expect(isAllowed(namespace, method)).toBe(true)
    expect(problemOf(valid)).toBeUndefined()
    expect(problemOf([...valid, 'more'])).toBeUndefined()
    for (const [index, { phrase, right, wrong, isOptional }] of parameters.entries()) {
      const field = `params[${index}]`
      for (const value of right) expect(problemOf(valid.with(index, value))).toBeUndefined()
      for (const value of wrong)
        expect(problemOf(valid.with(index, value))).toEqual({
          field,
          description: expect.stringMatching(`^params.${index}. must be .*${phrase}`),
        })
      const missing = {
        field,
        description: expect.stringMatching(`^params.${index}. is missing: .*${phrase}`),
      }
      expect(problemOf(valid.slice(0, index))).toEqual(isOptional ? undefined : missing)
    }
  })

  test('do not include any other method', () => {
    for (const method of ['eth_accounts', 'eth_sign', 'admin_peers', 'toString', ''])
      expect(isAllowed(namespace, method)).toBe(false)
    const other = namespace === 'solana' ? 'eth_call' : 'getSlot'
    expect(isAllowed(namespace, other)).toBe(false)
  })
})

test('attack: a bundler without a paymaster does not forward sponsorships', () => {
  for (const method of allMethods.filter((it) => it.startsWith('pm_'))) {
    expect(isAllowed('bundler', method)).toBe(false)
    expect(isAllowed('eip155', method)).toBe(false)
  }
})

test('another namespace has no methods', () => {
  expect(isAllowed('cosmos', 'eth_call')).toBe(false)
  expect(parametersProblem('cosmos', 'eth_call', [1])).toBeUndefined()
})

test('params that are not an array are rejected; absent params count as an empty array', () => {
  const problem = { field: 'params', description: 'params must be an array' }
  for (const params of [{}, 'text', 1, false])
    expect(parametersProblem('eip155', 'eth_chainId', params)).toEqual(problem)
  for (const params of [null, undefined, []])
    expect(parametersProblem('eip155', 'eth_chainId', params)).toBeUndefined()
  expect(parametersProblem('eip155', 'eth_getBlockReceipts', undefined)).toMatchObject({
    description: expect.stringContaining('is missing') as unknown,
  })
})

test('null counts as absent, so it is rejected for a required parameter', () => {
  expect(parametersProblem('eip155', 'eth_getBalance', [byte(20), null])).toBeUndefined()
  expect(parametersProblem('eip155', 'eth_call', [null])).toEqual({
    field: 'params[0]',
    description: 'params[0] must be an object',
  })
  expect(parametersProblem('eip155', 'eth_getLogs', [undefined])).toMatchObject({
    description: 'params[0] must be an object',
  })
})

test('only three methods send transactions', () => {
  expect(allMethods.filter(isSend)).toEqual([
    'eth_sendRawTransaction',
    'sendTransaction',
    'eth_sendUserOperation',
  ])
})

test('attack: expensive methods cost more tokens', () => {
  const prices = allMethods.map((method) => [method, priceOf(method, undefined)] as const)
  expect(Object.fromEntries(prices.filter(([, price]) => price !== 1))).toEqual({
    eth_createAccessList: 5,
    eth_estimateGas: 2,
    eth_estimateUserOperationGas: 10,
    eth_feeHistory: 5,
    eth_getBlockReceipts: 20,
    eth_getLogs: 20,
    eth_getProof: 10,
    eth_sendUserOperation: 10,
    eth_simulateV1: 50,
    getBlock: 20,
    getMultipleAccounts: 5,
    getSignaturesForAddress: 10,
    getTokenAccountsByOwner: 10,
    pm_getPaymasterData: 20,
    pm_getPaymasterStubData: 20,
    pm_sponsorUserOperation: 20,
    simulateTransaction: 5,
  })
  expect(allMethods.filter((method) => isExpensive({ method })).toSorted()).toEqual(
    ['eth_call', ...prices.filter(([, price]) => price > 1).map(([method]) => method)].toSorted(),
  )
})

const to = byte(20)

test.each<[string, unknown, number]>([
  ['eth_call', [{ to }, 'latest'], 1],
  ['eth_call', [{ to }, 'latest', null, undefined], 1],
  ['eth_call', [{ to }, 'latest', {}], 20],
  ['eth_call', [{ to }, 'latest', null, {}], 20],
  ['eth_call', undefined, 1],
  ['eth_call', [null], 20],
  ['eth_call', [{ from: to, to, gas: '0x1', value: '0x1', data: '0x', accessList: [] }], 1],
  ['eth_call', [{ data: '0x00' }, 'latest'], 20],
  ['eth_call', [{ to: null, data: '0x00' }], 20],
  ['eth_call', [{ to: '', data: '0x00' }], 20],
  ['eth_call', [{ to: '0x', data: '0x00' }], 20],
  ['eth_call', [{ to, TO: null, data: '0x00' }], 20],
  ['eth_estimateGas', [{ to }, 'latest'], 2],
  ['eth_estimateGas', [{ to }, 'latest', {}], 20],
  ['eth_estimateGas', [{ data: '0x00' }], 20],
  ['eth_createAccessList', [{ to }, 'latest'], 5],
  ['eth_createAccessList', [{ to }, 'latest', {}], 20],
  ['eth_createAccessList', [{ data: '0x00' }], 20],
  ['eth_getBlockByNumber', ['latest'], 1],
  ['eth_getBlockByNumber', ['latest', false], 1],
  ['eth_getBlockByNumber', ['latest', true], 20],
  ['eth_getBlockByHash', [byte(32), true], 20],
  ['eth_feeHistory', ['0x1', 'latest', [1]], 5],
  ['eth_getProof', [to, [], 'latest'], 10],
  ['eth_getProof', [to, ['0x0', '0x1', '0x2'], 'latest'], 13],
  ['eth_getProof', [to, { length: 3 }, 'latest'], 10],
])('attack: %s with %j costs %i', (method, params, price) => {
  expect(priceOf(method, params)).toBe(price)
})

test('a call with any of the keys of GenericTransaction costs no more', () => {
  const keys = `accessList authorizationList blobVersionedHashes blobs chainId commitments data from gas gasPrice
    input maxFeePerBlobGas maxFeePerGas maxPriorityFeePerGas nonce proofs to type value`
  for (const key of keys.split(/\s+/))
    expect([key, priceOf('eth_call', [{ [key]: '0x1', to }])]).toEqual([key, 1])
  expect(priceOf('eth_call', [{ unknown: '0x1', to }])).toBe(20)
})

test.each<[string, unknown, number]>([
  ['no filter', undefined, 20],
  ['a filter that is null', [null], 20],
  ['one block by hash', [{ blockHash: byte(32), address: to, topics: [] }], 20],
  ['a hash and a first block', [{ blockHash: byte(32), fromBlock: 'earliest' }], 200],
  ['a hash and a last block', [{ blockHash: byte(32), toBlock: 'latest' }], 200],
  ['no hash', [{ blockHash: null }], 200],
  ['a block in upper case', [{ FROMBLOCK: '0x0' }], 200],
  ['a key with the Kelvin sign', [{ 'fromBloc\u212a': '0x0' }], 200],
  ['the latest block', [{ fromBlock: 'latest', toBlock: 'latest' }], 20],
  ['the default blocks', [{}], 20],
  ['the blocks from one on', [{ fromBlock: '0x1' }], 200],
  ['the blocks from one to a tag', [{ fromBlock: '0x1', toBlock: 'latest' }], 200],
  ['the whole chain', [{ fromBlock: 'earliest', toBlock: 'latest' }], 200],
  ['the whole chain, backwards', [{ fromBlock: 'latest', toBlock: 'earliest' }], 200],
  ['the blocks up to one', [{ toBlock: '0x1' }], 200],
  ['malformed blocks', [{ fromBlock: 'a', toBlock: '0x1' }], 200],
  ['1,000 blocks', [{ fromBlock: '0x0', toBlock: '0x3e7' }], 20],
  ['1,001 blocks', [{ fromBlock: '0x0', toBlock: '0x3e8' }], 21],
  ['5,001 blocks that do not start at 0', [{ fromBlock: '0x64', toBlock: '0x13ec' }], 25],
  ['a range that ends before it starts', [{ fromBlock: '0x2710', toBlock: '0x0' }], 20],
  ['all blocks by number', [{ fromBlock: '0x0', toBlock: '0xffffff' }], 200],
])('attack: eth_getLogs (%s) with params %j costs %i', (_what, params, price) => {
  expect(priceOf('eth_getLogs', params)).toBe(price)
})
