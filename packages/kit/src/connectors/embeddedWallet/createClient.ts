import { CaipNetworkId, limits } from '@gatefold/protocol'
import {
  approvalKindOf,
  safeRpcMethods,
  type AccountType,
  type AppPayload,
  type CardKind,
  type SocialProvider,
  type UserReply,
} from '@gatefold/protocol/frame'
import * as v from 'valibot'

import type { ConnectorContext, ConnectParameters } from '../../core/connection/Connector.ts'
import { ProviderRpcError } from '../../core/connection/ProviderRpcError.ts'
import type { Session } from '../../core/connection/Session.ts'
import type { ProviderSource } from '../ProviderSource.ts'
import { alertLoadFailed } from './alertLoadFailed.ts'
import { createFrame } from './createFrame.ts'
import type { Frame, FrameBox, FrameCard } from './createFrame.ts'
import { createSession } from './createSession.ts'
import type { EmbeddedSession, User } from './createSession.ts'
import { FrameError } from './FrameError.ts'
import { embeddedId } from './id.ts'
import {
  clearLogin,
  cooldownSeconds,
  loginMethod,
  saveLogin,
  saveSmartAccountNetworks,
  startCooldown,
  wasLoginUsed,
} from './loginRecords.ts'
import type { LoginMethod } from './loginRecords.ts'

/** The next step after an email address was sent. @see spec §4.12 */
export type EmailAction = 'VERIFY_DEVICE' | 'VERIFY_OTP' | 'CONNECT'

/** The embedded wallet of a page: the steps of a login, and the session that follows. */
export type EmbeddedClient = {
  /** Sends a code, or first a link, to an address. */
  connectEmail(email: string): Promise<EmailAction>
  /** Waits until the link in the mail is opened. The code has been mailed then. */
  confirmDevice(signal: AbortSignal): Promise<void>
  enterCode(code: string): Promise<void>
  /** The URL of a provider's login page. */
  socialUri(provider: SocialProvider): Promise<string>
  /** Stores the result of a social login for the next `connect`. */
  keepSocial(provider: SocialProvider, uri: string): void
  farcasterUrl(): Promise<string>
  /** Waits until the visitor approves in Farcaster. */
  confirmFarcaster(signal: AbortSignal): Promise<void>
  /**
   * Logs in with a passkey. The calling view shows the frame in the meantime,
   * with {@link place}.
   *
   * @param signal - aborts the login, in the frame too
   */
  connectPasskey(signal: AbortSignal): Promise<void>
  /** How the visitor logged in; undefined if that is not known. */
  loginMethod(): LoginMethod | undefined
  /** The visitor's email address; undefined if there is none. */
  email(): string | undefined
  updateEmail(email: string): Promise<'VERIFY_PRIMARY_OTP' | 'VERIFY_SECONDARY_OTP'>
  confirmCurrentEmail(code: string): Promise<void>
  confirmNewEmail(code: string): Promise<void>
  /**
   * Whether the wallet has a smart account in addition to the standard account
   * on a network.
   */
  hasSmartAccount(caipNetworkId: string): boolean
  /**
   * Selects an account type for the networks that have it. If the frame refuses
   * the type, the standard account is used.
   *
   * @see spec §4.2.2
   */
  setAccountType(type: AccountType): Promise<void>
  setTheme(mode: 'light' | 'dark'): void
  /** Shows the frame over a box; without one, hides it. */
  place(box: FrameBox | undefined): void
  /** What the frame shows; undefined if it shows nothing. */
  card(): FrameCard | undefined
  /** What the approval of the first waiting request is for; undefined if none waits. */
  requested(): CardKind | undefined
  /** Calls the listener when that changes. @returns a function that unsubscribes */
  watchCard(listener: () => void): () => void
  /** Moves the focus into the frame. */
  focus(): void
  connect(parameters: ConnectParameters): Promise<Session>
  restore(): Promise<Session | undefined>
  disconnect(): Promise<void>
  destroy(): void
}

const EmailAddress = v.pipe(v.string(), v.trim(), v.nonEmpty('Required'), v.email('Invalid email'))

/**
 * Creates the frame client. The frame is added to the page with the first
 * request.
 *
 * @param addFrame - replaced by the gallery
 * @see docs/contracts/frame.md; spec §4.11–§4.14
 */
