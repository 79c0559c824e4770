import type { KeyValueStore } from '../KeyValueStore.ts'

/** The official client's own database: what it stored is found without being copied. */
const databaseName = 'WALLET_CONNECT_V2_INDEXED_DB'
const objectStoreName = 'keyvaluestorage'

/**
 * Keeps values in the page's IndexedDB, under the names @walletconnect/keyvaluestorage 1.1.1 uses.
 * The database is opened on first use. Every method rejects with what the browser says.
 *
 * @see spec §7.15.1
 */
export function createIndexedDbStore(indexedDB: IDBFactory): KeyValueStore {
  let opening: Promise<IDBDatabase> | undefined

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
    const transaction = (await open()).transaction(objectStoreName, mode)
    const request = act(transaction.objectStore(objectStoreName))
    return new Promise((resolve, reject) => {
      // A quota is told by the end of the transaction, not by the request.
      transaction.addEventListener('complete', () => resolve(request.result))
      transaction.addEventListener('abort', () =>
        reject(transaction.error ?? request.error ?? new Error('abort')),
      )
    })
  }

  return {
    async getItem(key) {
      const value: unknown = await use('readonly', (objects) => objects.get(toStoredKey(key)))
      if (value === undefined || value === null) return undefined
      return typeof value === 'string' ? value : JSON.stringify(value)
    },
    async setItem(key, value) {
      await use('readwrite', (objects) => objects.put(value, toStoredKey(key)))
    },
    async removeItem(key) {
      await use('readwrite', (objects) => objects.delete(toStoredKey(key)))
    },
    async getKeys() {
      const keys = await use('readonly', (objects) => objects.getAllKeys())
      return keys.filter((key) => typeof key === 'string')
    },
  }
}

/** `wc@2:core:0.3//keychain` stands in the database as `wc@2:core:0.3:keychain`. */
function toStoredKey(key: string) {
  return key.replaceAll(/[/\\:]+/g, ':').replaceAll(/^:|:$/g, '')
}
