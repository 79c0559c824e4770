import { addressOf, secondsUntilRoom, type HttpContext } from '../http/access.ts'
import { readBytes } from '../http/input.ts'
import type { Handler } from '../http/Role.ts'
import { StorageUnavailableError } from '../storage/StorageUnavailableError.ts'
import { refuse } from './answers.ts'
import { readPageLanguage, type PageLanguage } from './pageTexts/readPageLanguage.ts'
import { linkPage } from './pages.ts'
import { hashToken, refuseOtherOrigins } from './requests.ts'
import type { FrameService } from './service.ts'

/** Maximum size of a form, in bytes. */
const maxFormBytes = 1_024

/**
 * `GET /device`: the page of the link that confirms a device. Only the form on
 * the page confirms, because mail scanners open links.
 */
export function getDevicePage(service: FrameService): Handler {
  return async (c) => {
    const token = await readToken(service, c, c.req.query('token'))
    if (token instanceof Response) return token
    const login = token && (await service.store.findLoginByLink(hashToken(token), now(service)))
    const language = readPageLanguage(c)
    const { t } = language
    if (!login) return goneDevicePage(language)
    if (login.confirmed_at !== null) return confirmedPage(language)
    return linkPage({
      language,
      title: t('device.title'),
      lead: t('device.lead', login.email),
      facts: [
        [t('device.device'), login.device_name],
        [t('device.site'), login.origin],
      ],
      form: {
        action: '/device',
        token,
        buttons: [
          ['confirm', t('device.confirm')],
          ['refuse', t('device.refuse')],
        ],
      },
    })
  }
}

/** `POST /device` */
export function postDevicePage(service: FrameService): Handler {
  return async (c) => {
    const form = await readForm(service, c)
    if (form instanceof Response) return form
    const linkHash = hashToken(form.token)
    const language = readPageLanguage(c)
    const { t } = language
    if (form.answer === 'refuse') {
      await service.store.refuseLogin(linkHash)
      return linkPage({
        language,
        title: t('device.refused'),
        lead: t('device.refusedLead'),
      })
    }
    const isConfirmed =
      form.answer === 'confirm' && (await service.store.confirmLogin(linkHash, now(service)))
    return isConfirmed ? confirmedPage(language) : goneDevicePage(language)
  }
}

/** `GET /email/undo`: the page of the link that undoes an email change. */
export function getUndoPage(service: FrameService): Handler {
  return async (c) => {
    const token = await readToken(service, c, c.req.query('token'))
    if (token instanceof Response) return token
    const undo = token && (await service.store.findUndo(hashToken(token), now(service)))
    const language = readPageLanguage(c)
    const { t } = language
    if (!undo) return gonePage(language, t('undo.gone'))
    return linkPage({
      language,
      title: t('undo.title'),
      lead: t('undo.lead', undo.old_email),
      facts: [[t('undo.new'), undo.new_email]],
      form: { action: '/email/undo', token, buttons: [['undo', t('undo.undo')]] },
    })
  }
}

/** `POST /email/undo` */
export function postUndoPage(service: FrameService): Handler {
  const { store } = service
  return async (c) => {
    const form = await readForm(service, c)
    if (form instanceof Response) return form
    const undo = await store.undoChange(hashToken(form.token), now(service))
    const language = readPageLanguage(c)
    const { t } = language
    if (!undo) return gonePage(language, t('undo.gone'))
    return linkPage({
      language,
      title: t('undo.done'),
      lead: t('undo.doneLead', undo.old_email),
    })
  }
}

/** Shows a page that can be reloaded, not an error as JSON, while the database is unavailable. */
export function asPage(create: (service: FrameService) => Handler) {
  return (service: FrameService): Handler => {
    const handle = create(service)
    return async (c) => {
      try {
        return await handle(c)
      } catch (error) {
        if (!(error instanceof StorageUnavailableError)) throw error
        service.context.log.error({ err: error }, 'the database is unavailable')
        const language = readPageLanguage(c)
        const { t } = language
        const title = t('link.unavailable')
        return linkPage({ language, title, lead: t('link.unavailableLead') }, 503)
      }
    }
  }
}

const now = ({ context }: FrameService) => context.now()

/** Cost of a page of a mailed link in tokens of the rate limits: it reads and writes the database. */
const pageCost = 5

/** The token of a mailed link; `undefined` if it is malformed; a page if the address sends too many requests. */
export async function readToken(
  { context }: FrameService,
  c: HttpContext,
  token: string | undefined,
): Promise<string | undefined | Response> {
  const seconds = secondsUntilRoom(context, 'address', addressOf(context, c), pageCost)
  if (seconds !== undefined) {
    const language = readPageLanguage(c)
    const { t } = language
    const lead = t('link.busyLead', String(seconds))
    return linkPage({ language, title: t('link.busy'), lead }, 429, {
      'retry-after': String(seconds),
    })
  }
  return token !== undefined && /^[\w-]{43}$/.test(token) ? token : undefined
}

/** The token and the answer of a form on the page of a mailed link. */
export async function readForm(
  service: FrameService,
  c: HttpContext,
): Promise<{ token: string; answer: string | null } | Response> {
  refuseOtherOrigins(service, c)
  const bytes = await readBytes(c, maxFormBytes)
  if (!bytes) return refuse(413, { field: 'body', description: 'the form is too large' })
  const form = new URLSearchParams(Buffer.from(bytes).toString())
  const token = await readToken(service, c, form.get('token') ?? undefined)
  if (token instanceof Response) return token
  if (token !== undefined) return { token, answer: form.get('answer') }
  const language = readPageLanguage(c)
  return gonePage(language, language.t('link.incomplete'))
}

const confirmedPage = async (language: PageLanguage) =>
  linkPage({
    language,
    title: language.t('device.confirmed'),
    lead: language.t('device.confirmedLead'),
  })

const goneDevicePage = async (language: PageLanguage) =>
  gonePage(language, language.t('device.gone'))

export const gonePage = async (language: PageLanguage, lead: string) =>
  linkPage({ language, title: language.t('link.gone'), lead }, 410)
