import * as v from 'valibot'

const Base64Url = v.pipe(v.string(), v.maxLength(1_000), v.regex(/^[\w-]+$/))

/**
 * The file of an encrypted backup: the BIP-39 phrase under a password (Argon2id and AES-256-GCM). It can be opened without
 * the server.
 *
 * @see docs/custody.md#backup
 */
export const BackupFile = v.object({
  type: v.literal('gatefold-backup'),
  version: v.literal(1),
  /** The wallet's addresses, to compare with those that the phrase yields. */
  eip155: v.pipe(v.string(), v.maxLength(100)),
  solana: v.pipe(v.string(), v.maxLength(100)),
  createdAt: v.pipe(v.string(), v.maxLength(40)),
  argon2id: v.object({
    /** 16 bytes. */
    salt: Base64Url,
    memoryKib: v.pipe(v.number(), v.integer(), v.minValue(65_536), v.maxValue(1_048_576)),
    passes: v.pipe(v.number(), v.integer(), v.minValue(3), v.maxValue(20)),
    lanes: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(4)),
  }),
  /** 12 bytes. */
  nonce: Base64Url,
  data: Base64Url,
})

export type BackupFile = v.InferOutput<typeof BackupFile>

/** The additional data of the encryption: everything in the file that is not encrypted. */
export function backupContext({ eip155, solana, createdAt }: Omit<BackupFile, 'data'>): string {
  return ['gatefold backup', eip155, solana, createdAt].join('\n')
}
