import { addressOf, limit, type HttpContext } from '../http/access.ts'
import { readBytes } from '../http/input.ts'
import type { Handler } from '../http/Role.ts'
import { refuse } from './answers.ts'
import { linkPage } from './pages.ts'
import { hashToken, refuseOtherOrigins } from './requests.ts'
import type { FrameService } from './service.ts'

/** Maximum size of a form, in bytes. */
const maxFormBytes = 1_024

/**
 * `GET /device`: the page of the link that confirms a device. Only its form confirms, because programs that scan mails
 * open the links in them.
 */
export function getDevicePage(service: FrameService): Handler {
  return async (c) => {
    const token = readToken(service, c, c.req.query('token'))
    if (token instanceof Response) return token
    const login = token && (await service.store.findLoginByLink(hashToken(token), now(service)))
    if (!login) return goneDevicePage()
    if (login.confirmed_at !== null) return confirmedPage()
    return linkPage({
      title: 'Is this you?',
      lead: `Somebody wants to log in as ${login.email}.`,
      facts: [
        ['Device', login.device_name],
        ['Site', login.origin],
      ],
      form: {
        action: '/device',
        token,
        buttons: [
          ['confirm', 'Yes, it’s me'],
          ['refuse', 'No, refuse'],
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
    if (form.answer === 'refuse') {
      await service.store.refuseLogin(linkHash)
      return linkPage({
        title: 'Refused',
        lead: 'Nobody was logged in. You can close this page.',
      })
    }
    const isConfirmed =
      form.answer === 'confirm' && (await service.store.confirmLogin(linkHash, now(service)))
    return isConfirmed ? confirmedPage() : goneDevicePage()
  }
}

/** `GET /email/undo`: the page of the link that undoes an e-mail change. */
export function getUndoPage(service: FrameService): Handler {
  return async (c) => {
    const token = readToken(service, c, c.req.query('token'))
    if (token instanceof Response) return token
    const undo = token && (await service.store.findUndo(hashToken(token), now(service)))
    if (!undo) return gonePage('The change was undone already, or 24 hours have passed.')
    return linkPage({
      title: 'Undo the change?',
      lead: `The wallet gets the address ${undo.old_email} back. All devices are signed out.`,
      facts: [['New address', undo.new_email]],
      form: { action: '/email/undo', token, buttons: [['undo', 'Undo the change']] },
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
    if (!undo) return gonePage('The change was undone already, or 24 hours have passed.')
    // The change was made with a session.
    await store.startEpoch(undo.user_id)
    await store.addAudit({
      user_id: undo.user_id,
      at: now(service),
      event: 'email_change_undone',
      device_name: null,
      origin: undo.origin,
    })
    return linkPage({
      title: 'Change undone',
      lead: `The wallet has the address ${undo.old_email} again. Log in with it.`,
    })
  }
}

const now = ({ context }: FrameService) => context.now()

function readToken({ context }: FrameService, c: HttpContext, token: string | undefined) {
  const limited = limit(context, 'address', addressOf(context, c), 5)
  if (limited) return limited
  return token !== undefined && /^[\w-]{43}$/.test(token) ? token : undefined
}

async function readForm(
  service: FrameService,
  c: HttpContext,
): Promise<{ token: string; answer: string | null } | Response> {
  refuseOtherOrigins(service, c)
  const bytes = await readBytes(c, maxFormBytes)
  if (!bytes) return refuse(413, { field: 'body', description: 'the form is too large' })
  const form = new URLSearchParams(Buffer.from(bytes).toString())
  const token = readToken(service, c, form.get('token') ?? undefined)
  if (token instanceof Response) return token
  return token === undefined
    ? gonePage('The link is not complete.')
    : { token, answer: form.get('answer') }
}

const confirmedPage = async () =>
  linkPage({
    title: 'Confirmed',
    lead: 'Go back to the page where you log in. We have mailed you a code.',
  })

const goneDevicePage = async () =>
  gonePage('The device was refused already, or the link has expired. Log in again.')

const gonePage = async (lead: string) => linkPage({ title: 'This link has expired', lead }, 410)
