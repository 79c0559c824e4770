import { parseArgs } from 'node:util'
import { readConfig } from '../config.ts'
import { openStorage } from '../storage/openStorage.ts'
import { rotateKeys } from '../verify/createKeyring.ts'
import type { Io } from './Io.ts'
import { helpOf } from './help.ts'
import { UsageError } from './UsageError.ts'

/**
 * `gatefold verify rotate [--at-once]`: replaces the key that signs attestations.
 *
 * @throws {UsageError} for wrong arguments.
 */
export async function verify(args: string[], io: Io): Promise<void> {
  const { values, positionals } = parseArgs({
    args,
    options: { 'at-once': { type: 'boolean' }, help: { type: 'boolean', short: 'h' } },
    allowPositionals: true,
  })
  const [action, ...rest] = positionals
  if (values.help || action === undefined) {
    io.print(helpOf('verify'))
    return
  }
  if (action !== 'rotate' || rest.length > 0)
    throw new UsageError(`Unknown action “verify ${positionals.join(' ')}”; use rotate.`)
  const storage = await openStorage(readConfig(io.env))
  try {
    const atOnce = values['at-once'] ?? false
    const activeFrom = await rotateKeys(storage.db, Date.now(), { atOnce })
    io.print(
      `The new key signs from ${new Date(activeFrom).toISOString()}.${atOnce ? ' The old keys are deleted.' : ''}`,
    )
  } finally {
    await storage.close()
  }
}
