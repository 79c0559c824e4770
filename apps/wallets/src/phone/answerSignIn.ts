import { BaseError, formatDidPkh } from '@gatefold/protocol'
import {
  type AuthRequest,
  type Cacao,
  formatAuthMessage,
  getAuthMethods,
  getReason,
  reasons,
} from '@gatefold/sign'
import { ForeignSignInError } from '../provider/foreignSignIn.ts'
import { errorCodes } from '../provider/ProviderRpcError.ts'
import { fromCaip2, exposedAccounts, toCaip2 } from './namespaces.ts'
import { type Phone, toReason } from './Phone.ts'
import { originOf, toRequestingApp } from './toRequestingApp.ts'

/**
 * Requests approval of a one-click sign-in (`wc_sessionAuthenticate`), and signs once for each requested
 * chain that the wallet has. A sign-in for the domain of another site, or without such a chain, is
 * rejected without a prompt.
 *
 * @throws if the relay does not accept the response; the request then stays pending.
 * @see https://eips.ethereum.org/EIPS/eip-5573, CAIP-122
 */
export async function answerSignIn(
  phone: Phone,
  request: AuthRequest,
  signal: AbortSignal,
): Promise<void> {
  const { sign, wallet } = phone
  const { id, authPayload } = request
  const { controls } = wallet
  const reject = (reason: { code: number; message: string }) =>
    sign.rejectSessionAuthenticate({ id, reason })

  if (request.verifyContext.verified.domainMatches === false) {
    const error = new ForeignSignInError(request.verifyContext.verified.origin, authPayload.domain)
    phone.reportError(error)
    return reject({ code: errorCodes.unauthorized, message: error.shortMessage })
  }
  const known = new Set(controls.chains.map((chain) => chain.id))
  const chains = authPayload.chains.flatMap((chain) => fromCaip2(chain) ?? [])
  const shared = chains.filter((chain) => known.has(chain))
  const [address] = exposedAccounts(controls)
  const [first] = shared
  if (first === undefined || !address) {
    phone.reportError(new SignInChainsError())
    return reject(getReason('UNSUPPORTED_CHAINS'))
  }

  const issuer = (chainId: number) => formatDidPkh(`${toCaip2(chainId)}:${address}`)
  const textFor = (chainId: number) => formatAuthMessage(authPayload, issuer(chainId))
  const app = toRequestingApp(request.requester.metadata, request.verifyContext)
  try {
    await wallet.requestApproval(
      {
        method: 'wc_sessionAuthenticate',
        params: [authPayload],
        origin: originOf(app),
        app,
        signal,
      },
      {
        kind: 'signIn',
        account: address as `0x${string}`,
        domain: authPayload.domain,
        message: textFor(first),
        methods: getAuthMethods(authPayload),
      },
    )
  } catch (error) {
    if (!signal.aborted) await reject(toReason(error, reasons.USER_REJECTED))
    return
  }
  const { chains: _chains, type: _type, ...terms } = authPayload
  const auths = await Promise.all(
    shared.map(async (chainId): Promise<Cacao> => {
      const s = await wallet.signMessage(controls.account, textFor(chainId))
      return { h: { t: 'caip122' }, p: { ...terms, iss: issuer(chainId) }, s: { t: 'eip191', s } }
    }),
  )
  await sign.approveSessionAuthenticate({ id, auths })
}

/** The wallet has no account on the networks of a sign-in, which it rejected. */
class SignInChainsError extends BaseError {
  override name = 'SignInChainsError'

  constructor() {
    super(
      'The app requested a sign-in on networks that this wallet doesn’t support, so it was rejected.',
      { code: 'wallet.sign_in_chains' },
    )
  }
}
