import type { Call } from './batch.ts'

/** The kind of a parameter. */
type Kind =
  | 'address'
  | 'hash'
  | 'hex'
  | 'quantity'
  | 'count'
  | 'block'
  | 'call'
  | 'object'
  | 'boolean'
  | 'list'
  | 'text'
  | 'any'
/** A parameter; `?` marks an optional one. */
type Parameter = Kind | `${Kind}?`

/** The parameters of allowed EVM methods: those that only read, and `eth_sendRawTransaction`. */
const evm: Record<string, Parameter[]> = {
  eth_blobBaseFee: [],
  eth_blockNumber: [],
  eth_call: ['call', 'block?', 'any?', 'any?'],
  eth_chainId: [],
  eth_createAccessList: ['call', 'block?'],
  eth_estimateGas: ['call', 'block?', 'any?', 'any?'],
  eth_feeHistory: ['count', 'block', 'any?'],
  eth_gasPrice: [],
  eth_getBalance: ['address', 'block?'],
  eth_getBlockByHash: ['hash', 'boolean?'],
  eth_getBlockByNumber: ['block', 'boolean?'],
  eth_getBlockReceipts: ['block'],
  eth_getBlockTransactionCountByHash: ['hash'],
  eth_getBlockTransactionCountByNumber: ['block'],
  eth_getCode: ['address', 'block?'],
  eth_getLogs: ['object'],
  eth_getProof: ['address', 'list', 'block?'],
  eth_getStorageAt: ['address', 'quantity', 'block?'],
  eth_getTransactionByBlockHashAndIndex: ['hash', 'quantity'],
  eth_getTransactionByBlockNumberAndIndex: ['block', 'quantity'],
  eth_getTransactionByHash: ['hash'],
  eth_getTransactionCount: ['address', 'block?'],
  eth_getTransactionReceipt: ['hash'],
  eth_getUncleByBlockHashAndIndex: ['hash', 'quantity'],
  eth_getUncleByBlockNumberAndIndex: ['block', 'quantity'],
  eth_getUncleCountByBlockHash: ['hash'],
  eth_getUncleCountByBlockNumber: ['block'],
  eth_maxPriorityFeePerGas: [],
  eth_sendRawTransaction: ['hex'],
  eth_simulateV1: ['object', 'block?'],
  eth_syncing: [],
  net_listening: [],
  net_version: [],
  web3_clientVersion: [],
  web3_sha3: ['hex'],
}

const solana: Record<string, Parameter[]> = {
  getAccountInfo: ['text', 'object?'],
  getBalance: ['text', 'object?'],
  getBlock: ['any', 'object?'],
  getBlockHeight: ['object?'],
  getBlockTime: ['any'],
  getEpochInfo: ['object?'],
  getFeeForMessage: ['text', 'object?'],
  getFirstAvailableBlock: [],
  getGenesisHash: [],
  getHealth: [],
  getLatestBlockhash: ['object?'],
  getMinimumBalanceForRentExemption: ['any', 'object?'],
  getMultipleAccounts: ['list', 'object?'],
  getRecentPrioritizationFees: ['list?'],
  getSignatureStatuses: ['list', 'object?'],
  getSignaturesForAddress: ['text', 'object?'],
  getSlot: ['object?'],
  getTokenAccountBalance: ['text', 'object?'],
  getTokenAccountsByOwner: ['text', 'object', 'object?'],
  getTokenSupply: ['text', 'object?'],
  getTransaction: ['text', 'any?'],
  getTransactionCount: ['object?'],
  getVersion: [],
  isBlockhashValid: ['text', 'object?'],
  sendTransaction: ['text', 'object?'],
  simulateTransaction: ['text', 'object?'],
}

