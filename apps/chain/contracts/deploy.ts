import { type Address, parseEther } from 'viem'
import { sponsor } from '../src/accounts.ts'
import { type Artifact, readArtifact } from './compile.ts'
import { deploySafe } from './safe.ts'
import type { Workshop } from './workshop.ts'

export type Addresses = Record<string, Address>

/** Addresses on the public chains: of contracts, and of the account that deploys Multicall3. */
const known = {
  ensRegistry: '0x00000000000C2E074eC69A0dFb2997BA6C7d2e1e',
  entryPoint06: '0x5FF137D4b0FDCD49DcA30c7CF57E578a026d2789',
  entryPoint07: '0x0000000071727De22E5E9d8BAf0edAc6f37da032',
  entryPoint08: '0x4337084D9E255Ff0702461CF8895CE9E3b5Ff108',
  multicall3Creator: '0x05f32B3cC3888453ff71B01135B34FF8e41263F2',
  simpleAccountFactory06: '0x9406Cc6185a346906296840746125a0E44976454',
  simpleAccountFactory07: '0x91E60e0613810449d098b0b5Ec8b51A0FE8c8985',
  simpleAccountFactory08: '0x13E9ed32155810FDbd067D4522C492D6f68E5944',
  simple7702Account: '0xe6Cae83BdE06E4c305530e199D7217f42808555B',
} as const

/** Salts with which the entry points are deployed on the public chains. */
const salts = {
  entryPoint06: `0x${'0'.repeat(64)}`,
  entryPoint07: '0x90d8084deab30c2a37c45e8d47f49f2f7965183cb6990a98943ef94940681de3',
  entryPoint08: '0x0a59dbff790c23c976a548690c27297883cc66b4c67024f9117b0238995e35e9',
} as const

const router02 =
  '@uniswap/swap-router-contracts/artifacts/contracts/SwapRouter02.sol/SwapRouter02.json'

const zeroAddress = '0x0000000000000000000000000000000000000000'

/**
 * Deploys every contract.
 *
 * Addresses depend on the deployment order: deploy new contracts after all others to keep the existing
 * addresses.
 *
 * @param own - compiled contracts from `src/`
 */
export async function deploy(
  workshop: Workshop,
  own: Record<string, Artifact>,
): Promise<Addresses> {
  const tokens = await deployTokens(workshop, own)
  const ens = await deployEns(workshop, own)
  const uniswap = await deployUniswap(workshop, tokens.weth)
  const accounts = await deployAccounts(workshop)
  const safe = await deploySafe(workshop, accounts.entryPoint07)
  const bookmarks = await workshop.deploy(get(own, 'Bookmarks'))
  const uniswapV2 = await deployUniswapV2(workshop, { ...tokens, ...uniswap })
  const paymaster = await deployPaymaster(workshop, accounts.entryPoint07)
  const usdt = await workshop.deploy(get(own, 'Usdt'))
  return {
    ...tokens,
    ...ens,
    ...uniswap,
    ...accounts,
    ...safe,
    bookmarks,
    ...uniswapV2,
    paymaster,
    usdt,
  }
}

async function deployTokens({ deploy, deployAs }: Workshop, own: Record<string, Artifact>) {
  return {
    multicall3: await deployAs(known.multicall3Creator, get(own, 'Multicall3')),
    weth: await deploy(readArtifact('@uniswap/v2-periphery/build/WETH9.json')),
    usdc: await deploy(get(own, 'Usdc')),
    book: await deploy(get(own, 'Book')),
    nft: await deploy(get(own, 'Plates')),
    reverts: await deploy(get(own, 'Reverts')),
  }
}

