import { BaseError, CaipNetworkId, limits } from '@gatefold/protocol'
import {
  approvalKindOf,
  approvalRpcMethods,
  safeRpcMethods,
  type AccountType,
  type AppPayload,
  type FrameRecovery,
  type FrameUser,
  type LoginResponse,
  type UserReply,
} from '@gatefold/protocol/frame'
import type { Address } from 'viem'
import type { Api } from '../api/createApi.ts'
import { ApiError } from '../api/ApiError.ts'
import type { Approvals } from '../approval/createApprovals.ts'
import { noReply, type Request } from '../channel/createChannel.ts'
import type { ChainConfig, FrameConfig } from '../config.ts'
import { createTurns } from '../createTurns.ts'
import type { Screens } from '../recovery/createScreens.ts'
import type { Rpc } from '../rpc/createRpc.ts'
import type { Store } from '../store/createStore.ts'
import type { Language } from '../strings/language.ts'
import type { Wallet } from '../wallet/createWallet.ts'
import type { Accounts } from '../wallet/StoredSet.ts'
import { accountIn, createAccounts, type NetworkAccounts } from './createAccounts.ts'
import type { SocialLogins } from './socialLogins.ts'

/** The logged-in user, in the form that pages show. */
type Known = Pick<FrameUser, 'email' | 'userName'>

/** What the frame stores about a visitor across page loads. */
type Settings = { chainId?: string; accountType?: AccountType } & {
  [Key in keyof Known]?: Known[Key] | undefined
}

type Handlers = {
  [Name in Request['name']]: (payload: AppPayload<Name>, origin: string) => Promise<unknown>
}

/**
 * Creates the function that handles the messages of the page.
 *
 * @see docs/contracts/frame.md#names
 */
