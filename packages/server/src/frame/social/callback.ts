import { SocialProvider } from '@gatefold/protocol/frame'
import * as v from 'valibot'
import { addressOf, limit, type HttpContext } from '../../http/access.ts'
import { readBytes } from '../../http/input.ts'
import type { Handler } from '../../http/Role.ts'
import { refuse } from '../answers.ts'
import { readPageLanguage } from '../pageTexts/readPageLanguage.ts'
import { windowPage } from '../pages.ts'
import { hashToken } from '../requests.ts'
import type { FrameService } from '../service.ts'

/** Maximum size of the form with which a provider returns, in bytes. */
const maxFormBytes = 16 * 1024
/** Cost of a request in tokens of the rate limits: it reads the database. */
const cost = 5
/**
 * The separator between the state and the page's URL, for logins without a
 * window.
 */
const returnMark = '--'
/** The parameters of a result. All others, such as names and texts of errors, are dropped. */
const resultParameters = ['code', 'iss', 'error'] as const

/**
 * `GET /loading`: the page in the window of a login until the URL of the
 * provider's page is known.
 */
export function getLoadingPage(): Handler {
  return (c) => {
    const language = readPageLanguage(c)
    const { t } = language
    return windowPage({ language, title: t('social.loading'), lead: t('social.loadingLead') })
  }
}

/**
 * `GET /social/{provider}`: the page to which a provider redirects. It sends
 * the result only to the frame inside the page that opened it, and then the id
 * of the login to that page, because the page could forward a code to a server
 * that started the login itself. If the page cannot open windows, there is no
 * frame to send to, so the browser is redirected to the page with the result in
 * its URL; the session of such a login is limited.
 *
 * @see docs/contracts/frame.md#social-login
 */
export function getCallbackPage(service: FrameService): Handler {
  return (c) => respond(service, c, new URL(c.req.url).searchParams)
}

/** `POST /social/{provider}`: the same, for a provider that sends a form. @see OAuth 2.0 Form Post Response Mode */
export function postCallbackPage(service: FrameService): Handler {
  return async (c) => {
    const bytes = await readBytes(c, maxFormBytes)
    if (!bytes) return refuse(413, { field: 'body', description: 'the form is too large' })
    return respond(service, c, new URLSearchParams(Buffer.from(bytes).toString()))
  }
}

async function respond(service: FrameService, c: HttpContext, parameters: URLSearchParams) {
  const { context, store, url } = service
  const limited = limit(context, 'address', addressOf(context, c), cost)
  if (limited) return limited
  const language = readPageLanguage(c)
  const { t } = language
  const provider = v.safeParse(SocialProvider, c.req.param('provider'))
  const [state = '', ...rest] = (parameters.get('state') ?? '').split(returnMark)
  const login = provider.success
    ? await store.findSocialLogin({
        id: hashToken(state),
        provider: provider.output,
        now: context.now(),
      })
    : undefined
  if (!login)
    return windowPage(
      {
        language,
        title: t('social.expired'),
        lead: t('social.expiredLead'),
      },
      { status: 410 },
    )
  const uri = new URL(`/social/${login.provider}`, url())
  uri.searchParams.set('state', state)
  const result = new URL(uri)
  for (const name of resultParameters) {
    const value = parameters.get(name)
    if (value !== null) result.searchParams.set(name, value)
  }
  if (rest.length === 0)
    return windowPage(
      {
        language,
        title: t('social.done'),
        lead: t('social.doneLead'),
      },
      { message: { origin: login.origin, result: result.href, uri: uri.href } },
    )
  const target = toReturnUrl(rest.join(returnMark))
  if (target?.origin !== login.origin)
    return windowPage(
      {
        language,
        title: t('social.foreign'),
        lead: t('social.foreignLead'),
      },
      { status: 400 },
    )
  await store.markRedirected(login.id)
  target.searchParams.set('result_uri', result.href)
  return new Response(null, {
    status: 302,
    headers: {
      location: target.href,
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
    },
  })
}

/** The URL of the page, which a provider may have encoded a second time. */
function toReturnUrl(text: string): URL | undefined {
  const plain = /^https?:\/\//i.test(text) ? text : decode(text)
  return URL.canParse(plain) ? new URL(plain) : undefined
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return ''
  }
}