async function deployEns({ deploy, owner, place }: Workshop, own: Record<string, Artifact>) {
  const ensRegistry = await place(
    readArtifact('@ensdomains/ens/build/contracts/ENSRegistry.json'),
    known.ensRegistry,
  )
  const ensReverseRegistrar = await deploy(get(own, 'EnsReverseRegistrar'), [ensRegistry])
  return {
    ensRegistry,
    ensReverseRegistrar,
    ensResolver: await deploy(get(own, 'EnsResolver'), [ensRegistry, ensReverseRegistrar]),
    ensUniversalResolver: await deploy(get(own, 'EnsUniversalResolver'), [ensRegistry]),
    ensGatewayResolver: await deploy(get(own, 'EnsGatewayResolver'), [owner.address]),
  }
}

async function deployUniswap({ deploy }: Workshop, weth: Address) {
  const periphery = '@uniswap/v3-periphery/artifacts/contracts'
  const uniswapV3Factory = await deploy(
    readArtifact('@uniswap/v3-core/artifacts/contracts/UniswapV3Factory.sol/UniswapV3Factory.json'),
  )
  // There is no token descriptor, so positions have no image.
  const uniswapV3PositionManager = await deploy(
    readArtifact(`${periphery}/NonfungiblePositionManager.sol/NonfungiblePositionManager.json`),
    [uniswapV3Factory, weth, zeroAddress],
  )
  return {
    uniswapV3Factory,
    uniswapV3PositionManager,
    // The first argument is the Uniswap v2 factory. This router has none; `uniswapSwapRouter02` has one.
    uniswapV3SwapRouter02: await deploy(readArtifact(router02), [
      zeroAddress,
      uniswapV3Factory,
      uniswapV3PositionManager,
      weth,
    ]),
    uniswapV3QuoterV2: await deploy(readArtifact(`${periphery}/lens/QuoterV2.sol/QuoterV2.json`), [
      uniswapV3Factory,
      weth,
    ]),
  }
}

/** Deploys Uniswap v2, and a SwapRouter02 that swaps in pools of both versions, as on the public chains. */
async function deployUniswapV2(
  { deploy, owner }: Workshop,
  at: Record<'uniswapV3Factory' | 'uniswapV3PositionManager' | 'weth', Address>,
) {
  const uniswapV2Factory = await deploy(
    readArtifact('@uniswap/v2-core/build/UniswapV2Factory.json'),
    [owner.address],
  )
  return {
    uniswapV2Factory,
    uniswapSwapRouter02: await deploy(readArtifact(router02), [
      uniswapV2Factory,
      at.uniswapV3Factory,
      at.uniswapV3PositionManager,
      at.weth,
    ]),
  }
}

async function deployAccounts({ deployWithSalt, place }: Workshop) {
  for (const version of ['06', '07', '08'] as const) {
    const artifact = (name: string) =>
      readArtifact(`@account-abstraction/contracts-${version}/artifacts/${name}.json`)
    const entryPoint = known[`entryPoint${version}`]
    await deployWithSalt(artifact('EntryPoint'), salts[`entryPoint${version}`], entryPoint)
    await place(artifact('SimpleAccountFactory'), known[`simpleAccountFactory${version}`], [
      entryPoint,
    ])
  }
  await place(
    readArtifact('@account-abstraction/contracts-08/artifacts/Simple7702Account.json'),
    known.simple7702Account,
  )
  const { ensRegistry: _, multicall3Creator: __, ...accounts } = known
  return accounts
}

/** Deploys the paymaster that accepts the signatures of the server, with a deposit for the operations it pays. */
async function deployPaymaster({ deploy, send }: Workshop, entryPoint: Address): Promise<Address> {
  const artifact = readArtifact(
    '@account-abstraction/contracts-07/artifacts/VerifyingPaymaster.json',
  )
  const paymaster = await deploy(artifact, [entryPoint, sponsor.address])
  await send({
    to: paymaster,
    abi: artifact.abi,
    functionName: 'deposit',
    value: parseEther('1000'),
  })
  return paymaster
}

function get(own: Record<string, Artifact>, name: string): Artifact {
  const artifact = own[name]
  if (!artifact) throw new Error(`There is no contract ${name}.`)
  return artifact
}
