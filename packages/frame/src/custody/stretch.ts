import { argon2id } from 'hash-wasm'

/** The password, salt and cost of Argon2id. */
export type Stretching = {
  password: string
  salt: Uint8Array
  memoryKib: number
  passes: number
  lanes: number
}

/** Argon2id of a password, 32 bytes. It blocks its thread for most of a second. @see RFC 9106 */
export async function stretch({
  password,
  salt,
  memoryKib,
  passes,
  lanes,
}: Stretching): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = await argon2id({
    password: password.normalize('NFKC'),
    salt,
    memorySize: memoryKib,
    iterations: passes,
    parallelism: lanes,
    hashLength: 32,
    outputType: 'binary',
  })
  return new Uint8Array(bytes)
}
