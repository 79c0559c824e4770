/**
 * Builds the state files for the local chains and the list of contract addresses:
 * `npm run build:state -w @gatefold/chain`. See ../README.md.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import { constants, gunzipSync, gzipSync } from 'node:zlib'
import {
  type Abi,
  type Hex,
  bytesToHex,
  getAddress,
  hexToBytes,
  parseEther,
  toFunctionSelector,
} from 'viem'
import * as abis from '../src/abis.ts'
import { accounts } from '../src/accounts.ts'
import { spawnAnvil } from '../src/spawnAnvil.ts'
import { type Artifact, compile } from './compile.ts'
import { type Addresses, deploy } from './deploy.ts'
import { openPools } from './pools.ts'
import { distributeBookmarks, distributeHoldings, registerNames, makeHistory } from './scenario.ts'
import { type Workshop, createWorkshop } from './workshop.ts'

type State = {
  accounts: Record<string, unknown>
  transactions: { info: { transaction_hash: Hex } }[]
}

/** 1 January 2025: a fixed time that is in the past on every machine. */
const genesisSeconds = 1735689600

console.log('Installing the dependencies of the contracts')
execFileSync('npm', ['ci', '--ignore-scripts', '--silent'], {
  cwd: new URL('.', import.meta.url),
  stdio: 'inherit',
  shell: process.platform === 'win32',
})

console.log('Compiling')
const contracts = compile()
checkAbis(contracts)
const addresses = await build(31337, contracts)
if (!isDeepStrictEqual(await build(31338, contracts), addresses)) {
  throw new Error('The two chains have different addresses.')
}
writeAddresses(addresses)
writeAggregators(contracts)

/** Checks the handwritten interfaces of ../src/abis.ts against the contracts. */
function checkAbis(own: Record<string, Artifact>) {
  const pairs = {
    Usdc: abis.usdcAbi,
    Usdt: abis.usdtAbi,
    Book: abis.bookAbi,
    Plates: abis.nftAbi,
    Bookmarks: abis.bookmarksAbi,
    Reverts: abis.revertsAbi,
    EnsResolver: abis.ensResolverAbi,
    EnsReverseRegistrar: abis.ensReverseRegistrarAbi,
    EnsGatewayResolver: abis.ensGatewayResolverAbi,
  }
  const known = (items: Abi) =>
    items.flatMap((item) => (item.type === 'function' ? [toFunctionSelector(item)] : []))
  for (const [name, abi] of Object.entries(pairs)) {
    const there = known(own[name]?.abi ?? [])
    if (known(abi).some((selector) => !there.includes(selector))) {
      throw new Error(`The ABI of ${name} in src/abis.ts does not match the contract.`)
    }
  }
}

/** Builds one chain's state file. @returns the contract addresses */
async function build(chainId: 31337 | 31338, own: Record<string, Artifact>): Promise<Addresses> {
  const foundation = await onFreshChain(chainId, async (workshop) => {
    await workshop.client.setBalance({
      address: workshop.owner.address,
      value: parseEther('100000'),
    })
    const deployed = await deploy(workshop, own)
    const all = { ...deployed, ...(await openPools(workshop, deployed)) }
    return { addresses: all, accounts: (await dump(workshop)).accounts }
  })

  // Uses a fresh chain with the contracts preloaded, because blocks with creation code would make up
  // most of the file.
  const state = await onFreshChain(chainId, async (workshop) => {
    await load(workshop, { ...(await dump(workshop)), accounts: foundation.accounts })
    const places = foundation.addresses as Parameters<typeof registerNames>[1]
    await distributeHoldings(workshop, places)
    if (chainId === 31337) {
      await registerNames(workshop, places)
      await makeHistory(workshop, places)
    } else {
      await setOtherBalances(workshop)
    }
    await distributeBookmarks(workshop, places)
    // Resets the base fee to one gwei; empty blocks reduce it to almost zero.
    await workshop.client.setNextBlockBaseFeePerGas({ baseFeePerGas: 10n ** 9n })
    await workshop.client.mine({ blocks: 1 })
    return dump(workshop)
  })
  writeState(chainId, state)
  return foundation.addresses
}

async function onFreshChain<result>(
  chainId: number,
  work: (workshop: Workshop) => Promise<result>,
) {
  const anvil = await spawnAnvil({
    args: ['--chain-id', String(chainId), '--timestamp', String(genesisSeconds)],
  })
  try {
    const workshop = createWorkshop(`http://127.0.0.1:${anvil.port}`, chainId)
    await workshop.client.setBlockTimestampInterval({ interval: 12 })
    return await work(workshop)
  } finally {
    await anvil.stop()
  }
}

async function dump({ client }: Workshop): Promise<State> {
  const packed: Hex = await client.request({ method: 'anvil_dumpState' } as never)
  return JSON.parse(gunzipSync(hexToBytes(packed)).toString()) as State
}

async function load({ client }: Workshop, state: State) {
  const packed = bytesToHex(gzipSync(JSON.stringify(state)))
  await client.request({ method: 'anvil_loadState', params: [packed] } as never)
}

/** Sets balances that differ visibly from those on the first chain, so that a network switch is noticeable. */
async function setOtherBalances({ client }: Workshop) {
  for (const [i, { address }] of accounts.entries()) {
    await client.setBalance({ address, value: parseEther(`${42 - i}.5`) })
  }
}

/**
 * anvil puts a random number into every block, so blocks differ between runs. A file is rewritten only
 * if something else differs.
 */
function writeState(chainId: number, state: State) {
  const file = new URL(`../state/${chainId}.json.gz`, import.meta.url)
  const comparable = ({ accounts, transactions }: State) => ({
    accounts,
    hashes: transactions.map(({ info }) => info.transaction_hash).sort(),
  })
  if (existsSync(file)) {
    const old = JSON.parse(gunzipSync(readFileSync(file)).toString()) as State
    if (isDeepStrictEqual(comparable(old), comparable(state))) {
      console.log(`Chain ${chainId}: unchanged`)
      return
    }
  }
  const packed = gzipSync(JSON.stringify(state), { level: constants.Z_BEST_COMPRESSION })
  writeFileSync(file, packed)
  console.log(`Chain ${chainId}: written, ${Math.ceil(packed.length / 1024)} KB`)
}

function writeAddresses(places: Addresses) {
  const lines = Object.keys(places)
    .sort()
    .map((name) => `  ${name}: '${getAddress(places[name] as Hex)}',`)
  writeFileSync(
    new URL('../src/addresses.ts', import.meta.url),
    `// Generated by contracts/build.ts.

/** Contract addresses, the same on both local chains. */
export const addresses = {
${lines.join('\n')}
} as const
`,
  )
}

/** Writes the code of the contracts that are not part of the state. */
function writeAggregators(own: Record<string, Artifact>) {
  const names = ['AggregationRouterV6', 'AllowanceHolder', 'Executor', 'Settler', 'Settlers']
  const lines = names.map((name) => `  ${name}:\n    '${own[name]?.bytecode}',`)
  writeFileSync(
    new URL('../src/aggregators/code.ts', import.meta.url),
    `// Generated by contracts/build.ts.

/** The creation code of the contracts in contracts/src/Aggregators.sol. */
export const code = {
${lines.join('\n')}
} as const
`,
  )
}
