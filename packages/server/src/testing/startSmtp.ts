import type { AddressInfo } from 'node:net'
import { simpleParser, type ParsedMail } from 'mailparser'
import { SMTPServer } from 'smtp-server'

/**
 * Starts an SMTP server that keeps what it receives.
 *
 * @param options.refuse - how many mails it refuses for now.
 * @param options.recipients - `none`: it knows no address.
 */
export async function startSmtp(options: { refuse?: number; recipients?: 'none' } = {}) {
  let toRefuse = options.refuse ?? 0
  const received: ParsedMail[] = []
  const recipients: string[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onRcptTo(address, _session, done) {
      if (options.recipients === 'none')
        done(Object.assign(new Error(`no ${address.address} here`), { responseCode: 550 }))
      else {
        recipients.push(address.address)
        done()
      }
    },
    onData(stream, _session, done) {
      void simpleParser(stream).then((mail) => {
        toRefuse -= 1
        if (toRefuse >= 0) return done(Object.assign(new Error('later'), { responseCode: 451 }))
        received.push(mail)
        return done()
      }, done)
    },
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.server.address() as AddressInfo
  return {
    received,
    recipients,
    url: `smtp://127.0.0.1:${port}`,
    stop: async () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}