export function createHandler(options: {
  config: FrameConfig
  store: Store
  api: Api
  wallet: Wallet
  approvals: Approvals
  rpc: Rpc
  /** Sends requests to the bundlers of smart accounts. */
  bundler: Rpc
  screens: Screens
  /** Loaded with the first social login. */
  socials: () => Promise<SocialLogins>
  /** Whether the page shows the frame whenever the frame has a card. */
  isShown: () => boolean
  setTheme: (mode: 'light' | 'dark') => void
  /** The language of what the frame shows. */
  language: () => Promise<Language>
  /** Selects the language for the given language of the page. */
  setLocale: (locale: string) => void
}): (request: Request) => Promise<unknown> {
  const { config, store, api, wallet, approvals, rpc, bundler, screens, socials } = options
  const networkAccounts = createAccounts({ wallet, api, rpc, bundler })
  /** An estimate sends several requests to the bundler, the paymaster and the node. */
  const inTurn = createTurns()
  /** The login and the email change that wait for a code. */
  let loginId: string | undefined
  /** The login that is waiting for the Farcaster app. */
  let farcaster: { id: string; confirmed?: Promise<FrameUser> } | undefined
  let changeId: string | undefined
  let user: FrameUser | undefined
  /** A login after which the visitor has not yet seen the next step. */
  let isNewLogin = false

  async function settings(): Promise<Settings> {
    return (await store.get<Settings>('settings')) ?? {}
  }

  async function remember(change: Settings) {
    await store.set('settings', { ...(await settings()), ...change })
  }

  /** The network of the last request; by default Ethereum, if it is configured. @see spec §9.8.2 */
  async function chain(): Promise<ChainConfig> {
    const { chainId } = await settings()
    return findChain(chainId) ?? findChain(limits.defaultChainId) ?? config.chains[0]!
  }

  function findChain(id: string | number | undefined): ChainConfig | undefined {
    if (id === undefined) return undefined
    const text = String(id)
    const full = text.includes(':') ? text : `eip155:${text}`
    // For Solana too, official clients send only the CAIP-2 reference.
    return config.chains.find((one) => one.id === full || one.id === `solana:${text}`)
  }

  async function switchTo(id: string | number): Promise<ChainConfig> {
    const found = findChain(id)
    if (!found) throw new FrameError('frame.chain', `The network ${String(id)} is not available.`)
    await remember({ chainId: found.id })
    return found
  }

  /** The user of the session, with a wallet that is usable on this device. */
  async function signedIn(): Promise<Known & { accounts: Accounts; user?: FrameUser }> {
    try {
      // Another request may replace the user in the meantime.
      const isRead = user === undefined
      let known = (user ??= await api.send('user', {}))
      const accounts = await wallet.prepare(known)
      if (isRead) keepMethods(known)
      // The device now has a set, which `user` does not include yet.
      if (!known.wallet?.setId && !(await wallet.locked()))
        known = user = await api.send('user', {})
      const { email, userName } = known
      return { email, userName, accounts, user: known }
    } catch (error) {
      // While the server does not respond, the visitor stays logged in with the
      // data stored on this device.
      const isOutage = error instanceof ApiError && (error.status === 0 || error.status >= 500)
      const accounts = isOutage ? await wallet.accounts() : undefined
      if (!accounts) throw error
      const { email = null, userName = null } = await settings()
      return { email, userName, accounts }
    }
  }

  /**
   * Waits until the wallet can sign on this device and can be restored on
   * another.
   */
  async function usable(origin: string): Promise<Accounts> {
    let { accounts, user: known } = await signedIn()
    let locked = await wallet.locked()
    if (locked && known && (known.needsCode || !(await api.isFreshLogin()))) {
      if (known.needsCode && known.email === null) throw new WindowlessLoginError()
      await screens.show({ name: 'confirm', user: known, origin })
      user = undefined
      // Restores a wallet that needs no action of the visitor.
      ;({ accounts, user: known } = await signedIn())
      locked = await wallet.locked()
    }
    if (locked?.methods) {
      await screens.show({ name: 'restore', locked: { ...locked.methods, user: locked.user } })
      user = await api.send('user', {})
      ;({ accounts, user: known } = await signedIn())
    }
    if (known?.recovery && !isProtected(known.recovery)) {
      await screens.show({ name: 'protect', user: known })
      user = await api.send('user', {})
    }
    return accounts
  }

  /**
   * After a login, shows once what the visitor has to do before the first
   * request, if the page can show the frame. This starts after the reply, so
   * that the page shows the address first.
   */
  function announce(origin: string) {
    if (isNewLogin && options.isShown()) setTimeout(() => void welcome(origin).catch(() => {}))
    isNewLogin = false
  }

  async function welcome(origin: string) {
    await usable(origin)
    if (!user) return
    const { offerPasskey } = await import('../recovery/offerPasskey.ts')
    await offerPasskey({ user, methods: config.recovery, store, screens })
    // The device may have a different set of shares now.
    user = undefined
  }

  async function isConnected(): Promise<boolean> {
    if (!(await api.hasSession())) return false
    try {
      await signedIn()
      return true
    } catch (error) {
      // The session has ended, or restoring the wallet requires another login.
      if (!(error instanceof ApiError) || ![401, 403].includes(error.status)) throw error
      await wallet.forgetMethods()
      return false
    }
  }

  async function getUser(payload: AppPayload<'GET_USER'>, origin: string): Promise<UserReply> {
    if (payload.socialUri !== undefined)
      await enter(await (await socials()).finish(payload.socialUri, origin))
    // A page without a network requests Ethereum, which the operator may not
    // have configured.
    const network = findChain(payload.chainId) ?? (await chain())
    await remember({ chainId: network.id })
    const { email, userName, accounts } = await signedIn()
    if (payload.preferredAccountType) await remember({ accountType: payload.preferredAccountType })
    const { active, all } = await accountsOn(network, accounts)
    const smart = all.find(({ type }) => type === 'smartAccount')
    const reply: UserReply = {
      email,
      ...(userName !== null && { userName }),
      address: active.address,
      chainId: toReplyChainId(network.id),
      smartAccountDeployed: smart ? await networkAccounts.isDeployed(network, smart) : false,
      accounts: all,
      preferredAccountType: active.type,
    }
    // A locked wallet signs later: the page repeats the request if a signature
    // is missing.
    if (!payload.siwxMessage || (await wallet.locked())) {
      announce(origin)
      return reply
    }
    const { signIn } = await import('./signIn.ts')
    const opened = active.type === 'eoa' ? undefined : await networkAccounts.open(network, accounts)
    return {
      ...reply,
      ...(await signIn({
        message: payload.siwxMessage,
        origin,
        network,
        wallet,
        address: active.address,
        signSmart: opened && ((raw) => opened.account.signMessage({ message: { raw } })),
      })),
    }
  }

  /** Starts the session of a login. */
  async function enter(found: LoginResponse): Promise<FrameUser> {
    await api.setSession(found.session)
    user = found.user
    const { email, userName } = found.user
    await remember({ email, userName })
    // Prepared here, so that an error appears in the login view, where the
    // visitor can try again.
    await wallet.prepare(found.user)
    user = await api.send('user', {})
    isNewLogin = true
    keepMethods(user)
    return user
  }

  /** Not awaited: nothing else depends on it. */
  function keepMethods(known: FrameUser) {
    wallet.keepMethods(known).catch(() => {})
  }

  /**
   * The accounts on a network. The smart account is the default unless the
   * visitor or the page chose the other.
   */
  async function accountsOn(network: ChainConfig, accounts: Accounts): Promise<NetworkAccounts> {
    const { accountType = 'smartAccount' } = await settings()
    return networkAccounts.of(network, accounts, accountType)
  }

  /** Waits until the visitor has confirmed the login in the app of Farcaster. */
  async function confirmFarcaster(loginId: string, origin: string): Promise<FrameUser> {
    const { projectId } = config
    try {
      for (;;) {
        const found = await api.open('login/farcaster/finish', { projectId, origin, loginId })
        if (farcaster?.id !== loginId)
          throw new FrameError('frame.login', 'Another login has started.')
        if (found.isConfirmed) return await enter(found)
      }
    } finally {
      if (farcaster?.id === loginId) farcaster = undefined
    }
  }

  async function endSession() {
    user = undefined
    loginId = undefined
    farcaster = undefined
    screens.cancel()
    approvals.cancel()
    // The session ends here even if the server cannot be reached.
    await api.send('session/end', {}).catch(() => {})
    await api.clearSession()
  }

  const handlers: Handlers = {
    async CONNECT_EMAIL({ email }, origin) {
      const address = email.trim().toLowerCase()
      if ((await isConnected()) && user?.email === address) return { action: 'CONNECT' }
      const started = await api.open('login/email', {
        projectId: config.projectId,
        origin,
        email: address,
      })
      loginId = started.loginId
      return { action: started.action }
    },
    async CONNECT_DEVICE() {
      const id = required(loginId)
      for (;;) {
        const { isConfirmed } = await api.open('login/device', { loginId: id })
        if (isConfirmed) return undefined
        if (loginId !== id) throw new FrameError('frame.login', 'Another login has started.')
      }
    },
    async CONNECT_OTP({ otp }) {
      const found = await api.open('login/verify', { loginId: required(loginId), code: otp.trim() })
      loginId = undefined
      await enter(found)
      return undefined
    },
    GET_USER: getUser,
    async IS_CONNECTED() {
      return { isConnected: await isConnected() }
    },
    async SIGN_OUT() {
      await endSession()
      return undefined
    },
    async SWITCH_NETWORK({ chainId }) {
      return { chainId: toReplyChainId((await switchTo(chainId)).id) }
    },
    async CONNECT_PASSKEY(_, origin) {
      if (!config.passkeyLogin)
        throw new FrameError('not_offered', 'This site offers no login with a passkey.')
      await screens.show({ name: 'passkey', origin })
      user = undefined
      await remember({ email: undefined })
      return undefined
    },
    async GET_CHAIN_ID() {
      return { chainId: toReplyChainId((await chain()).id) }
    },
    async GET_SMART_ACCOUNT_ENABLED_NETWORKS() {
      const enabled = config.chains.filter(({ smartAccount }) => smartAccount)
      return { smartAccountEnabledNetworks: enabled.map(({ id }) => toReplyChainId(id) as number) }
    },
    async SET_PREFERRED_ACCOUNT({ type }) {
      const network = await chain()
      const { accounts } = await signedIn()
      const { active } = await networkAccounts.of(network, accounts, type)
      // The page then falls back to the standard account.
      if (active.type !== type)
        throw new FrameError('frame.account', 'Smart accounts are not available on this network.')
      await remember({ accountType: type })
      return { type, address: active.address }
    },
    async INIT_SMART_ACCOUNT() {
      const network = await chain()
      const { accounts } = await signedIn()
      const { active } = await networkAccounts.of(network, accounts, 'smartAccount')
      if (active.type !== 'smartAccount')
        throw new FrameError('frame.account', 'Smart accounts are not available on this network.')
      return {
        address: active.address,
        isDeployed: await networkAccounts.isDeployed(network, active),
      }
    },
    async RPC_REQUEST({ method, params, chainNamespace, chainId }, origin) {
      const network =
        chainId === undefined ? await chain() : findChain(toCaip(chainNamespace, chainId))
      if (!network) throw new FrameError('frame.chain', 'The network is not available.')
      if (includes(safeRpcMethods, method)) return read(network, method, params)
      if (!includes(approvalRpcMethods, method))
        throw new FrameError('frame.method', 'Requested RPC call is not allowed')
      if (includes(permissionMethods, method))
        throw new FrameError(
          'frame.permissions',
          'This wallet grants no permissions, because it cannot limit what a site does with them. Request each transaction instead.',
        )
      const accounts = await usable(origin)
      const family = method.startsWith('solana_') ? 'solana' : 'eip155'
      if (CaipNetworkId.parse(network.id).namespace !== family)
        throw new FrameError(
          'frame.chain',
          `${method} is for a network other than ${network.name}.`,
        )
      const examine =
        family === 'solana'
          ? (await import('../solana/requests.ts')).solanaRequests[method]
          : (await import('../rpc/requests.ts')).evmRequests[method]
      if (!examine)
        throw new FrameError('frame.method', `The wallet does not support ${method} yet.`)
      const { address, type } = accountIn(params, await accountsOn(network, accounts))
      return approvals.ask(
        { origin, kind: approvalKindOf(method) },
        async (chosen) =>
          examine({
            params,
            chain: network,
            from: address,
            origin,
            rpc,
            bundler,
            sign: (request) => wallet.sign(request),
            smart: type === 'eoa' ? undefined : await networkAccounts.open(network, accounts),
            chosen,
            language: await options.language(),
          }),
        (finish) => finish(),
      )
    },
    async RPC_ABORT() {
      screens.cancel()
      approvals.cancel()
      return noReply
    },
    async UPDATE_EMAIL({ email }, origin) {
      const started = await api.send('email/change', {
        projectId: config.projectId,
        origin,
        email: email.trim().toLowerCase(),
      })
      changeId = started.changeId
      return { action: started.action }
    },
    async UPDATE_EMAIL_PRIMARY_OTP({ otp }) {
      await api.send('email/verify-primary', { changeId: required(changeId), code: otp.trim() })
      return undefined
    },
    async UPDATE_EMAIL_SECONDARY_OTP({ otp }) {
      const { email } = await api.send('email/verify-secondary', {
        changeId: required(changeId),
        code: otp.trim(),
      })
      changeId = undefined
      user = undefined
      await remember({ email })
      return { newEmail: email }
    },
    async SYNC_THEME({ themeMode, locale }) {
      if (themeMode) options.setTheme(themeMode)
      if (locale !== undefined) options.setLocale(locale)
      return undefined
    },
    // What the page says about itself is never shown: approvals show its
    // origin.
    SYNC_DAPP_DATA: () => Promise.resolve(undefined),
    async RELOAD() {
      setTimeout(() => location.reload())
      return undefined
    },
    async GET_SOCIAL_REDIRECT_URI({ provider }, origin) {
      return { uri: await (await socials()).start(provider, origin) }
    },
    async CONNECT_SOCIAL({ uri, ...payload }, origin) {
      return getUser({ ...payload, socialUri: uri }, origin)
    },
    async GET_FARCASTER_URI(_payload, origin) {
      const { projectId } = config
      const started = await api.open('login/farcaster', { projectId, origin })
      farcaster = { id: started.loginId }
      return { url: started.url }
    },
    async CONNECT_FARCASTER(_payload, origin) {
      const { id } = (farcaster = required(farcaster))
      // The page may repeat the request for the same login; all of them share
      // one wait.
      const confirmed = (farcaster.confirmed ??= confirmFarcaster(id, origin))
      return { userName: (await confirmed).userName ?? '' }
    },
  }

  async function read(network: ChainConfig, method: string, params: unknown): Promise<unknown> {
    if (method === 'eth_accounts') {
      const accounts = await wallet.accounts()
      return accounts ? [(await accountsOn(network, accounts)).active.address] : []
    }
    if (method === 'wallet_getCapabilities') {
      const accounts = await wallet.accounts()
      if (!accounts) return {}
      const { type } = accountIn(params, await accountsOn(network, accounts))
      const { readCapabilities } = await import('../smartAccount/callsStatus.ts')
      const smart = config.chains.filter(({ smartAccount }) => smartAccount)
      return readCapabilities(params, smart, type === 'smartAccount')
    }
    if (method === 'wallet_getCallsFee') {
      const accounts = await wallet.accounts()
      if (!accounts) throw new FrameError('frame.login', 'Nobody is logged in.')
      const { address, type } = accountIn(params, await accountsOn(network, accounts))
      if (type === 'eoa')
        throw new FrameError('frame.account', 'Only the smart account sends operations.')
      const { readCalls } = await import('../rpc/readCalls.ts')
      const { calls } = readCalls(params, { from: address as Address, chainId: network.id })
      const fee = await inTurn(async () =>
        (await networkAccounts.open(network, accounts)).readFee(calls),
      )
      return { fee: `0x${fee.toString(16)}` }
    }
    if (method === 'wallet_getAssets') {
      const accounts = await wallet.accounts()
      if (!accounts) throw new FrameError('frame.login', 'Nobody is logged in.')
      const { readAssets } = await import('../rpc/readAssets.ts')
      const evm = config.chains.filter(({ id }) => CaipNetworkId.parse(id).namespace === 'eip155')
      const chains = await Promise.all(
        evm.map(async (one) => {
          const { all } = await networkAccounts.of(one, accounts, 'eoa')
          return { chain: one, accounts: all.map(({ address }) => address) }
        }),
      )
      return readAssets({ params, chains, rpc })
    }
    if (method === 'wallet_getCallsStatus') {
      const { readCallsStatus } = await import('../smartAccount/callsStatus.ts')
      return readCallsStatus(params, bundler)
    }
    if (includes(bundlerMethods, method)) return bundler(network.id, method, params)
    if (method === 'eth_chainId')
      return `0x${Number(CaipNetworkId.parse(network.id).reference).toString(16)}`
    return rpc(network.id, method, params)
  }

  return ({ name, payload, origin }) =>
    (handlers[name] as (payload: unknown, origin: string) => Promise<unknown>)(payload, origin)
}

