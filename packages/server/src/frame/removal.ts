import type { Handler } from '../http/Role.ts'
import { formatTime } from '../mail/formatTime.ts'
import { removeDevice } from './account.ts'
import { gonePage, readForm, readToken } from './links.ts'
import { linkPage } from './pages.ts'
import { readPageLanguage, type PageLanguage } from './pageTexts/readPageLanguage.ts'
import { hashToken } from './requests.ts'
import type { FrameService } from './service.ts'

/**
 * `GET /device/remove`: the page of the link in the notice of a new device. Only the form on the page removes the
 * device, because mail scanners open links.
 */
export function getRemovalPage(service: FrameService): Handler {
  const { context, store } = service
  return async (c) => {
    const token = await readToken(service, c, c.req.query('token'))
    if (token instanceof Response) return token
    const hash = hashToken(token ?? '')
    const removal = token && (await store.findRemoval(hash, context.now()))
    const language = readPageLanguage(c)
    const { t } = language
    if (!removal) return outcomePage(service, language, hash)
    return linkPage({
      language,
      title: t('remove.title'),
      lead: t('remove.lead', removal.email ?? ''),
      facts: [
        [t('device.device'), removal.device_name],
        [t('device.site'), removal.origin],
        [t('remove.login'), formatTime(removal.created_at, language.tag)],
      ],
      form: { action: '/device/remove', token, buttons: [['remove', t('remove.remove')]] },
    })
  }
}

/** `POST /device/remove` */
export function postRemovalPage(service: FrameService): Handler {
  const { context, store } = service
  return async (c) => {
    const form = await readForm(service, c)
    if (form instanceof Response) return form
    const language = readPageLanguage(c)
    const hash = hashToken(form.token)
    const now = context.now()
    const removal = await store.findRemoval(hash, now)
    const user = removal && (await store.findUser(removal.user_id))
    if (user) {
      const { device_id: deviceId, device_name: deviceName, origin } = removal
      const outcome = await removeDevice(service, {
        deviceId,
        user,
        session: removal,
        language: language.tag,
        linkHash: hash,
      })
      // Only this device can restore the wallet, so its shares are kept. It needs a login to use them.
      if (outcome === 'last_set')
        await store.signOutDevice({
          userId: user.id,
          deviceId,
          deviceName,
          at: now,
          origin,
          linkHash: hash,
        })
    }
    return outcomePage(service, language, hash)
  }
}

/** What the link has done, also if it was used before: the response may have been lost. */
async function outcomePage(
  { context, store }: FrameService,
  language: PageLanguage,
  hash: string,
): Promise<Response> {
  const { t } = language
  switch (await store.findRemovalOutcome(hash, context.now())) {
    case 'removed':
      return linkPage({ language, title: t('remove.done'), lead: t('remove.doneLead') })
    case 'signed_out':
      return linkPage({ language, title: t('remove.signedOut'), lead: t('remove.signedOutLead') })
    case undefined:
      return gonePage(language, t('remove.gone'))
  }
}
