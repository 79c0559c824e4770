import type { KeyValueStore } from './KeyValueStore.ts'

/** The official client's own database: what it stored is found without being copied. */
const databaseName = 'WALLET_CONNECT_V2_INDEXED_DB'
const objectStoreName = 'keyvaluestorage'

type Change = {
  key: string
  /** Undefined removes it. */
  value: string | undefined
  resolve: () => void
  reject: (cause: unknown) => void
}

/**
 * Keeps values in the page's IndexedDB, under the names @walletconnect/keyvaluestorage 1.1.1 uses.
 * The database is opened on first use. What is changed in one turn, or while a transaction runs, shares
 * the next one: they run one after the other and take milliseconds each. Every method rejects with what
 * the browser says.
 *
 * @see spec §7.15.1
 */
export function createIndexedDbStore(indexedDB: IDBFactory): KeyValueStore {
  let opening: Promise<IDBDatabase> | undefined
  let changes: Change[] = []
  let writing: Promise<void> | undefined

  function open() {
    opening ??= new Promise<IDBDatabase>((resolve, reject) => {
      const request = indexedDB.open(databaseName)
      request.addEventListener('upgradeneeded', () =>
        request.result.createObjectStore(objectStoreName),
      )
      request.addEventListener('error', () => reject(request.error ?? new Error('open')))
      request.addEventListener('success', () => {
        const database = request.result
        // Safari closes connections now and then; another tab may delete the database.
        database.addEventListener('close', forget)
        database.addEventListener('versionchange', () => {
          database.close()
          forget()
        })
        resolve(database)
      })
    })
    opening.catch(forget)
    return opening
  }

  function forget() {
    opening = undefined
  }

  async function use<result>(
    mode: IDBTransactionMode,
    act: (objects: IDBObjectStore) => IDBRequest<result>,
  ): Promise<result> {
    const database = await open()
    const transaction = begin(database, mode)
    const request = act(transaction.objectStore(objectStoreName))
    // Commits without a round trip to this thread for the request's own event first.
    if (mode === 'readwrite') transaction.commit()
    return new Promise((resolve, reject) => {
      // A quota is told by the end of the transaction, not by the request.
      transaction.addEventListener('complete', () => resolve(request.result))
      transaction.addEventListener('abort', () => {
        // A full disk aborts writes; what cannot even be read is opened anew.
        if (mode === 'readonly') forget()
        reject(transaction.error ?? request.error ?? new Error('abort'))
      })
    })
  }

  function begin(database: IDBDatabase, mode: IDBTransactionMode) {
    try {
      return database.transaction(objectStoreName, mode)
    } catch (error) {
      // It was closed, and nobody said so.
      forget()
      throw error
    }
  }

  function change(key: string, value?: string) {
    return new Promise<void>((resolve, reject) => {
      changes.push({ key: toStoredKey(key), value, resolve, reject })
      writing ??= write()
    })
  }

  async function write() {
    // What else this turn changes comes along.
    await Promise.resolve()
    while (changes.length > 0) {
      const taken = changes
      changes = []
      try {
        await apply(taken)
        for (const { resolve } of taken) resolve()
      } catch {
        // One that has no room takes the others with it, unless each is alone.
        await Promise.all(taken.map((one) => apply([one]).then(one.resolve, one.reject)))
      }
    }
    writing = undefined
  }

  async function apply(taken: Change[]) {
    await use('readwrite', (objects) => {
      const [first] = taken.map(({ key, value }) =>
        value === undefined ? objects.delete(key) : objects.put(value, key),
      )
      return first as IDBRequest<unknown>
    })
  }

  return {
    async getItem(key) {
      const storedKey = toStoredKey(key)
      // A transaction that has begun comes first by itself.
      if (changes.some((each) => each.key === storedKey)) await writing
      const value: unknown = await use('readonly', (objects) => objects.get(storedKey))
      if (value === undefined || value === null) return undefined
      return typeof value === 'string' ? value : JSON.stringify(value)
    },
    setItem: (key, value) => change(key, value),
    removeItem: (key) => change(key),
    async getKeys() {
      await writing
      const keys = await use('readonly', (objects) => objects.getAllKeys())
      return keys.filter((key) => typeof key === 'string')
    },
  }
}

/** `wc@2:core:0.3//keychain` stands in the database as `wc@2:core:0.3:keychain`. */
function toStoredKey(key: string) {
  return key.replaceAll(/[/\\:]+/g, ':').replaceAll(/^:|:$/g, '')
}
