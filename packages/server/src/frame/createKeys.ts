import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  hash,
  hkdfSync,
  randomBytes,
} from 'node:crypto'
import {
  closeSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { BaseError } from '@gatefold/protocol'

/**
 * The secret keys of the server, or of the escrow store. Each purpose has
 * separate keys, derived with HKDF.
 */
export type Keys = {
  /** Ids of the keys, the first one first. An id reveals nothing about its key. */
  ids: readonly string[]
  /** HMAC-SHA-256 under the first key, base64url. */
  mac(purpose: string, ...parts: readonly (string | number)[]): string
  /** HMAC-SHA-256 under each of the keys, base64url. */
  macs(purpose: string, ...parts: readonly (string | number)[]): string[]
  /** Encrypts with AES-256-GCM under the first key. @param bound - additional data. */
  seal(purpose: string, bound: readonly (string | number)[], secret: string): Sealed
  /**
   * Decrypts.
   *
   * @throws {KeyError} if there is no such key, the additional data differ, or
   *   the ciphertext was changed.
   */
  open(purpose: string, bound: readonly (string | number)[], sealed: Sealed): string
}

export type Sealed = { keyId: string; sealed: string }

type KeyOptions = {
  /** File with the keys. If `undefined`, a file in the data folder, which is created. */
  file: string | undefined
  dataDir: string
  /** Name of the file in the data folder. */
  name: string
}

const keyBytes = 32
const ivBytes = 12
const tagBytes = 16

/**
 * Reads keys from a file: one key per line, 32 bytes as base64url. The first
 * key encrypts, all keys decrypt. With the data folder `:memory:`, the key
 * exists only in memory.
 *
 * @throws {KeyError} if the file cannot be read or is not a list of keys.
 */
export function createKeys({ file, dataDir, name }: KeyOptions): Keys {
  const texts =
    file === undefined && dataDir === ':memory:'
      ? [newKey()]
      : readKeys(file ?? createKeyFile(dataDir, name))
  const roots = new Map(
    texts.map((text) => {
      const root = Buffer.from(text, 'base64url')
      return [hash('sha256', Buffer.concat([Buffer.from('id'), root]), 'hex').slice(0, 16), root]
    }),
  )
  const ids = [...roots.keys()]
  const derived = new Map<string, Buffer>()

  function keyOf(id: string, purpose: string): Buffer {
    const name = `${id} ${purpose}`
    const known = derived.get(name)
    if (known) return known
    const root = roots.get(id)
    if (!root)
      throw new KeyError(`The key ${id} is missing.`, 'Add it to the key file as another line.')
    const key = Buffer.from(hkdfSync('sha256', root, '', `gatefold ${purpose}`, keyBytes))
    derived.set(name, key)
    return key
  }

  const macUnder = (id: string, purpose: string, parts: readonly (string | number)[]) =>
    createHmac('sha256', keyOf(id, purpose)).update(JSON.stringify(parts)).digest('base64url')

  return {
    ids,
    mac: (purpose, ...parts) => macUnder(ids[0]!, purpose, parts),
    macs: (purpose, ...parts) => ids.map((id) => macUnder(id, purpose, parts)),
    seal(purpose, bound, secret) {
      const keyId = ids[0]!
      const iv = randomBytes(ivBytes)
      const cipher = createCipheriv('aes-256-gcm', keyOf(keyId, purpose), iv)
      cipher.setAAD(Buffer.from(JSON.stringify(bound)))
      const text = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()])
      const sealed = Buffer.concat([iv, text, cipher.getAuthTag()]).toString('base64url')
      return { keyId, sealed }
    },
    open(purpose, bound, { keyId, sealed }) {
      const bytes = Buffer.from(sealed, 'base64url')
      const key = keyOf(keyId, purpose)
      try {
        const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, ivBytes), {
          authTagLength: tagBytes,
        })
        decipher.setAAD(Buffer.from(JSON.stringify(bound)))
        decipher.setAuthTag(bytes.subarray(-tagBytes))
        const text = bytes.subarray(ivBytes, -tagBytes)
        return Buffer.concat([decipher.update(text), decipher.final()]).toString('utf8')
      } catch (error) {
        throw new KeyError('A stored share was changed, or belongs to something else.', '', error)
      }
    },
  }
}

const newKey = () => randomBytes(keyBytes).toString('base64url')

function readKeys(file: string): string[] {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    throw new KeyError(`The key file ${file} cannot be read.`, '', error)
  }
  const lines = text.split('\n').map((line) => line.trim())
  const keys = lines.filter((line) => line !== '')
  const isKey = (line: string) =>
    /^[\w-]+$/.test(line) && Buffer.from(line, 'base64url').length === keyBytes
  if (keys.length === 0 || !keys.every(isKey))
    throw new KeyError(
      `The key file ${file} is not a list of keys.`,
      'Each line must be a key of 32 bytes as base64url: openssl rand -base64 32 | tr +/ -_ | tr -d =',
    )
  return keys
}

/**
 * Creates a file with a key in the data folder, unless there is one. The file
 * is complete before it gets its name, so another process that starts at the
 * same time never reads a partial file. It is synced to disk, because data that
 * is encrypted under a lost key is lost.
 */
function createKeyFile(dataDir: string, name: string): string {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const file = join(dataDir, name)
  const draft = `${file}.${randomBytes(6).toString('hex')}`
  const descriptor = openSync(draft, 'wx', 0o600)
  try {
    writeSync(descriptor, `${newKey()}\n`)
    fsyncSync(descriptor)
    linkSync(draft, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    closeSync(descriptor)
    rmSync(draft)
  }
  return file
}

/** The keys cannot be used. The message never contains a key. */
export class KeyError extends BaseError {
  override name = 'KeyError'
  constructor(shortMessage: string, fix: string, cause?: unknown) {
    super(shortMessage, {
      code: 'frame.keys',
      metaMessages: fix ? [fix] : [],
      cause,
      docsPath: 'docs/operators.md',
    })
  }
}
