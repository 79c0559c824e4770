import { backupContext, type BackupFile } from '@gatefold/protocol/frame'
import { base64urlnopad } from '@scure/base'
import type { Stretch } from './createStretch.ts'
import { seal, toSealingKey } from './seal.ts'

const costs = { memoryKib: 65_536, passes: 3, lanes: 1 }

/** Encrypts a phrase under a password. @see docs/custody.md#backup */
export async function createBackup(options: {
  phrase: string
  password: string
  accounts: { eip155: string; solana: string }
  now: number
  stretch: Stretch
}): Promise<BackupFile> {
  const { phrase, password, accounts, now, stretch } = options
  const salt = crypto.getRandomValues(new Uint8Array(16))
  const secret = await stretch({ password, salt, ...costs })
  const key = await toSealingKey(secret)
  secret.fill(0)
  const file = {
    type: 'gatefold-backup' as const,
    version: 1 as const,
    ...accounts,
    createdAt: new Date(now).toISOString(),
    argon2id: { salt: base64urlnopad.encode(salt), ...costs },
    nonce: '',
  }
  const { nonce, data } = await seal(key, new TextEncoder().encode(phrase), backupContext(file))
  return { ...file, nonce: base64urlnopad.encode(nonce), data: base64urlnopad.encode(data) }
}
