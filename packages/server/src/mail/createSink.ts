import type { Mail } from './Mail.ts'

export type KeptMail = Mail & {
  id: number
  /** Unix time in ms. */
  at: number
}

export type MailSink = ReturnType<typeof createSink>

const maxMails = 100

/** Creates the local mail sink: keeps the last mails in memory instead of sending them. */
export function createSink(now: () => number) {
  let mails: KeptMail[] = []
  let lastId = 0
  return {
    add(mail: Mail) {
      lastId += 1
      mails = [{ ...mail, id: lastId, at: now() }, ...mails].slice(0, maxMails)
    },
    /** The last mails, newest first. */
    list: (): readonly KeptMail[] => mails,
  }
}
