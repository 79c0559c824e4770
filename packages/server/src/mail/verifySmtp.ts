import SMTPConnection from 'nodemailer/lib/smtp-connection/index.js'

/**
 * Connects and logs in to an SMTP server as the mailer does. Sends no mail.
 *
 * @returns whether the connection is encrypted.
 * @throws if the server refuses the connection, its certificate is invalid, or the login is wrong.
 */
export async function verifySmtp(
  url: string,
  { timeoutMs }: { timeoutMs: number },
): Promise<{ isEncrypted: boolean }> {
  const { hostname, port, protocol, username, password } = new URL(url)
  const secure = protocol === 'smtps:'
  const connection = new SMTPConnection({
    host: hostname.replace(/^\[|\]$/g, ''),
    port: Number(port) || (secure ? 465 : 587),
    secure,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
  })
  try {
    await new Promise<void>((resolve, reject) => {
      connection.once('error', reject)
      connection.connect((error) => (error ? reject(error) : resolve()))
    })
    if (username !== '')
      await new Promise<void>((resolve, reject) => {
        connection.once('error', reject)
        const [user, pass] = [username, password].map(decodeURIComponent) as [string, string]
        connection.login({ credentials: { user, pass } }, (error) =>
          error ? reject(error) : resolve(),
        )
      })
    return { isEncrypted: connection.secure }
  } finally {
    connection.close()
  }
}
