import { hexToBytes } from 'viem'
import type { Faults, Trigger } from './Faults.ts'
import { findForeignSignIn, ForeignSignInError } from './foreignSignIn.ts'
import { type ProviderRpcError, rpcError } from './ProviderRpcError.ts'
import type { RequestingApp, RequestDetails } from './RequestDetails.ts'

/** A request that is waiting for approval by a person or a test. */
export type PendingRequest = {
  readonly id: number
  readonly method: string
  readonly params: readonly unknown[]
  readonly origin: string
  /** The app that sent the request over the relay; undefined for the page that the wallet runs in. */
  readonly app: RequestingApp | undefined
  readonly details: RequestDetails | undefined
  /** Unix time in ms. */
  readonly at: number
  /** Whether the `hang` fault holds the request; the wallet's window does not show it. */
  readonly hung: boolean
  approve(): void
  /** Rejects with the error; 4001 (user rejected) by default. */
  reject(error?: ProviderRpcError): void
}

/**
 * How requests are approved: `'window'` keeps each in `controls.pending` until it is approved or
 * rejected there, `'auto'` approves it immediately, and a function decides for each request.
 */
export type Approval = 'window' | 'auto' | ((request: PendingRequest) => Promise<boolean> | boolean)

export type IncomingRequest = {
  method: string
  params: readonly unknown[]
  origin: string
  app?: RequestingApp | undefined
  /** Cancels the request with the signal's reason. */
  signal?: AbortSignal | undefined
}

/** The queue of pending requests. Applies the `fail`, `reject` and `hang` faults. */
export function createApprovals(options: {
  approval: Approval
  faults: Faults
  onChange: () => void
}) {
  const { approval, faults, onChange } = options
  const pending: PendingRequest[] = []
  let lastId = 0

  const wait = (incoming: IncomingRequest, details: RequestDetails | undefined, hung: boolean) =>
    new Promise<void>((resolve, reject) => {
      const { signal } = incoming
      signal?.throwIfAborted()
      const cancel = () => settle(() => reject(signal?.reason))
      const settle = (run: () => void) => {
        const index = pending.indexOf(request)
        if (index === -1) return
        signal?.removeEventListener('abort', cancel)
        pending.splice(index, 1)
        run()
        onChange()
      }
      lastId += 1
      const request: PendingRequest = {
        method: incoming.method,
        params: incoming.params,
        origin: incoming.origin,
        app: incoming.app,
        id: lastId,
        details,
        at: Date.now(),
        hung,
        approve: () => settle(resolve),
        reject: (error = rpcError('userRejected', 'User rejected the request.')) =>
          settle(() => reject(error)),
      }
      pending.push(request)
      signal?.addEventListener('abort', cancel)
      onChange()
      if (hung || approval === 'window') return
      if (approval === 'auto') return request.approve()
      Promise.resolve(approval(request)).then(
        (yes) => (yes ? request.approve() : request.reject()),
        () => request.reject(rpcError('internal', 'The approval function threw.')),
      )
    })

  /** Whether a fault applies to a prompt; resets `'next'`. `applyMethodFaults` handles lists. */
  const isTriggered = (name: 'reject' | 'hang' | 'fail') => {
    const trigger = faults[name]
    if (trigger === 'next') faults[name] = 'off'
    return trigger === 'next' || trigger === 'all'
  }
  const applyFaults = async (
    incoming: IncomingRequest,
    details: RequestDetails | undefined,
    applies: (name: 'reject' | 'hang' | 'fail') => boolean,
  ) => {
    if (applies('fail')) throw rpcError('internal', 'Internal wallet error.')
    if (applies('reject')) throw rpcError('userRejected', 'User rejected the request.')
    if (applies('hang')) {
      await wait(incoming, details, true)
      return true
    }
    return false
  }

  return {
    pending,
    /** Applies faults that list the request's method. */
    async applyMethodFaults(incoming: IncomingRequest): Promise<void> {
      await applyFaults(incoming, undefined, (name) => lists(faults[name], incoming.method))
    },
    /** Resolves once the request is approved. @throws the error to return to the page */
    async requestApproval(incoming: IncomingRequest, details: RequestDetails): Promise<void> {
      assertOwnSignIn(incoming, details)
      const answeredLate = await applyFaults(incoming, details, isTriggered)
      if (!answeredLate) await wait(incoming, details, false)
    },
    /** Rejects all pending requests. */
    close(error: ProviderRpcError) {
      while (pending[0]) pending[0].reject(error)
    },
  }
}

/**
 * Blocks a sign-in message for another site, unless it comes from a remote app without an attestation.
 * @throws 4100
 */
function assertOwnSignIn({ app, origin }: IncomingRequest, details: RequestDetails) {
  const attested = app ? app.attestedOrigin : origin
  if (details.kind !== 'message' || attested === undefined) return
  const text = new TextDecoder().decode(hexToBytes(details.message))
  const foreign = findForeignSignIn(text, attested)
  if (foreign === undefined) return
  throw rpcError('unauthorized', new ForeignSignInError(attested, foreign).shortMessage)
}

function lists(trigger: Trigger, method: string): boolean {
  return typeof trigger === 'object' && trigger.includes(method)
}
