import { parseArgs } from 'node:util'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { readConfig } from '../config.ts'
import { readSignerKey, removeName, replaceSignerKey } from '../storage/names.ts'
import { openStorage } from '../storage/openStorage.ts'
import type { Io } from './Io.ts'
import { helpOf } from './help.ts'
import { UsageError } from './UsageError.ts'

/**
 * `gatefold names signer|rotate|remove`: the registry of account names, and the key that signs answers about them.
 *
 * @throws {UsageError} for wrong arguments.
 */
export async function names(args: string[], io: Io): Promise<void> {
  const { values, positionals } = parseArgs({
    args,
    options: { help: { type: 'boolean', short: 'h' } },
    allowPositionals: true,
  })
  const [action, name, ...rest] = positionals
  if (values.help || action === undefined) {
    io.print(helpOf('names'))
    return
  }
  if (!['signer', 'rotate', 'remove'].includes(action))
    throw new UsageError(`Unknown action “names ${action}”; use signer, rotate or remove.`)
  const [unexpected] = action === 'remove' ? rest : positionals.slice(1)
  if (unexpected !== undefined) throw new UsageError(`Unexpected argument “${unexpected}”.`)
  if (action === 'remove' && name === undefined)
    throw new UsageError('Pass the name to remove: gatefold names remove mira.gatefold.alt')
  const storage = await openStorage(readConfig(io.env))
  const { db } = storage
  try {
    if (action === 'remove') {
      const isRemoved = await removeName(db, name!.toLowerCase())
      io.print(isRemoved ? `${name} is removed.` : `${name} is not registered.`)
      return
    }
    if (action === 'rotate') await replaceSignerKey(db, generatePrivateKey())
    io.print(privateKeyToAddress(await readSignerKey(db, generatePrivateKey)))
  } finally {
    await storage.close()
  }
}
