import { createDemoWallet, type DemoWallet } from './createDemoWallet.ts'

/**
 * A demo wallet for automatic tests: it approves everything at once, unless a fault or another
 * `approval` says otherwise. Runs in Node as well as in a browser.
 */
export function createTestWallet(options: createDemoWallet.Options): DemoWallet {
  return createDemoWallet({ ...options, approval: options.approval ?? 'auto' })
}
