import { CaipNetworkId } from '@gatefold/protocol'
import { getAddress, isAddress, isHex, toHex, type Address } from 'viem'
import { describeMessage } from '../approval/describeMessage.ts'
import { describeTransaction } from '../approval/describeTransaction.ts'
import { limitCalls, type ChosenLimits } from '../approval/limitCalls.ts'
import { describeTypedData } from '../approval/describeTypedData.ts'
import type { ChainConfig } from '../config.ts'
import type { Sign } from '../smartAccount/createSmartAccount.ts'
import type { OpenSmartAccount } from '../smartAccount/openSmartAccount.ts'
import { exclusively } from '../store/exclusively.ts'
import type { Language } from '../strings/language.ts'
import type { Rpc } from './createRpc.ts'
import type { Examined } from './Examined.ts'
import { isSettlerOf } from './isSettlerOf.ts'
import { prepareTransaction, readNonce, readTransaction } from './prepareTransaction.ts'
import { readCalls } from './readCalls.ts'
import { readBalance, readToken } from './readToken.ts'
import { readTypedData } from './readTypedData.ts'
import { simulateChanges } from './simulateChanges.ts'
import { RequestError } from './RequestError.ts'

export type Examine = (options: {
  params: unknown
  chain: ChainConfig
  /** The account that signs or sends. */
  from: string
  origin: string
  rpc: Rpc
  bundler: Rpc
  /** Signs with the keys of the wallet. */
  sign: Sign
  /** Set if the account is the smart account. */
  smart: OpenSmartAccount | undefined
  /** The amounts that the visitor has chosen for unlimited allowances. */
  chosen: ChosenLimits
  /** The language of the statement. */
  language: Language
}) => Promise<Examined>

/** The EVM methods that the visitor approves. Loaded with the first of them. */
export const evmRequests: Readonly<Record<string, Examine>> = {
  async personal_sign({ params, from, origin, sign, smart, language }) {
    const [first, second] = toList(params)
    // Some pages send the address first.
    const isSwapped = typeof first === 'string' && isAddress(first) && typeof second === 'string'
    const [text, address] = isSwapped && !isAddress(second) ? [second, first] : [first, second]
    if (typeof text !== 'string') throw new RequestError('The message is missing.')
    assertOwn(address, from)
    const message = isHex(text) && text.length % 2 === 0 ? text : toHex(text)
    return {
      statement: describeMessage({ message, origin, language }),
      prepared: () =>
        smart
          ? smart.account.signMessage({ message: { raw: message } })
          : sign({ kind: 'message', message }),
    }
  },

  async eth_signTypedData_v4({ params, chain, from, rpc, sign, smart, language }) {
    const [address, given] = toList(params)
    assertOwn(address, from)
    const data = readTypedData(given)
    const chainId = (data.domain as { chainId?: unknown } | undefined)?.chainId
    if (
      chainId !== undefined &&
      Number(chainId) !== Number(CaipNetworkId.parse(chain.id).reference)
    )
      throw new RequestError('The data is for another network. Switch the network first.')
    const token = (contract: Address) => readToken(rpc, chain.id, contract)
    return {
      statement: await describeTypedData({
        data,
        chain,
        token,
        isSmart: smart !== undefined,
        language,
      }),
      prepared: () =>
        smart ? smart.account.signTypedData(data) : sign({ kind: 'typedData', data }),
    }
  },

  async eth_sendTransaction(options) {
    const { params, chain, rpc, bundler, sign, smart, chosen, language } = options
    const from = options.from as Address
    const requested = readTransaction({ params, chainId: chain.id, from })
    if (smart) {
      return smart.examineCalls([requested], { language, chosen }, async (hash) => {
        const { waitForOperation } = await import('../smartAccount/createOperations.ts')
        const { receipt } = await waitForOperation(bundler, chain.id, hash)
        return receipt.transactionHash
      })
    }
    const token = (contract: Address) => readToken(rpc, chain.id, contract)
    const isSettler = (contract: Address) => isSettlerOf(rpc, chain, contract)
    const { calls, limits } = await limitCalls({
      calls: [requested],
      from,
      chain,
      token,
      isSettler,
      balance: (contract) => readBalance(rpc, chain.id, { token: contract, account: from }),
      chosen,
    })
    const call = calls[0]!
    const { transaction, fee, missing, failure, wasTried } = await prepareTransaction({
      rpc,
      chainId: chain.id,
      from,
      call,
    })
    const changes = failure
      ? undefined
      : await simulateChanges({ rpc, chainId: chain.id, account: from, calls: [call] })
    return {
      statement: await describeTransaction({
        call,
        chain,
        from,
        fee,
        missing,
        token,
        isSettler,
        failure,
        wasTried,
        changes,
        limit: limits.get(0),
        language,
      }),
      // Two tabs that read the same nonce would replace each other's transaction.
      prepared: () =>
        exclusively('transaction', async () => {
          const nonce = await readNonce(rpc, chain.id, from)
          const signed = await sign({ kind: 'transaction', transaction: { ...transaction, nonce } })
          return rpc(chain.id, 'eth_sendRawTransaction', [signed])
        }),
    }
  },

  async wallet_sendCalls({ params, chain, from: account, smart, chosen, language }) {
    const from = account as Address
    if (!smart)
      throw new RequestError('Only the smart account can make several calls. Switch to it first.')
    const { calls, isVersion1 } = readCalls(params, { from, chainId: chain.id })
    return smart.examineCalls(calls, { language, chosen }, async (hash) => {
      const { toCallsId } = await import('../smartAccount/callsStatus.ts')
      const id = toCallsId(hash, chain.id)
      return isVersion1 ? id : { id }
    })
  },
}

function toList(params: unknown): unknown[] {
  if (!Array.isArray(params)) throw new RequestError('The parameters must be a list.')
  return params
}

function assertOwn(address: unknown, from: string) {
  if (typeof address !== 'string' || !isAddress(address, { strict: false }))
    throw new RequestError('The address is missing.')
  if (getAddress(address) !== from) throw new RequestError('The request is for another account.')
}