function isProtected({ isAutomatic, passkeys, hasPassword }: FrameRecovery): boolean {
  return isAutomatic || passkeys > 0 || hasPassword
}

/** Methods that a bundler handles instead of a node. @see ERC-7769 */
const bundlerMethods = [
  'eth_estimateUserOperationGas',
  'eth_getUserOperationByHash',
  'eth_getUserOperationReceipt',
  'eth_supportedEntryPoints',
]

/**
 * Methods for permissions, which none of the wallet's accounts can enforce on
 * chain.
 *
 * @see docs/adr/0028-smart-accounts.md; ERC-7715
 */
const permissionMethods = ['wallet_grantPermissions', 'wallet_revokePermissions']

function required<Login>(login: Login | undefined): Login {
  if (login === undefined)
    throw new FrameError('frame.login', 'There is no login to continue. Start again.')
  return login
}

/**
 * A number for EVM and a CAIP-2 id for Solana, because official clients build
 * addresses from it.
 */
function toReplyChainId(id: string): number | string {
  const { namespace, reference } = CaipNetworkId.parse(id)
  return namespace === 'eip155' ? Number(reference) : id
}

function toCaip(namespace: string, chainId: string | number): string {
  const text = String(chainId)
  return text.includes(':') ? text : `${namespace}:${text}`
}

function includes(list: readonly string[], method: string): boolean {
  return list.includes(method)
}

/**
 * The wallet cannot be restored: the user has no email address, and the result
 * of the login arrived in the URL of the page.
 */
class WindowlessLoginError extends BaseError {
  override name = 'WindowlessLoginError'
  constructor() {
    super(
      'This browser doesn’t have your wallet yet, and a login without a window can’t restore it. Log out, then log in with a window: allow pop-ups for this site, or open it in your usual browser.',
      { code: 'frame.window_needed', docsPath: 'docs/custody.md#new-device' },
    )
  }
}

/** The frame refuses a message of the page. */
export class FrameError extends BaseError {
  override name = 'FrameError'
  constructor(code: string, message: string) {
    super(message, { code, docsPath: 'docs/contracts/frame.md' })
  }
}