/** @see ERC-4337, ERC-7769 */
const bundler: Record<string, Parameter[]> = {
  eth_chainId: [],
  eth_estimateUserOperationGas: ['object', 'address', 'object?'],
  eth_getUserOperationByHash: ['hash'],
  eth_getUserOperationReceipt: ['hash'],
  eth_sendUserOperation: ['object', 'address'],
  eth_supportedEntryPoints: [],
  pimlico_getUserOperationGasPrice: [],
}

/** Methods that sponsor an operation at the operator's expense. @see ERC-7677 */
const paymaster: Record<string, Parameter[]> = {
  pm_getPaymasterData: ['object', 'address', 'quantity', 'object?'],
  pm_getPaymasterStubData: ['object', 'address', 'quantity', 'object?'],
  pm_sponsorUserOperation: ['object', 'address', 'object?'],
}

/** The methods that are forwarded: to nodes by chain namespace, and to bundlers. */
const tables: Record<string, Record<string, Parameter[]>> = {
  eip155: evm,
  solana,
  bundler,
  'bundler with paymaster': { ...bundler, ...paymaster },
}

/** Methods that change a chain; sent to one upstream at a time. */
const sends = new Set(['eth_sendRawTransaction', 'eth_sendUserOperation', 'sendTransaction'])

export function isSend(method: string): boolean {
  return sends.has(method)
}

/** Prices of methods that need more work, in rate-limit tokens. */
const prices = new Map([
  ['eth_createAccessList', 5],
  ['eth_estimateGas', 2],
  ['eth_estimateUserOperationGas', 10],
  ['eth_feeHistory', 5],
  ['eth_getBlockReceipts', 20],
  ['eth_sendUserOperation', 10],
  ['eth_simulateV1', 50],
  ['getBlock', 20],
  ['getMultipleAccounts', 5],
  ['getSignaturesForAddress', 10],
  ['getTokenAccountsByOwner', 10],
  ['pm_getPaymasterData', 20],
  ['pm_getPaymasterStubData', 20],
  ['pm_sponsorUserOperation', 20],
  ['simulateTransaction', 5],
])
/** Price of a call that may run code from its parameters. */
const ownCodePrice = 20
/** Price of a block with all its transactions. */
const fullBlockPrice = 20
/** Price of the proof of an account. That of each storage key costs 1 more. */
const proofPrice = 10

/**
 * The price of a call in rate-limit tokens; 1 for most methods.
 *
 * @param params - `undefined` for parameters that are plain. @see isPlain
 */
export function priceOf(method: string, params: unknown): number {
  if (method === 'eth_getLogs') return logsPrice(params)
  const given: unknown[] = Array.isArray(params) ? params : []
  if (method === 'eth_getProof') return proofPrice + (Array.isArray(given[1]) ? given[1].length : 0)
  if (blockReads.has(method) && given[1] === true) return fullBlockPrice
  if (simulations.has(method) && given.length > 0 && mayRunOwnCode(given)) return ownCodePrice
  return prices.get(method) ?? 1
}

/** Whether a call may need so much work that even a healthy upstream responds slowly. */
export function isExpensive({ method, params }: Call): boolean {
  return method === 'eth_call' || priceOf(method, params) > 1
}

const blockReads = new Set(['eth_getBlockByHash', 'eth_getBlockByNumber'])
const simulations = new Set(['eth_call', 'eth_createAccessList', 'eth_estimateGas'])

/**
 * Whether a simulation may run code that is not on the chain: its call has no `to`, so that `data` is run, or it has
 * overrides. A key that is not known may replace `to`: some nodes ignore the case of keys.
 */
function mayRunOwnCode([call, , ...overrides]: unknown[]): boolean {
  return (
    !isAddress((call as { to?: unknown } | null | undefined)?.to) ||
    !hasOnlyKeys(call, callKeys) ||
    overrides.some((item) => item !== null && item !== undefined)
  )
}

