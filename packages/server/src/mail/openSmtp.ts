import { createTransport } from 'nodemailer'
import type { Mail } from './Mail.ts'

export type Smtp = ReturnType<typeof openSmtp>

const timeoutMs = 15_000

/**
 * Opens a pool of connections to an SMTP server.
 *
 * @param options.url - such as `smtps://user:password@mail.example:465`.
 * @param options.from - the sender, such as `Harbor <no-reply@harbor.example>`.
 */
export function openSmtp(options: { url: string; from: string; connections: number }) {
  const transport = createTransport({
    url: options.url,
    pool: true,
    maxConnections: options.connections,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return {
    async send({ to, language, ...mail }: Mail) {
      await transport.sendMail({
        ...mail,
        from: options.from,
        // An object, because text could be read as several addresses.
        to: { address: to, name: '' },
        // RFC 3834, RFC 3282
        headers: { 'auto-submitted': 'auto-generated', 'content-language': language },
      })
    },
    close: () => transport.close(),
  }
}
