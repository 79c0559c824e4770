import type { KeyValueStore } from './KeyValueStore.ts'

/** The official clients' database, so that their data needs no migration. */
const databaseName = 'WALLET_CONNECT_V2_INDEXED_DB'
const objectStoreName = 'keyvaluestorage'

type Change = {
  key: string
  /** Undefined removes the key. */
  value: string | undefined
  resolve: () => void
  reject: (cause: unknown) => void
}

/**
 * Stores values in IndexedDB under the names of @walletconnect/keyvaluestorage 1.1.1. The database is
 * opened on first use. Transactions run sequentially and take milliseconds, so changes that are made in one
 * task, or while a transaction runs, share the next transaction. Methods reject with the browser's error.
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
        // Safari may close the connection; another tab may delete the database.
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
    return new Promise((resolve, reject) => {
      // Quota errors abort the transaction, not the request.
      transaction.addEventListener('complete', () => resolve(request.result))
      transaction.addEventListener('abort', () => {
        // A write may fail because the disk is full; after a failed read, the database is opened again.
        if (mode === 'readonly') forget()
        reject(transaction.error ?? request.error ?? new Error('abort'))
      })
    })
  }

  function begin(database: IDBDatabase, mode: IDBTransactionMode) {
    try {
      return database.transaction(objectStoreName, mode)
    } catch (error) {
      // The connection was closed without an event.
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
    // Waits for other changes in this task, to include them.
    await Promise.resolve()
    while (changes.length > 0) {
      const batch = changes
      changes = []
      try {
        await apply(batch)
        for (const { resolve } of batch) resolve()
      } catch {
        // A value above the quota fails the whole batch, so each change is
        // retried separately.
        await Promise.all(
          batch.map((change) => apply([change]).then(change.resolve, change.reject)),
        )
      }
    }
    writing = undefined
  }

  async function apply(batch: Change[]) {
    await use('readwrite', (objects) => {
      const [first] = batch.map(({ key, value }) =>
        value === undefined ? objects.delete(key) : objects.put(value, key),
      )
      return first as IDBRequest<unknown>
    })
  }

  return {
    async getItem(key) {
      const storedKey = toStoredKey(key)
      // Waits for changes that have no transaction yet; IndexedDB orders the transactions.
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

/** `wc@2:core:0.3//keychain` is stored as `wc@2:core:0.3:keychain`. */
function toStoredKey(key: string) {
  return key.replaceAll(/[/\\:]+/g, ':').replaceAll(/^:|:$/g, '')
}
