import { readFileSync } from 'node:fs'
import { text as readAll } from 'node:stream/consumers'
import { parseArgs } from 'node:util'
import { BackupFile, backupContext } from '@gatefold/protocol/frame'
import { argon2id } from '@noble/hashes/argon2'
import * as v from 'valibot'
import { mnemonicToAccount } from 'viem/accounts'
import type { Io } from './Io.ts'
import { helpOf } from './help.ts'
import { UsageError } from './UsageError.ts'

const options = { help: { type: 'boolean', short: 'h' } } as const

/**
 * `gatefold backup open FILE`: prints the secret phrase of an encrypted backup. The password is read from the standard
 * input. Needs no server, database or network.
 *
 * @throws {UsageError} if the file is not a backup, or the password is wrong.
 * @see docs/custody.md#backup
 */
export async function backup(args: string[], io: Io): Promise<void> {
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true })
  const [action, file, ...rest] = positionals
  if (values.help || action === undefined) {
    io.print(helpOf('backup'))
    return
  }
  if (action !== 'open') throw new UsageError(`Unknown action “backup ${action}”; use open.`)
  if (file === undefined || rest.length > 0)
    throw new UsageError('Name one file: gatefold backup open gatefold-backup.json')
  const found = readBackup(file)
  const phrase = await decrypt(found, await readPassword())
  const { address } = mnemonicToAccount(phrase)
  if (address !== found.eip155)
    throw new UsageError(`The phrase yields ${address} instead of ${found.eip155}.`)
  io.print(phrase)
}

function readBackup(file: string): BackupFile {
  let content: unknown
  try {
    content = JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    throw new UsageError(`${file} cannot be read: ${(error as Error).message}`)
  }
  const parsed = v.safeParse(BackupFile, content)
  if (!parsed.success) throw new UsageError(`${file} is not a backup of a wallet.`)
  return parsed.output
}

/** The first line of the standard input. */
async function readPassword(): Promise<string> {
  if (process.stdin.isTTY)
    process.stderr.write('Password of the backup, then Enter and Ctrl+D (it is visible): ')
  const password = (await readAll(process.stdin)).split(/\r?\n/)[0]!
  if (password === '')
    throw new UsageError('Write the password of the backup to the standard input.')
  return password
}

async function decrypt(file: BackupFile, password: string): Promise<string> {
  const { salt, memoryKib: m, passes: t, lanes: p } = file.argon2id
  const secret = argon2id(password.normalize('NFKC'), decode(salt), { m, t, p, dkLen: 32 })
  const key = await crypto.subtle.importKey('raw', new Uint8Array(secret), 'AES-GCM', false, [
    'decrypt',
  ])
  const parameters = {
    name: 'AES-GCM',
    iv: decode(file.nonce),
    additionalData: new TextEncoder().encode(backupContext(file)),
  }
  try {
    const bytes = await crypto.subtle.decrypt(parameters, key, decode(file.data))
    return new TextDecoder().decode(bytes)
  } catch {
    throw new UsageError('The password is wrong, or the file was changed.')
  }
}

const decode = (text: string) => new Uint8Array(Buffer.from(text, 'base64url'))