export function createClient(
  context: ConnectorContext,
  addFrame: typeof createFrame = createFrame,
): EmbeddedClient {
  let frame: Frame | undefined
  let session: EmbeddedSession | undefined
  let current: User | undefined
  let restoring: Promise<Session | undefined> | undefined
  let socialUri: string | undefined
  let method = loginMethod()
  let theme: 'light' | 'dark' | undefined
  /** The theme and the language that the document of the frame has. */
  let synced: AppPayload<'SYNC_THEME'> = {}
  /** The requests that wait for an approval, and what it is for. */
  const approvals = new Map<AbortController, CardKind>()
  let closePrompt: (() => void) | undefined
  let card: FrameCard | undefined
  /** Aborted when the latest attempt to connect has ended for any reason. */
  let connecting: AbortSignal | undefined
  /** The passkey login whose view currently shows the frame. */
  let passkeyLogin: AbortSignal | undefined
  /** Number of calls that read the user. */
  let reading = 0
  const cardListeners = new Set<() => void>()

  const log = context.options.enableAuthLogger
    ? // oxlint-disable-next-line no-console -- the site has asked for it
      (text: string) => console.info(`Gatefold: secure frame: ${text}`)
    : undefined

  /** The frame, added to the page on first use. @see spec §4.11.2 */
  const open = () => (frame ??= addFrame({ url: documentUrl(context), log, onReload, onCard }))

  const request: Frame['request'] = async (name, payload, requestOptions) => {
    const used = open()
    syncTheme(used)
    try {
      return await used.request(name, payload, requestOptions)
    } catch (error) {
      if (error instanceof FrameError && frame === used) endUnresponsive(error, requestOptions)
      throw error
    }
  }

  /**
   * Aborts all requests if the frame did not load or respond, or was removed from the page, and alerts the developer.
   *
   * @see spec §8.10.6, §8.10.7
   */
  function endUnresponsive(error: FrameError, { timeoutMs }: { timeoutMs?: number } = {}): void {
    if (goneCodes.has(error.code)) {
      if (error.code === 'frame.load_failed') void alertLoadFailed(context)
      // Added again with the next request.
      const failed = frame
      frame = undefined
      synced = {}
      failed?.destroy()
    } else if (error.code === 'frame.timeout' && timeoutMs === login.timeoutMs) {
      context.emit({ type: 'alert', code: 'IFRAME_REQUEST_TIMEOUT' })
      rejectApprovals()
    }
  }

  /**
   * Sends a change of the theme or the language before the request whose card uses them. The port preserves the order.
   */
  function syncTheme(used: Frame): void {
    const next = { themeMode: theme, locale: context.locale() }
    if (next.themeMode === synced.themeMode && next.locale === synced.locale) return
    synced = next
    used.request('SYNC_THEME', next).catch(() => {
      if (synced === next) synced = {}
    })
  }

  /** A new document of the frame shows nothing yet, and has the browser's theme and language. */
  function onReload(): void {
    onCard(undefined)
    synced = {}
    syncTheme(open())
  }
  const login = { timeoutMs: limits.frameLoginMs }

  /**
   * Sends a request of the site, and shows the frame if the request needs an
   * approval. @see spec §4.14
   */
  const requestRpc: ProviderSource['request'] = async ({
    chainId,
    request: { method, params },
  }) => {
    const { namespace, reference } = CaipNetworkId.split(chainId)!
    const payload = { method, params, chainNamespace: namespace as 'eip155', chainId: reference }
    const abort = new AbortController()
    const isSafe = (safeRpcMethods as readonly string[]).includes(method)
    if (!isSafe) approvals.set(abort, approvalKindOf(method))
    showWhileNeeded()
    try {
      return await request('RPC_REQUEST', payload, { signal: abort.signal })
    } catch (error) {
      throw toRpcError(error)
    } finally {
      approvals.delete(abort)
      showWhileNeeded()
    }
  }

  /**
   * Shows the frame while a request waits for the visitor, or while the frame
   * shows a card on its own. A card after a login is shown only once the view
   * of the connection has closed, because that view would otherwise reappear
   * after the card.
   */
  function showWhileNeeded(): void {
    if (passkeyLogin) return
    if (approvals.size > 0 || (card !== undefined && !isConnecting()))
      closePrompt ??= context.prompt({ view: 'ApproveTransaction', onDismiss: rejectApprovals })
    else {
      const close = closePrompt
      closePrompt = undefined
      frame?.place(undefined)
      close?.()
    }
  }

  const isConnecting = () => connecting !== undefined && !connecting.aborted

  function onCard(next: FrameCard | undefined): void {
    // The frame may send the card of a passkey login after the login has ended
    // here.
    const isExpected =
      passkeyLogin || current || reading > 0 || approvals.size > 0 || isConnecting()
    if (next !== undefined && !isExpected) return
    card = next
    for (const listener of cardListeners) listener()
    showWhileNeeded()
  }

  /** @see spec §4.14.2–3, §8.10.3 */
  function rejectApprovals(): void {
    closePrompt = undefined
    card = undefined
    frame?.place(undefined)
    frame?.abortRequests()
    for (const abort of approvals.keys())
      abort.abort(new FrameError('Request was aborted', { code: 'frame.aborted' }))
  }

  async function readUser(parameters?: ConnectParameters): Promise<User> {
    reading += 1
    try {
      return await readAccounts(parameters)
    } finally {
      reading -= 1
    }
  }

  /** Reads the user with the account of each family. */
  async function readAccounts({ network }: ConnectParameters = {}): Promise<User> {
    // EVM is last: the frame remembers the network of the last request, and chooses the type of the account there.
    const families = context.namespaces.toSorted(
      (a, b) => Number(a === 'eip155') - Number(b === 'eip155'),
    )
    const user: User = { method, accounts: {}, smart: {} }
    for (const family of families) {
      const found =
        network?.chainNamespace === family
          ? network
          : (context.activeNetwork(family) ??
            context.networks().find((one) => one.chainNamespace === family))
      if (!found) continue
      const payload = { chainId: found.caipNetworkId }
      const uri = socialUri
      socialUri = undefined
      const reply: UserReply = uri
        ? await request('CONNECT_SOCIAL', { ...payload, uri }, login)
        : await request('GET_USER', payload)
      // See spec §5.9.4.
      if (reply.chainId === undefined)
        throw new FrameError('ChainId not found in provider', { code: 'frame.chain' })
      user.accounts[family] = reply
      if (family === 'eip155') {
        user.smart = await readSmartAccounts(found.caipNetworkId)
        // The frame remembers the network of the last request.
        if (Object.keys(user.smart).length > 0) await request('GET_USER', payload)
        if (reply.accounts?.some(({ type }) => type === 'smartAccount'))
          user.smart[found.caipNetworkId] = reply
      }
      user.email = reply.email ?? user.email
      user.userName = reply.userName ?? user.userName
    }
    return user
  }

  /** Reads the user on each other network that has smart accounts, where the account can differ. */
  async function readSmartAccounts(active: string): Promise<User['smart']> {
    const { smartAccountEnabledNetworks: ids } = await request(
      'GET_SMART_ACCOUNT_ENABLED_NETWORKS',
      undefined,
    )
    saveSmartAccountNetworks(ids)
    const networks = context
      .networks()
      .filter(({ chainNamespace, caipNetworkId }) => {
        const isOther = chainNamespace === 'eip155' && caipNetworkId !== active
        return isOther && ids.includes(Number(CaipNetworkId.split(caipNetworkId)?.reference))
      })
      .map(({ caipNetworkId }) => caipNetworkId)
    const replies = await Promise.all(networks.map((chainId) => request('GET_USER', { chainId })))
    return Object.fromEntries(networks.map((id, index) => [id, replies[index]!]))
  }

  function start(user: User): Session {
    current = user
    session?.end()
    session = createSession({
      context,
      user,
      request: requestRpc,
      onBlocked(method) {
        rejectApprovals()
        context.emit({ type: 'blocked', method })
      },
    })
    save(user)
    context.emit({ type: 'changed', session })
    return session
  }

  async function restore(): Promise<Session | undefined> {
    const { isConnected } = await request('IS_CONNECTED', undefined)
    if (isConnected) return start(await readUser())
    clearLogin()
    return undefined
  }

  function save(user: User): void {
    const network = context.namespaces.map((family) => context.activeNetwork(family)).find(Boolean)
    saveLogin({ ...user, chainId: String(network?.id ?? limits.defaultChainId) })
  }

  async function refresh(): Promise<void> {
    const user = await readUser()
    current = user
    save(user)
    session?.update(user)
  }

  function endSession(): void {
    session?.end()
    session = undefined
    current = undefined
    method = undefined
    context.emit({ type: 'ended', connectorId: embeddedId, reason: 'site' })
  }

  /** Another tab of the site signed out; the frame's session is the same. */
  function onStorage(): void {
    if (session && !wasLoginUsed()) endSession()
  }
  addEventListener('storage', onStorage)

  return {
    async connectEmail(email) {
      const parsed = v.safeParse(EmailAddress, email)
      if (!parsed.success)
        throw new FrameError(parsed.issues[0].message, {
          code: 'frame.email',
          cause: parsed.issues,
        })
      const seconds = cooldownSeconds()
      if (seconds > 0)
        throw new FrameError(`Please try again after ${seconds} seconds`, {
          code: 'frame.cooldown',
        })
      const { action } = await request('CONNECT_EMAIL', { email: parsed.output }, login)
      if (action !== 'CONNECT') startCooldown()
      return action
    },
    async confirmDevice(signal) {
      await request('CONNECT_DEVICE', undefined, { ...login, signal })
    },
    async enterCode(code) {
      await request('CONNECT_OTP', { otp: code }, login)
      method = 'email'
    },
    socialUri: async (provider) =>
      (await request('GET_SOCIAL_REDIRECT_URI', { provider }, login)).uri,
    keepSocial(provider, uri) {
      socialUri = uri
      method = provider
    },
    farcasterUrl: async () => (await request('GET_FARCASTER_URI', undefined, login)).url,
    async confirmFarcaster(signal) {
      await request('CONNECT_FARCASTER', undefined, { signal })
      method = 'farcaster'
    },
    async connectPasskey(signal) {
      signal.throwIfAborted()
      const cancel = () => frame?.abortRequests()
      signal.addEventListener('abort', cancel)
      passkeyLogin = signal
      try {
        const timeoutMs = limits.passkeyLoginSeconds * 1_000
        await request('CONNECT_PASSKEY', undefined, { timeoutMs, signal })
        method = 'passkey'
      } catch (error) {
        // The card stays in the frame until the frame cancels it.
        if (error instanceof FrameError && error.code === 'frame.timeout') cancel()
        throw error
      } finally {
        signal.removeEventListener('abort', cancel)
        if (passkeyLogin === signal) {
          passkeyLogin = undefined
          card = undefined
          frame?.place(undefined)
        }
      }
    },
    updateEmail: async (email) => (await request('UPDATE_EMAIL', { email: email.trim() })).action,
    async confirmCurrentEmail(code) {
      await request('UPDATE_EMAIL_PRIMARY_OTP', { otp: code })
    },
    async confirmNewEmail(code) {
      await request('UPDATE_EMAIL_SECONDARY_OTP', { otp: code })
      await refresh()
    },
    loginMethod: () => method,
    email: () => current?.email ?? undefined,
    hasSmartAccount: (caipNetworkId) => current?.smart[caipNetworkId] !== undefined,
    async setAccountType(type) {
      try {
        await request('SET_PREFERRED_ACCOUNT', { type })
      } catch (error) {
        await request('SET_PREFERRED_ACCOUNT', { type: 'eoa' })
        throw error
      } finally {
        await refresh()
      }
    },
    setTheme(mode) {
      theme = mode
      syncTheme(open())
    },
    // A view may still call this after its request has ended; the frame is then
    // hidden.
    place: (box) => frame?.place(closePrompt || passkeyLogin ? box : undefined),
    card: () => card,
    requested: () => approvals.values().next().value,
    watchCard(listener) {
      cardListeners.add(listener)
      return () => void cardListeners.delete(listener)
    },
    focus: () => frame?.focus(),
    async connect(parameters) {
      connecting = parameters.signal
      connecting?.addEventListener('abort', showWhileNeeded, { once: true })
      const user = await readUser(parameters)
      parameters.signal?.throwIfAborted()
      return start(user)
    },
    async restore() {
      if (session || !wasLoginUsed()) return session
      // There may be several callers while the page starts.
      restoring ??= restore().finally(() => (restoring = undefined))
      return restoring
    },
    async disconnect() {
      // The page forgets the login even if the frame does not respond. See spec §9.8.1.
      await request('SIGN_OUT', undefined, { timeoutMs: limits.frameSignOutMs }).catch(() => {})
      clearLogin()
      endSession()
    },
    destroy() {
      removeEventListener('storage', onStorage)
      frame?.destroy()
      frame = undefined
    },
  }
}

