import { CaipNetworkId } from '@gatefold/protocol'
import type { AccountType } from '@gatefold/protocol/frame'
import type { Address } from 'viem'
import type { Api } from '../api/createApi.ts'
import type { ChainConfig } from '../config.ts'
import type { Rpc } from '../rpc/createRpc.ts'
import type { OpenSmartAccount } from '../smartAccount/openSmartAccount.ts'
import type { Wallet } from '../wallet/createWallet.ts'
import type { Accounts } from '../wallet/StoredSet.ts'

export type Account = { address: string; type: AccountType }

/** The accounts of a wallet on a network. */
export type NetworkAccounts = {
  /**
   * The account that the visitor prefers, or the standard account if the
   * network has no other.
   */
  active: Account
  all: Account[]
}

/**
 * Finds and opens the accounts of the wallet on each network. The code for
 * smart accounts is loaded on first use.
 */
export function createAccounts(options: { wallet: Wallet; api: Api; rpc: Rpc; bundler: Rpc }) {
  const { wallet, api, rpc, bundler } = options
  /**
   * Deployed accounts, by network and address. An account never becomes
   * undeployed.
   */
  const deployed = new Set<string>()

  return {
    /** @param preferred - the type that the visitor prefers. */
    async of(
      network: ChainConfig,
      accounts: Accounts,
      preferred: AccountType,
    ): Promise<NetworkAccounts> {
      const isEvm = CaipNetworkId.parse(network.id).namespace === 'eip155'
      const standard: Account = {
        address: isEvm ? accounts.eip155 : accounts.solana,
        type: 'eoa',
      }
      if (!network.smartAccount || accounts.owner === undefined)
        return { active: standard, all: [standard] }
      const address = await wallet.smartAccount(accounts.owner, network.smartAccount)
      const smart: Account = { address, type: 'smartAccount' }
      return { active: preferred === 'eoa' ? standard : smart, all: [standard, smart] }
    },

    /**
     * Whether a smart account has been deployed on its network; `false` if the
     * network does not respond.
     */
    async isDeployed(network: ChainConfig, { address, type }: Account): Promise<boolean> {
      const key = `${network.id} ${address}`
      if (type === 'eoa') return false
      if (deployed.has(key)) return true
      const code = await rpc(network.id, 'eth_getCode', [address, 'latest']).catch(() => '0x')
      if (code === '0x') return false
      deployed.add(key)
      return true
    },

    /** Opens the smart account, so that it can sign and send. */
    async open(network: ChainConfig, accounts: Accounts): Promise<OpenSmartAccount> {
      const { openSmartAccount } = await import('../smartAccount/openSmartAccount.ts')
      const { hasPaymaster, ...modules } = network.smartAccount!
      return openSmartAccount({
        chain: network,
        modules,
        owner: accounts.owner as Address,
        rpc,
        bundler,
        paymaster: hasPaymaster ? (body) => api.send('paymaster', body) : undefined,
        sign: (request) => wallet.sign(request),
      })
    },
  }
}

/**
 * The account that a request names, or else the active account: sites can use
 * both.
 *
 * @param params - of the request; they include the account, or have it in the
 *   field `from`.
 */
export function accountIn(params: unknown, { active, all }: NetworkAccounts): Account {
  const list: unknown[] = Array.isArray(params) ? params : []
  const texts = list
    .map((one) => (one as { from?: unknown } | null)?.from ?? one)
    .filter((one) => typeof one === 'string')
    .map((text) => text.toLowerCase())
  const named = all.filter(({ address }) => texts.includes(address.toLowerCase()))
  return named.length === 1 ? named[0]! : active
}
