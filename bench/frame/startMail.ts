import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { SMTPServer } from 'smtp-server'

export type MailServer = {
  /** For `GATEFOLD_SMTP_URL`. */
  url: string
  /** Waits for the next code that is mailed to an address. */
  nextCode(email: string): Promise<string>
  stop(): Promise<void>
}

/** Starts an SMTP server that reads the codes in the mails. */
export async function startMail(): Promise<MailServer> {
  const waiting = new Map<string, (code: string) => void>()
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, session, done) {
      void text(stream).then((mail) => {
        const code = /^\d{6}\r?$/m.exec(mail)?.[0].trim()
        const email = session.envelope.rcptTo[0]?.address ?? ''
        if (code !== undefined) waiting.get(email)?.(code)
        done()
      }, done)
    },
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.server.address() as AddressInfo
  return {
    url: `smtp://127.0.0.1:${port}`,
    async nextCode(email) {
      const code = await new Promise<string>((resolve) => waiting.set(email, resolve))
      waiting.delete(email)
      return code
    },
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  }
}
