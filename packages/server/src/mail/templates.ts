import { limits } from '@gatefold/protocol'
import { html } from 'hono/html'
import type { HtmlEscapedString } from 'hono/utils/html'
import type { Mail } from './Mail.ts'

/** The site that a mail is about. */
export type MailSite = {
  /** Name of the project. */
  brand: string
  /** Origin of the page. */
  origin: string
}

/** What a code is for. */
export const codeActions = {
  login: 'log in',
  'email-primary': 'change your e-mail address',
  'email-secondary': 'confirm your new e-mail address',
  export: 'export your wallet',
} as const

export type CodeAction = keyof typeof codeActions

type Mailing = MailSite & { to: string }

/** A one-time code. The subject does not contain it, because screens show subjects while they are locked. */
export function codeMail({
  action,
  code,
  ...mailing
}: Mailing & { action: CodeAction; code: string }) {
  const verb = codeActions[action]
  return toMail(mailing, {
    subject: `Your code to ${verb}`,
    lead: `Enter this code at ${mailing.origin} to ${verb}:`,
    code,
    lines: [
      `This code is valid for ${minutes(limits.codeSeconds)}.`,
      `Enter it only at ${mailing.origin}, and give it to nobody. If you did not request it, ignore this mail.`,
    ],
  })
}

/** The link that confirms a new device. */
export function deviceLinkMail({
  device,
  link,
  ...mailing
}: Mailing & { device: string; link: string }) {
  return toMail(mailing, {
    subject: 'Is this you?',
    lead: `Somebody wants to log in at ${mailing.origin} on a device that is new to us: ${device}.`,
    link: { label: 'Check the device', url: link },
    lines: [
      `This link is valid for ${minutes(limits.deviceLinkSeconds)}.`,
      'If this is not you, ignore this mail: nobody can log in without the link.',
    ],
  })
}

/** A notice of a login on a new device. */
export function newDeviceMail({
  device,
  at,
  ...mailing
}: Mailing & { device: string; at: number }) {
  return toMail(mailing, {
    subject: 'New device',
    lead: `You logged in at ${mailing.origin} on a new device: ${device}, ${formatTime(at)}.`,
    lines: [
      'If this was not you, log in, remove the device, and sign out everywhere. Then secure your e-mail account.',
    ],
  })
}

/** A notice that an account at a social provider can log in from now on. */
export function linkedMail({
  provider,
  at,
  ...mailing
}: Mailing & { provider: string; at: number }) {
  return toMail(mailing, {
    subject: `Login with ${provider}`,
    lead: `You logged in at ${mailing.origin} with ${provider}, ${formatTime(at)}. Your ${provider} account with this address opens your wallet from now on.`,
    lines: [
      `If this was not you, secure your ${provider} account and your e-mail account, and move everything you own to another wallet.`,
    ],
  })
}

/** A notice that the wallet was restored on another device. */
export function recoveryMail({ device, at, ...mailing }: Mailing & { device: string; at: number }) {
  return toMail(mailing, {
    subject: 'Your wallet was restored',
    lead: `Your wallet was restored at ${mailing.origin} on another device: ${device}, ${formatTime(at)}.`,
    lines: [
      'If this was not you, somebody else has your keys: move everything you own to another wallet now.',
    ],
  })
}

/** A notice that the recovery methods were changed. */
export function methodsMail({
  methods,
  at,
  ...mailing
}: Mailing & { methods: readonly string[]; at: number }) {
  return toMail(mailing, {
    subject: 'Your recovery methods were changed',
    lead: `The ways to restore your wallet were changed at ${mailing.origin}, ${formatTime(at)}. They are now: ${methods.join(', ') || 'none'}.`,
    lines: [
      'If this was not you, somebody else can use your wallet: move everything you own to another wallet now.',
    ],
  })
}

