import { openStore } from '../../../packages/sign/src/storage/openStore.ts'
import { createTabCoordinator } from '../../../packages/sign/src/tabs/createTabCoordinator.ts'
import type { EngineListener } from '../../../packages/sign/src/tabs/TabCoordinator.ts'

/** Storage and tabs in a real page. Tests call them through `window`. */
const failures: string[] = []
const store = openStore({ onFailure: (key, cause) => failures.push(`${key}: ${String(cause)}`) })

/** An engine that adds numbers to a stored sum. The sum outlives the leader tab. */
async function start(listener: EngineListener<string>) {
  const key = 'wc@2:client:0.3//sum'
  const stored = await store
  let snapshot = { sum: Number((await stored.getItem(key)) ?? 0) }
  return {
    async run(add: number) {
      snapshot = { sum: snapshot.sum + add }
      await stored.setItem(key, String(snapshot.sum))
      listener.onEvent(`now ${snapshot.sum}`)
      return snapshot.sum
    },
    snapshot: () => snapshot,
    async close() {},
  }
}

function openTab() {
  const received: string[] = []
  const host = createTabCoordinator<number, number | string, string, { sum: number }>({
    name: 'page',
    initial: { sum: -1 },
    start,
    isRepeatable: () => false,
    toFailure: (reason) => reason,
  })
  host.onEvent((event) => received.push(event))
  return { host, received }
}

const testApi = {
  store,
  failures,
  openTab,
  tab: undefined as ReturnType<typeof openTab> | undefined,
}

declare global {
  interface Window {
    testApi: typeof testApi
  }
}

window.testApi = testApi
