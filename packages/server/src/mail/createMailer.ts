import { setTimeout as wait } from 'node:timers/promises'
import type { Config } from '../config.ts'
import type { Log } from '../log.ts'
import { createSink, type MailSink } from './createSink.ts'
import type { Mail } from './Mail.ts'
import type { Smtp } from './openSmtp.ts'

export type Mailer = {
  /** Whether mails can be sent. */
  isAvailable: boolean
  /** The local mail sink, which keeps mails instead of sending them. */
  sink: MailSink | undefined
  /** Sends a mail later, so that the response to a request does not depend on it. */
  send(mail: Mail): void
  /** Waits up to `graceMs` until all mails are sent. */
  close(graceMs: number): Promise<void>
}

type MailConfig = Pick<Config, 'smtpUrl' | 'mailFrom' | 'host' | 'frameUrl' | 'trustedProxies'>

/** How many mails are sent at the same time. */
const connections = 4
/** Maximum number of mails that wait. */
const maxWaiting = 1_000
/** Pauses before a mail is sent again. */
const pausesMs = [2_000, 10_000]

/**
 * Creates the queue of mails, which are sent over SMTP. Without an SMTP URL, a server that only this machine can reach
 * keeps them in a local sink, and other servers send none.
 */
export function createMailer(
  config: MailConfig,
  { log, now }: { log: Log; now: () => number },
): Mailer {
  const { smtpUrl, mailFrom } = config
  const sink = !smtpUrl && isLocalStack(config) ? createSink(now) : undefined
  const smtp = smtpUrl && mailFrom ? createSmtp(smtpUrl, mailFrom) : undefined
  const waiting: Mail[] = []
  const running = new Set<Promise<void>>()
  const closing = new AbortController()

  /** Sends a mail, and again if that fails. A closing server does not pause. */
  async function deliver(mail: Mail) {
    for (let attempt = 0; ; attempt += 1) {
      try {
        await smtp!.send(mail)
        return
      } catch (error) {
        const { code, responseCode } = error as { code?: string; responseCode?: number }
        const pauseMs = closing.signal.aborted ? undefined : pausesMs[attempt]
        // The message of the error may contain the address.
        log.error({ code, responseCode, isLast: pauseMs === undefined }, 'a mail was not sent')
        if (pauseMs === undefined) return
        await wait(pauseMs, undefined, { signal: closing.signal }).catch(() => {})
      }
    }
  }

  function next() {
    while (running.size < connections && waiting.length > 0) {
      const job = deliver(waiting.shift()!).finally(() => {
        running.delete(job)
        next()
      })
      running.add(job)
    }
  }

  return {
    isAvailable: Boolean(sink ?? smtp),
    sink,
    send(mail) {
      if (sink) sink.add(mail)
      else if (!smtp) log.error('a mail was not sent, because GATEFOLD_SMTP_URL is not set')
      else if (waiting.length >= maxWaiting) log.error('a mail was not sent: too many are waiting')
      else {
        waiting.push(mail)
        setImmediate(next)
      }
    },
    async close(graceMs) {
      closing.abort()
      const late = wait(graceMs, undefined, { ref: false })
      next()
      while (running.size > 0) {
        const outcome = await Promise.race([Promise.all(running), late.then(() => 'late')])
        if (outcome === 'late') break
      }
      if (waiting.length + running.size > 0)
        log.error({ mails: waiting.length + running.size }, 'mails were not sent before the stop')
      await smtp?.close()
    },
  }
}

/**
 * Loads the SMTP client on the first mail, so that it does not slow down the
 * server's start.
 */
function createSmtp(url: string, from: string) {
  let opened: Promise<Smtp> | undefined
  const open = async () =>
    (opened ??= import('./openSmtp.ts').then(({ openSmtp }) =>
      openSmtp({ url, from, connections }),
    ))
  return {
    send: async (mail: Mail) => (await open()).send(mail),
    close: async () => (await opened)?.close(),
  }
}

/**
 * Whether only this machine can reach the server. A proxy on this machine may
 * be reachable from elsewhere, so a server that is configured for proxies is
 * not local.
 */
function isLocalStack({ host, frameUrl, trustedProxies }: MailConfig): boolean {
  const isLoopback = (name: string) => ['localhost', '127.0.0.1', '::1', '[::1]'].includes(name)
  return (
    isLoopback(host) &&
    trustedProxies === 0 &&
    (frameUrl === undefined || isLoopback(new URL(frameUrl).hostname))
  )
}