/** A notice that a device was removed from the account. */
export function deviceRemovedMail({
  device,
  at,
  ...mailing
}: Mailing & { device: string; at: number }) {
  return toMail(mailing, {
    subject: 'A device was removed',
    lead: `The device ${device} was removed from your wallet at ${mailing.origin}, ${formatTime(at)}. It can no longer sign.`,
    lines: ['If this was not you, log in, check your devices, and sign out everywhere.'],
  })
}

/** A notice that all devices were signed out. */
export function signedOutMail({ at, ...mailing }: Mailing & { at: number }) {
  return toMail(mailing, {
    subject: 'All devices were signed out',
    lead: `All devices of your wallet were signed out at ${mailing.origin}, ${formatTime(at)}.`,
    lines: ['If this was not you, log in and check your devices and recovery methods.'],
  })
}

/** A notice that the key left the secure frame. */
export function exportedMail({
  form,
  at,
  ...mailing
}: Mailing & { form: 'phrase' | 'backup'; at: number }) {
  const what =
    form === 'phrase'
      ? 'The secret phrase of your wallet was shown'
      : 'A backup of your wallet was saved'
  return toMail(mailing, {
    subject: form === 'phrase' ? 'Your secret phrase was shown' : 'A backup was saved',
    lead: `${what} at ${mailing.origin}, ${formatTime(at)}.`,
    lines: [
      'If this was not you, somebody else has your keys: move everything you own to another wallet now.',
    ],
  })
}

/** A notice to the old address, with the link that undoes the change. */
export function emailChangedMail({
  newEmail,
  link,
  ...mailing
}: Mailing & { newEmail: string; link: string }) {
  return toMail(mailing, {
    subject: 'Your e-mail address was changed',
    lead: `The e-mail address of your wallet was changed to ${newEmail} at ${mailing.origin}.`,
    link: { label: 'Undo the change', url: link },
    lines: [
      `If this was not you, undo the change within ${limits.emailUndoSeconds / 3600} hours. All devices are then signed out.`,
    ],
  })
}

type Content = {
  subject: string
  lead: string
  code?: string
  link?: { label: string; url: string }
  lines: string[]
}

function toMail({ brand, origin, to }: Mailing, content: Content): Mail {
  const { lead, code, link, lines } = content
  const text = [
    lead,
    ...(code ? [code] : []),
    ...(link ? [`${link.label}: ${link.url}`] : []),
    ...lines,
    `${brand}, ${origin}`,
  ].join('\n\n')
  const page = html`<!doctype html>
    <html lang="en">
      <meta charset="utf-8" />
      <body
        style="margin:0;padding:24px;background:#f4f3ef;color:#1c1b19;font:16px/1.5 system-ui,-apple-system,'Segoe UI',sans-serif"
      >
        <div
          style="max-width:30em;margin:0 auto;padding:24px;background:#fff;border:1px solid #dedbd2;border-radius:12px"
        >
          <p style="margin:0 0 16px;font-weight:600">${brand}</p>
          <p style="margin:0 0 16px">${lead}</p>
          ${code ? html`<p style="margin:0 0 16px;font:600 32px/1.2 ui-monospace,monospace;letter-spacing:.15em">${code}</p>` : ''}
          ${
            link
              ? html`<p style="margin:0 0 16px">
                    <a
                      href="${link.url}"
                      style="display:inline-block;padding:10px 16px;background:#1c1b19;color:#fff;border-radius:8px;text-decoration:none"
                      >${link.label}</a
                    >
                  </p>
                  <p style="margin:0 0 16px;font-size:13px;word-break:break-all">${link.url}</p>`
              : ''
          }
          ${lines.map((line) => html`<p style="margin:0 0 12px;font-size:14px;color:#55524b">${line}</p>`)}
          <p style="margin:16px 0 0;font-size:13px;color:#55524b">${brand}, ${origin}</p>
        </div>
      </body>
    </html>` as HtmlEscapedString
  return { to, subject: `${content.subject} – ${brand}`, text, html: page.toString() }
}

const minutes = (seconds: number) => `${seconds / 60} minutes`

/** A time in UTC, because the reader's time zone is not known. */
function formatTime(at: number) {
  return `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`
}
