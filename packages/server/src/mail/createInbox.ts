import { html } from 'hono/html'
import type { HttpContext } from '../http/access.ts'
import { commonHeaders, createAnswers } from '../http/answers.ts'
import { createPreflight } from '../http/cors.ts'
import { isLocal } from '../http/monitor.ts'
import type { Handler, Role } from '../http/Role.ts'
import type { KeptMail, MailSink } from './createSink.ts'

const answers = createAnswers({ ...commonHeaders, 'cross-origin-resource-policy': 'same-origin' })

const pageHeaders = {
  ...answers.headers,
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
}

/**
 * The pages of the local mail sink, for people and tests. Only programs on this machine can read them, because the mails
 * contain codes.
 *
 * @see docs/threats.md#local-mail-sink
 */
export function createInbox(sink: MailSink): Role {
  const local =
    (handler: Handler): Handler =>
    (c: HttpContext) =>
      isLocal(c)
        ? handler(c)
        : answers.refuse(403, { field: 'host', description: 'only this machine may read mails' })
  return {
    routes: {
      '/dev/mail': {
        GET: local(
          async () => new Response(await inboxPage(sink.list()), { headers: pageHeaders }),
        ),
      },
      '/dev/mail.json': { GET: local(() => answers.json({ mails: sink.list() })) },
    },
    answers,
    preflight: createPreflight({ headers: answers.headers, methods: '' }),
    close() {},
  }
}

async function inboxPage(mails: readonly KeptMail[]) {
  return html`<!doctype html>
    <html lang="en">
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width" />
      <meta http-equiv="refresh" content="5" />
      <title>Local mail</title>
      <style>
        body {
          max-width: 40rem;
          margin: 2rem auto;
          padding: 0 1rem;
          font:
            1rem/1.5 system-ui,
            sans-serif;
          color-scheme: light dark;
        }
        article {
          margin: 1.5rem 0;
          border: 1px solid #8886;
          border-radius: 0.5rem;
          padding: 1rem;
        }
        h2 {
          margin: 0;
          font-size: 1rem;
        }
        p {
          margin: 0.25rem 0;
          opacity: 0.75;
        }
        iframe {
          width: 100%;
          height: 26rem;
          border: 0;
          border-radius: 0.25rem;
          background: #fff;
        }
      </style>
      <h1>Local mail</h1>
      <p>The last 100 mails of this server. It has no SMTP server, so it sent none of them.</p>
      ${mails.length === 0 ? html`<p>There are no mails yet.</p>` : ''}
      ${mails.map(
        (mail) =>
          html`<article>
            <h2>${mail.subject}</h2>
            <p>To ${mail.to}, ${new Date(mail.at).toISOString()}</p>
            <iframe
              title="${mail.subject}"
              sandbox="allow-popups allow-popups-to-escape-sandbox"
              srcdoc="${mail.html}"
            ></iframe>
          </article>`,
      )}
    </html>`
}