/** The keys of a call. @see https://ethereum.github.io/execution-apis, GenericTransaction */
const callKeys = new Set([
  'accessList',
  'authorizationList',
  'blobVersionedHashes',
  'blobs',
  'chainId',
  'commitments',
  'data',
  'from',
  'gas',
  'gasPrice',
  'input',
  'maxFeePerBlobGas',
  'maxFeePerGas',
  'maxPriorityFeePerGas',
  'nonce',
  'proofs',
  'to',
  'type',
  'value',
])

/** @see https://ethereum.github.io/execution-apis, Filter */
const filterKeys = new Set(['address', 'blockHash', 'fromBlock', 'toBlock', 'topics'])

function hasOnlyKeys(value: unknown, keys: ReadonlySet<string>): boolean {
  return Object.keys(value ?? {}).every((key) => keys.has(key))
}

/**
 * Price of `eth_getLogs`, which grows by 1 with each 1,000 blocks. A range of unknown length costs the maximum, and so
 * does a filter with a key that is not known: it may be one of the range for nodes that ignore the case of keys.
 */
function logsPrice(params: unknown): number {
  const [filter] = (Array.isArray(params) ? params : []) as unknown[]
  if (!hasOnlyKeys(filter, filterKeys)) return maxLogsPrice
  const { fromBlock, toBlock, blockHash } = (filter ?? {}) as Record<string, unknown>
  if (blockHash !== undefined)
    return isHash(blockHash) && fromBlock === undefined && toBlock === undefined
      ? logsBasePrice
      : maxLogsPrice
  if (isRecent(fromBlock) && isRecent(toBlock)) return logsBasePrice
  if (!isQuantity(fromBlock) || !isQuantity(toBlock)) return maxLogsPrice
  const thousands = Math.floor((Number(toBlock) - Number(fromBlock)) / 1_000)
  return Math.min(maxLogsPrice, logsBasePrice + Math.max(0, thousands))
}

const logsBasePrice = 20
const maxLogsPrice = 200
const isRecent = (block: unknown) => block === undefined || (isTag(block) && block !== 'earliest')

/** Whether the proxy forwards a method. @param table - a key of {@link tables}. */
export function isAllowed(table: string, method: string): boolean {
  return rules.get(table)?.has(method) ?? false
}

/**
 * Describes the problem with the parameters of an allowed method. Additional parameters are allowed,
 * because nodes have extensions.
 *
 * @returns `undefined` if the parameters are valid.
 */
export function parametersProblem(
  table: string,
  method: string,
  params: unknown,
): { field: string; description: string } | undefined {
  const expected = rules.get(table)?.get(method) ?? []
  const given = params ?? []
  if (!Array.isArray(given)) return { field: 'params', description: 'params must be an array' }
  for (let index = 0; index < expected.length; index += 1) {
    const { kind, isOptional, isValid } = expected[index]!
    const value: unknown = given[index]
    const isAbsent = value === undefined || value === null
    if (isAbsent && isOptional) continue
    if (index < given.length && isValid(value)) continue
    const field = `params[${index}]`
    const description =
      index < given.length
        ? `${field} must be ${phrases[kind]}`
        : `${field} is missing: ${phrases[kind]}`
    return { field, description }
  }
  return undefined
}

/**
 * Whether parameters can be forwarded as the text in which they arrived: they are valid, parsing and encoding them
 * again would not change the text, and they do not affect the call's price. Recognizes only the form that most clients
 * send: `false` means that the parameters must be parsed, not that they are invalid.
 *
 * @param params - the JSON text, without the brackets around it.
 */
export function isPlain(table: string, method: string, params: string): boolean {
  const form = plainForms.get(table)?.get(method)
  return form !== undefined && form.test(params)
}

const matches = (form: RegExp) => (value: unknown) => typeof value === 'string' && form.test(value)
const isObject = (value: unknown) =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isAddress = matches(/^0x[0-9a-f]{40}$/i)
const isHash = matches(/^0x[0-9a-f]{64}$/i)
const isQuantity = matches(/^0x[0-9a-f]+$/i)
const tags = new Set<unknown>(['latest', 'earliest', 'pending', 'safe', 'finalized'])
const isTag = (value: unknown) => tags.has(value)

