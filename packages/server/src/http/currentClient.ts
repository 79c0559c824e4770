import { AsyncLocalStorage } from 'node:async_hooks'

const clients = new AsyncLocalStorage<string>()

/** Runs the work of a request, so that {@link currentClient} returns the address of its client. */
export function runForClient<Result>(address: string, work: () => Result): Result {
  return clients.run(address, work)
}

/**
 * The address of the client whose request is being handled; empty for the
 * server's own work. Services key their slots by it, so that one client cannot
 * occupy them all. Work that several requests share belongs to the first one.
 */
export function currentClient(): string {
  return clients.getStore() ?? ''
}
