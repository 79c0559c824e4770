import { hkdfSync } from 'node:crypto'
import { limits } from '@gatefold/protocol'
import type { Context } from '../../context.ts'
import { runEvery } from '../../runEvery.ts'
import { deleteOrders, expireOrders } from '../../storage/onramp.ts'
import { readRelayKey } from '../../storage/relayWatches.ts'
import { stored } from '../../storage/stored.ts'
import type { MoneyContext } from '../context.ts'
import { createCoinbase } from './createCoinbase.ts'
import { createMeld } from './createMeld.ts'
import type { OnrampProvider } from './OnrampProvider.ts'
import { createSandbox, type Sandbox } from './sandbox/createSandbox.ts'
import type { OnrampSettings } from './settings.ts'

/** How often unpaid orders are marked as expired and old orders are deleted. */
const cleanEveryMs = 60_000

export type Onramp = {
  providers: ReadonlyMap<string, OnrampProvider>
  sandbox: Sandbox | undefined
  log: Context['log']
  /** A secret that all processes on one database share. */
  key: () => Promise<Buffer>
  /** Starts the payouts of the sandbox and the deletion of old orders. */
  start: () => void
  /** Waits for a payout in progress. */
  stop: () => Promise<void>
}

/** The money role's services, with the on-ramp. */
export type OnrampContext = MoneyContext & { onramp: Onramp }

/** Creates the providers that are configured. */
export function createOnramp(
  context: MoneyContext & Pick<Context, 'log'> & { config: { onramp: OnrampSettings } },
): Onramp {
  const { config, log, now, storage } = context
  const { coinbase, meld, sandbox: sandboxSettings } = config.onramp
  const sandbox = sandboxSettings && createSandbox(context, sandboxSettings)
  const providers = [
    sandbox?.provider,
    meld && createMeld(meld),
    coinbase && createCoinbase(coinbase, now),
  ].filter((provider) => provider !== undefined)
  let key: Promise<Buffer> | undefined
  let stopCleaning: (() => void) | undefined

  async function clean() {
    try {
      await expireOrders(storage.db, now())
      await deleteOrders(storage.db, now() - limits.onrampRetentionMs, now())
    } catch (error) {
      log.warn({ err: error }, 'deleting old on-ramp orders failed')
    }
  }

  return {
    providers: new Map(providers.map((provider) => [provider.id, provider])),
    sandbox,
    log,
    key: () =>
      (key ??= stored(readRelayKey(storage.db)).then(
        ({ privateKey }) => Buffer.from(hkdfSync('sha256', privateKey, '', 'gatefold on-ramp', 32)),
        (error: unknown) => {
          key = undefined
          throw error
        },
      )),
    start() {
      if (providers.length === 0) return
      sandbox?.start()
      stopCleaning = runEvery(cleanEveryMs, clean)
    },
    async stop() {
      stopCleaning?.()
      await sandbox?.stop()
    },
  }
}