/** The codes of errors after which the frame has to be added again. */
const goneCodes: ReadonlySet<string> = new Set([
  'frame.load_failed',
  'frame.not_set',
  'frame.removed',
])

/** @see docs/contracts/frame.md#document */
function documentUrl(context: ConnectorContext): URL {
  const { options } = context
  const url = new URL('/sdk', options.endpoints.frame)
  if (options.projectId) url.searchParams.set('projectId', options.projectId)
  const [network] = context.networks()
  if (network) url.searchParams.set('chainId', network.caipNetworkId)
  return url
}

/**
 * EIP-1193 error codes for a rejection, an aborted request, and an unsupported method. 6000 is that of WalletConnect for
 * a session that ended before the wallet responded, which may have carried out the request.
 */
const rpcCodes: Readonly<Record<string, number>> = {
  'frame.rejected': 4001,
  'frame.aborted': 4001,
  'frame.method': 4200,
  'frame.permissions': 4200,
  'frame.removed': 6000,
  'frame.reloaded': 6000,
  'frame.timeout': 6000,
}

/** An error of the frame, as providers report it. */
function toRpcError(error: unknown): unknown {
  if (!(error instanceof FrameError)) return error
  return new ProviderRpcError(rpcCodes[error.code] ?? -32603, error.shortMessage, { cause: error })
}
