import { sponsor } from '../packages/server/src/cli/sponsor.ts'

/**
 * Lets the default project of a local server pay for operations, unless it
 * already has a policy.
 *
 * @param env - the server's environment.
 */
export async function sponsorOperations(env: Record<string, string | undefined>): Promise<void> {
  const printed: string[] = []
  const io = { env, print: (text: string) => void printed.push(text) }
  await sponsor(['show', 'default', '--json'], io)
  const { policy } = JSON.parse(printed[0]!) as { policy: unknown }
  const limits = ['--user-day', '0.1', '--day', '100', '--total', '1000']
  if (policy === null) await sponsor(['set', 'default', '--contract', 'any', ...limits], io)
}
