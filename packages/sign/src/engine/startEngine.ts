import { createKeychain } from '../crypto/createKeychain.ts'
import { createRelayer } from '../relayer/createRelayer.ts'
import type { Clock, SignClientOptions } from '../SignClient.ts'
import { openStore } from '../storage/openStore.ts'
import { storageKeys } from '../storage/storageKeys.ts'
import type { Tell } from '../tabs/TabCoordinator.ts'
import { createVerify } from '../verify/createVerify.ts'
import { createEngine } from './createEngine.ts'
import type { Engine, EngineEvent } from './Engine.ts'
import { openStores } from './state/stores.ts'

/** Opens what an engine works with: the store, the keys, the way to the relay, the verify service. */
export async function startEngine(
  options: SignClientOptions & { clock: Clock },
  tell: Tell<EngineEvent>,
): Promise<Engine> {
  const { relayUrl, projectId, storagePrefix, verifyUrl, clock } = options
  const onDamaged = (key: string) =>
    tell.event({ type: 'event', name: 'storage_damaged', event: { key } })
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
    tell.event({ type: 'event', name: 'relay', event: status }),
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
    tell,
  })
  return {
    ...engine,
    async close() {
      stopStatus()
      verify?.close()
      // What was shown just now is noted as known: the next one does not take it for new.
      await new Promise((resolve) => setTimeout(resolve))
      // In one go: no message may be taken for handled by an engine that is closed.
      await Promise.all([engine.close(), relay.close()])
    },
  }
}

function withOrigin(metadata: SignClientOptions['metadata']) {
  if (metadata.url || typeof location === 'undefined') return metadata
  return { ...metadata, url: location.origin }
}
