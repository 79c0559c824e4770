import type { Faults, Trigger } from './Faults.ts'
import { type ProviderRpcError, rpcError } from './ProviderRpcError.ts'
import type { AskingApp, Subject } from './Subject.ts'

/** A request that waits for a person, or for the test that stands in for one. */
export type PendingRequest = {
  readonly id: number
  readonly method: string
  readonly params: readonly unknown[]
  readonly origin: string
  /** What is known of an app that asks from elsewhere; undefined for the page the wallet runs in. */
  readonly app: AskingApp | undefined
  readonly subject: Subject | undefined
  /** Unix time in ms. */
  readonly at: number
  /** Held back by the `hang` fault: the wallet's window does not show it. */
  readonly hung: boolean
  approve(): void
  /** Answers the error; without one, 4001 as for a person who said no. */
  reject(error?: ProviderRpcError): void
}

/**
 * Who answers: `'window'` leaves each request in `controls.pending` until somebody approves or
 * rejects it, `'auto'` approves at once, a function decides.
 */
export type Approval = 'window' | 'auto' | ((request: PendingRequest) => Promise<boolean> | boolean)

export type Asked = {
  method: string
  params: readonly unknown[]
  origin: string
  app?: AskingApp | undefined
  /** Takes the question back, for its reason: it expired, or whoever asked has left. */
  signal?: AbortSignal | undefined
}

/** The queue of requests nobody has answered, with the faults that strike on the way in. */
export function createApprovals(options: {
  approval: Approval
  faults: Faults
  onChange: () => void
}) {
  const { approval, faults, onChange } = options
  const pending: PendingRequest[] = []
  let lastId = 0

  const wait = (asked: Asked, subject: Subject | undefined, hung: boolean) =>
    new Promise<void>((resolve, reject) => {
      const { signal } = asked
      signal?.throwIfAborted()
      const takeBack = () => settle(() => reject(signal?.reason))
      const settle = (run: () => void) => {
        const index = pending.indexOf(request)
        if (index === -1) return
        signal?.removeEventListener('abort', takeBack)
        pending.splice(index, 1)
        run()
        onChange()
      }
      lastId += 1
      const request: PendingRequest = {
        method: asked.method,
        params: asked.params,
        origin: asked.origin,
        app: asked.app,
        id: lastId,
        subject,
        at: Date.now(),
        hung,
        approve: () => settle(resolve),
        reject: (error = rpcError('userRejected', 'The request was rejected in the wallet.')) =>
          settle(() => reject(error)),
      }
      pending.push(request)
      signal?.addEventListener('abort', takeBack)
      onChange()
      if (hung || approval === 'window') return
      if (approval === 'auto') return request.approve()
      Promise.resolve(approval(request)).then(
        (yes) => (yes ? request.approve() : request.reject()),
        () => request.reject(rpcError('internal', 'The approval of the demo wallet threw.')),
      )
    })

  /** Uses up a `'next'`. A list strikes when its method arrives, so not here. */
  const strikes = (name: 'reject' | 'hang' | 'fail') => {
    const trigger = faults[name]
    if (trigger === 'next') faults[name] = 'off'
    return trigger === 'next' || trigger === 'all'
  }
  const meet = async (
    asked: Asked,
    subject: Subject | undefined,
    strikes: (name: 'reject' | 'hang' | 'fail') => boolean,
  ) => {
    if (strikes('fail')) throw rpcError('internal', 'The wallet broke.')
    if (strikes('reject')) throw rpcError('userRejected', 'The request was rejected in the wallet.')
    if (strikes('hang')) {
      await wait(asked, subject, true)
      return true
    }
    return false
  }

  return {
    pending,
    /** Lets the faults strike that name a method. Reads are struck as well. */
    async admit(asked: Asked): Promise<void> {
      await meet(asked, undefined, (name) => lists(faults[name], asked.method))
    },
    /** Asks a person. Resolves once approved; throws what the page is to hear otherwise. */
    async ask(asked: Asked, subject: Subject): Promise<void> {
      const answeredLate = await meet(asked, subject, strikes)
      if (!answeredLate) await wait(asked, subject, false)
    },
    /** Ends every wait, so that no promise of a destroyed wallet stays open. */
    close(error: ProviderRpcError) {
      while (pending[0]) pending[0].reject(error)
    },
  }
}

function lists(trigger: Trigger, method: string): boolean {
  return typeof trigger === 'object' && trigger.includes(method)
}