const validators: Record<Kind, (value: unknown) => boolean> = {
  address: isAddress,
  hash: isHash,
  hex: matches(/^0x(?:[0-9a-f]{2})*$/i),
  quantity: isQuantity,
  count: (value) => isQuantity(value) || Number.isSafeInteger(value),
  block: (value) => isTag(value) || isQuantity(value) || isObject(value),
  call: isObject,
  object: isObject,
  boolean: (value) => typeof value === 'boolean',
  list: Array.isArray,
  text: (value) => typeof value === 'string',
  any: () => true,
}

const phrases: Record<Kind, string> = {
  address: 'an address: 0x and 40 hex characters',
  hash: 'a hash: 0x and 64 hex characters',
  hex: 'bytes: 0x and an even number of hex characters',
  quantity: 'a quantity: 0x and hex characters',
  count: 'a whole number, or a quantity in hex',
  block: 'a block tag, a block number in hex or a block object',
  call: 'an object',
  object: 'an object',
  boolean: 'true or false',
  list: 'an array',
  text: 'a string',
  any: 'a value',
}

/** The {@link tables}, with the check of each parameter. */
const rules = new Map(
  Object.entries(tables).map(([table, methods]) => [
    table,
    new Map(Object.entries(methods).map(([name, parameters]) => [name, parameters.map(toRule)])),
  ]),
)

function toRule(parameter: Parameter) {
  const kind = parameter.replace('?', '') as Kind
  return { kind, isOptional: parameter.endsWith('?'), isValid: validators[kind] }
}

const plainAddress = '"0x[0-9a-fA-F]{40}"'

/** Pattern of an object whose keys differ, and whose values are strings. */
const plainObject = (key: string) =>
  String.raw`\{(?:"(?<key>${key})":"[\w.:-]*"(?![^}]*"\k<key>":)(?:,(?=")|(?=\}))){0,10}\}`

/** Patterns of the plain form of a parameter's JSON text. Calls with another price than the method's have none. */
const plainKinds: Partial<Record<Kind, string>> = {
  address: plainAddress,
  hash: '"0x[0-9a-fA-F]{64}"',
  hex: '"0x(?:[0-9a-fA-F]{2})*"',
  quantity: '"0x[0-9a-fA-F]+"',
  block: '"(?:latest|earliest|pending|safe|finalized|0x[0-9a-fA-F]+)"',
  call: `(?=[^}]*"to":${plainAddress})${plainObject([...callKeys].join('|'))}`,
  object: plainObject(String.raw`[a-zA-Z]\w*`),
  boolean: 'false',
  text: String.raw`"[\w.:-]*"`,
}

/** The plain form of each method's parameters. It ends before the first optional parameter that has no plain form. */
const plainForms = new Map(
  Object.entries(tables).map(([table, methods]) => [
    table,
    new Map(
      Object.entries(methods).flatMap(([name, parameters]) => {
        const form = name === 'eth_getLogs' ? undefined : toPlainForm(parameters)
        return form === undefined ? [] : [[name, new RegExp(`^${form}$`)] as const]
      }),
    ),
  ]),
)

function toPlainForm(parameters: Parameter[]): string | undefined {
  let form = ''
  for (const [index, parameter] of [...parameters.entries()].toReversed()) {
    const { kind, isOptional } = toRule(parameter)
    const plain = plainKinds[kind]
    if (plain === undefined && !isOptional) return undefined
    if (plain === undefined) form = ''
    else {
      const item = `${index === 0 ? '' : ','}${plain.replaceAll('<key>', `<key${index}>`)}${form}`
      form = isOptional ? `(?:${item})?` : item
    }
  }
  return form
}
