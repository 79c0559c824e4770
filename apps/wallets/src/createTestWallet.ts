import { createDemoWallet, type DemoWallet } from './createDemoWallet.ts'

/**
 * A demo wallet for automated tests. Approves every request immediately, unless a fault or another
 * `approval` is set. Runs in Node and in browsers.
 */
export function createTestWallet(options: createDemoWallet.Options): DemoWallet {
  return createDemoWallet({ ...options, approval: options.approval ?? 'auto' })
}
