import { isAddressEqual, type Address, type Hex } from 'viem'
import { describeOperation } from '../approval/describeOperation.ts'
import type { Call } from '../approval/describeTransaction.ts'
import { limitCalls, type ChosenLimits } from '../approval/limitCalls.ts'
import type { ChainConfig } from '../config.ts'
import type { Rpc } from '../rpc/createRpc.ts'
import { isSettlerOf } from '../rpc/isSettlerOf.ts'
import { RequestError } from '../rpc/RequestError.ts'
import { readBalance, readToken } from '../rpc/readToken.ts'
import { simulateChanges } from '../rpc/simulateChanges.ts'
import type { Examined } from '../rpc/Examined.ts'
import type { Language } from '../strings/language.ts'
import { createOperations, type Paymaster } from './createOperations.ts'
import { createSmartAccount, type Sign, type SmartAccount } from './createSmartAccount.ts'
import type { SmartCall } from './encodeCalls.ts'
import type { Modules } from './smartAccountOf.ts'

/** A smart account that signs and sends. */
export type OpenSmartAccount = {
  account: SmartAccount
  /**
   * Examines the calls of one operation.
   *
   * @param options.language - of the statement.
   * @param options.chosen - the amounts that the visitor has chosen for unlimited allowances.
   * @param toResult - makes the result of the request from the operation's hash.
   */
  examineCalls(
    calls: readonly Call[],
    options: { language: Language; chosen: ChosenLimits },
    toResult: (hash: Hex) => Promise<unknown>,
  ): Promise<Examined>
  /**
   * The highest fee that the account pays for the calls of one operation, in atomic units; 0 if the operator pays. Signs
   * nothing, and counts towards no limit of the operator.
   */
  readFee(calls: readonly Call[]): Promise<bigint>
}

/** Opens the smart account of an owner. Loaded with the first request that needs it. */
export async function openSmartAccount(options: {
  chain: ChainConfig
  modules: Modules
  owner: Address
  rpc: Rpc
  bundler: Rpc
  paymaster: Paymaster | undefined
  sign: Sign
}): Promise<OpenSmartAccount> {
  const { chain, rpc } = options
  const account = await createSmartAccount(options)
  const operations = createOperations({ ...options, account })
  return {
    account,
    async examineCalls(requested, { language, chosen }, toResult) {
      const token = (contract: Address) => readToken(rpc, chain.id, contract)
      const isSettler = (contract: Address) => isSettlerOf(rpc, chain, contract)
      const { calls, limits } = await limitCalls({
        calls: requested,
        from: account.address,
        chain,
        token,
        isSettler,
        balance: (contract) =>
          readBalance(rpc, chain.id, { token: contract, account: account.address }),
        chosen,
      })
      const smartCalls = toSmartCalls(calls, account.address)
      const [prepared, balance, changes] = await Promise.all([
        operations.prepare(smartCalls),
        rpc(chain.id, 'eth_getBalance', [account.address, 'latest']),
        simulateChanges({ rpc, chainId: chain.id, account: account.address, calls }),
      ])
      const { fee, isFirst, isSponsored } = prepared
      const total = smartCalls.reduce((sum, { value }) => sum + value, 0n)
      const missing = total + (isSponsored ? 0n : fee) - BigInt(balance as Hex)
      const statement = await describeOperation({
        calls,
        chain,
        from: account.address,
        fee,
        isFirst,
        isSponsored,
        missing: missing > 0n ? missing : 0n,
        token,
        isSettler,
        changes,
        limits,
        language,
      })
      return {
        statement,
        prepared: async () => toResult(await operations.send(prepared)),
      }
    },
    async readFee(calls) {
      const { fee, isSponsored } = await operations.prepare(toSmartCalls(calls, account.address))
      return isSponsored ? 0n : fee
    },
  }
}

/** @throws {RequestError} for calls that a page may not make */
function toSmartCalls(calls: readonly Call[], account: Address): SmartCall[] {
  return calls.map(({ to, value, data }) => {
    if (to === null) throw new RequestError('A smart account cannot create a contract.')
    // The account obeys its own calls: they can add an owner, a module or a guard.
    if (isAddressEqual(to, account) && data !== '0x')
      throw new RequestError('A site cannot change the smart account.')
    return { to, value, data }
  })
}
