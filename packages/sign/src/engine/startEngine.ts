import { createKeychain } from '../crypto/createKeychain.ts'
import { createRelayer } from '../relayer/createRelayer.ts'
import type { Clock, SignClientOptions } from '../SignClient.ts'
import { openStore } from '../storage/openStore.ts'
import { storageKeys } from '../storage/storageKeys.ts'
import type { EngineListener } from '../tabs/TabCoordinator.ts'
import { createVerify } from '../verify/createVerify.ts'
import { createEngine } from './createEngine.ts'
import type { Engine, EngineEvent } from './Engine.ts'
import { openStores } from './state/stores.ts'

/** Opens storage, keychain, relayer and verify client, and starts an engine with them. */
export async function startEngine(
  options: SignClientOptions & { clock: Clock },
  listener: EngineListener<EngineEvent>,
): Promise<Engine> {
  const { relayUrl, projectId, storagePrefix, verifyUrl, clock } = options
  const onDamaged = (key: string) =>
    listener.onEvent({ type: 'event', name: 'storage_damaged', event: { key } })
  const store = await openStore({ storage: options.storage, onFailure: onDamaged })
  const [keys, stores] = await Promise.all([
    createKeychain({ store, key: storageKeys(storagePrefix).core('keychain'), onDamaged }),
    openStores({ store, prefix: storagePrefix, onDamaged }),
  ])
  const relay = await createRelayer({
    relayUrl,
    projectId,
    keychain: keys,
    store,
    storagePrefix,
    onDamaged,
    clock,
    WebSocket: options.WebSocket,
  })
  const stopStatus = relay.onStatus((status) =>
    listener.onEvent({ type: 'event', name: 'relay', event: status }),
  )
  const verify = verifyUrl
    ? createVerify({ verifyUrl, projectId, storage: store, clock })
    : undefined
  const engine = await createEngine({
    metadata: withOrigin(options.metadata),
    relay,
    keys,
    stores,
    verify,
    clock,
    disableRequestQueue: options.disableRequestQueue ?? false,
    openLink: options.openLink,
    ethCall: options.ethCall,
    listener,
  })
  return {
    ...engine,
    async close() {
      stopStatus()
      verify?.close()
      // Lets the handlers of messages that were just delivered store their records, so that the next engine
      // recognizes duplicates.
      await new Promise((resolve) => setTimeout(resolve))
      // Both are closed synchronously: a closed engine must not mark messages as handled.
      await Promise.all([engine.close(), relay.close()])
    },
  }
}

function withOrigin(metadata: SignClientOptions['metadata']) {
  if (metadata.url || typeof location === 'undefined') return metadata
  return { ...metadata, url: location.origin }
}
