import { limits } from '@gatefold/protocol'
import {
  PaymasterBody,
  smartAccountContracts,
  type PaymasterFields,
  type PaymasterResponse,
  type SponsoredOperation,
} from '@gatefold/protocol/frame'
import type * as v from 'valibot'
import { isAddressEqual, numberToHex, size, slice, type Address } from 'viem'
import type { Handler } from '../../http/Role.ts'
import type { SponsorLimit, SponsorPolicy } from '../../storage/frame/sponsors.ts'
import { allowsOrigin } from '../../storage/projects.ts'
import { signedIn, type SessionCall } from '../requests.ts'
import type { FrameService } from '../service.ts'
import { accountOf } from './accountOf.ts'
import { offersTooMuch } from './offersTooMuch.ts'
import { readCalls, type Call } from './readCalls.ts'
import { operationHash, readBlockNumber, settleOperations } from './settle.ts'
import { signOperation, stubPaymasterData, type PaidOperation } from './signOperation.ts'

/** Gas for checking one signature. */
const verificationGas = 60_000n
const gwei = 1_000_000_000n
const dayMs = 86_400_000
/**
 * If a chain is unavailable for longer than this, the full amount of an
 * operation stays counted.
 */
const openDays = 7

/** Why an operation is not sponsored. */
const refusals = {
  chain: 'No operation is sponsored on this chain.',
  project: 'This site sponsors no operations.',
  account: 'Only operations of your own smart account are sponsored.',
  call: 'This site does not sponsor such a call.',
  gas: 'The operation offers more gas or higher fees than it needs.',
  total: 'This site has used up what it sponsors.',
  day: 'This site has used up what it sponsors in a day.',
  user: 'You have used up what this site sponsors in a day.',
} as const

type Refusal = keyof typeof refusals

/**
 * `POST /api/paymaster`: ERC-7677 for the operations of signed-in users. The
 * session's project pays; a request cannot name another one.
 *
 * @see docs/contracts/frame-api.md#sponsored-operations
 */
export function postPaymaster(service: FrameService): Handler {
  return signedIn(service, PaymasterBody, async (call): Promise<PaymasterResponse> => {
    const { id } = call.body
    const answer = await sponsor(service, call)
    if (typeof answer !== 'string') return { jsonrpc: '2.0', id, result: answer }
    const data = { reason: answer }
    return { jsonrpc: '2.0', id, error: { code: -32_000, message: refusals[answer], data } }
  })
}

async function sponsor(
  service: FrameService,
  { body, session, user }: SessionCall<v.InferOutput<typeof PaymasterBody>>,
): Promise<PaymasterFields | Refusal> {
  const { context, store } = service
  const { config, now } = context
  const [operation, entryPoint, chainNumber, { owner }] = body.params
  const chain = `eip155:${chainNumber}`
  const settings = config.smartAccounts[chain]
  const privateKey = config.paymasterKey
  if (
    !settings?.paymaster ||
    !privateKey ||
    !isAddressEqual(entryPoint, smartAccountContracts.entryPoint)
  )
    return 'chain'
  const project = await context.projects.get(session.project_id)
  if (!project?.active || !allowsOrigin(project, session.origin)) return 'project'
  const policy = await store.findSponsorPolicy(session.project_id)
  if (!policy) return 'project'
  const { smart_account_owner: own } = user
  if (owner.toLowerCase() !== own?.toLowerCase()) return 'account'
  if (!isOwn(operation, owner, settings)) return 'account'
  const calls = readCalls(operation.callData)
  if (!calls?.every((one) => isAllowed(policy, one))) return 'call'

  const paid: PaidOperation = {
    ...operation,
    paymasterVerificationGasLimit: max(operation.paymasterVerificationGasLimit, verificationGas),
    // The paymaster does nothing after the operation, and a part of unused gas goes to the bundler.
    paymasterPostOpGasLimit: 0n,
  }
  const { paymaster } = settings
  const spending = {
    projectId: session.project_id,
    chain,
    userId: user.id,
    gwei: maxCostGwei(paid),
    now: now(),
  }
  const fields = {
    paymaster,
    paymasterVerificationGasLimit: numberToHex(paid.paymasterVerificationGasLimit),
    paymasterPostOpGasLimit: numberToHex(paid.paymasterPostOpGasLimit),
  }
  /**
   * Tries again after the unused cost of earlier operations has been credited
   * back.
   */
  async function withinLimits(use: () => Promise<SponsorLimit | undefined>) {
    const exceeded = await use()
    if (!exceeded) return undefined
    await settleOperations(service, chain).catch(() => {})
    return use()
  }

  if (body.method === 'pm_getPaymasterStubData') {
    const exceeded = await withinLimits(async () => store.findExceededLimit(policy, spending))
    return exceeded ?? { ...fields, paymasterData: stubPaymasterData() }
  }
  if (await offersTooMuch(service, chain, { ...paid, paymaster })) return 'gas'
  const block = await readBlockNumber(service, chain)
  const exceeded = await withinLimits(async () => store.spend(policy, spending))
  if (exceeded) return exceeded
  const chainId = Number(chainNumber)
  const validUntil = Math.floor(now() / 1000) + limits.sponsoredSeconds
  const paymasterData = await signOperation(paid, {
    chainId,
    paymaster,
    privateKey,
    validAfter: 0,
    validUntil,
  })
  // Without the block number, the whole chain would have to be searched for the
  // cost, so the full amount stays counted.
  if (block !== undefined)
    await store.addOperation({
      chain,
      hash: operationHash(paid, { chainId, paymaster, paymasterData }),
      project_id: spending.projectId,
      user_id: user.id,
      gwei: spending.gwei,
      block,
      valid_until: validUntil,
      created_at: spending.now,
      expires_at: spending.now + openDays * dayMs,
    })
  return { ...fields, paymasterData }
}

/**
 * Whether the sender is the smart account of the owner. The code of another
 * sender could do anything, regardless of the call data.
 */
function isOwn(
  { sender, factory, factoryData }: SponsoredOperation,
  owner: Address,
  settings: { module: Address; setup: Address },
): boolean {
  const account = accountOf(owner, settings)
  if (!isAddressEqual(sender, account.address)) return false
  if (factory === undefined && factoryData === undefined) return true
  return (
    factory !== undefined &&
    isAddressEqual(factory, smartAccountContracts.factory) &&
    factoryData?.toLowerCase() === account.factoryData
  )
}

function isAllowed({ contracts, methods }: SponsorPolicy, { to, data }: Call): boolean {
  const method = size(data) < 4 ? 'send' : slice(data, 0, 4).toLowerCase()
  return (
    (contracts.length === 0 || contracts.includes(to.toLowerCase())) &&
    (methods.length === 0 || methods.includes(method))
  )
}

/**
 * The maximum cost of an operation. Rounded up, so that many small operations
 * do not count as zero.
 */
function maxCostGwei(operation: PaidOperation): number {
  const gas =
    operation.callGasLimit +
    operation.verificationGasLimit +
    operation.preVerificationGas +
    operation.paymasterVerificationGasLimit +
    operation.paymasterPostOpGasLimit
  const cost = (gas * operation.maxFeePerGas + gwei - 1n) / gwei
  return Number(cost)
}

function max(first: bigint | undefined, second: bigint): bigint {
  return first !== undefined && first > second ? first : second
}
