import { useEffect, useRef, useState } from 'react'

import { limits } from '@gatefold/protocol'

import { NameAccountChangedError } from '../../../core/names/errors.ts'
import { signName, submitName } from '../../../core/names/register.ts'
import type { SignedName } from '../../../core/names/register.ts'
import { showToast } from '../../../core/notifications/showToast.ts'
import { reset } from '../../../core/view/navigate.ts'
import { useInstance } from '../../../react/context.ts'
import { useKitAccount } from '../../../react/hooks.ts'
import { useRefreshNames } from '../../../react/nameCheck.ts'
import { setDraft } from './draft.ts'

/** A registration that the visitor has started, and why it failed. */
export type NameRun = { name: string; address: string } & (
  | { status: 'wallet'; isSilent: boolean }
  | { status: 'registering' }
  | {
      status: 'failed'
      error: unknown
      /** Set once the wallet has signed; can be sent again. */
      signed: SignedName | undefined
    }
)

/**
 * Registers a name, and follows the registration. It continues if the visitor
 * leaves the view; a toast then reports the result.
 *
 * @see spec §4.10
 */
export function useNameRun(texts: {
  done: (name: string) => string
  failed: (name: string) => string
}): {
  run: NameRun | undefined
  /** @param run.signed - sends the name again, without asking the wallet */
  start: (run: { label: string; name: string; signed?: SignedName | undefined }) => void
  cancel: () => void
} {
  const kit = useInstance()
  const refresh = useRefreshNames()
  const { address } = useKitAccount()
  const [run, setRun] = useState<NameRun>()
  const controller = useRef<AbortController>(undefined)
  const isMounted = useRef(false)
  useEffect(() => {
    isMounted.current = true
    return () => {
      isMounted.current = false
    }
  }, [])

  // The wallet may never respond to the other account's request.
  if (run?.status === 'wallet' && address && address !== run.address)
    setRun({ ...run, status: 'failed', error: new NameAccountChangedError(), signed: undefined })
  const isChanged = run?.status === 'failed' && run.error instanceof NameAccountChangedError
  useEffect(() => {
    if (isChanged) controller.current?.abort()
  }, [isChanged])

  async function follow(own: AbortController, parameters: Parameters<typeof start>[0]) {
    const { label, name } = parameters
    let { signed } = parameters
    const common = { name, address: signed?.address ?? address ?? '' }
    const { signal } = own
    let stopWaiting = () => {}
    try {
      if (!signed) {
        setRun({ ...common, status: 'wallet', isSilent: false })
        stopWaiting = kit.later(
          () =>
            setRun((now) =>
              now?.status === 'wallet' && !signal.aborted ? { ...now, isSilent: true } : now,
            ),
          limits.walletSilenceMs,
        )
        signed = await signName(kit, { label, signal })
      }
      setRun({ ...common, status: 'registering' })
      await submitName(kit, signed, signal)
      setDraft(kit, '')
      await refresh()
      // Without a history: the views before it are about a name that is not registered yet.
      if (isMounted.current) reset(kit, { name: 'RegisterAccountNameSuccess', data: { name } })
      else showToast(kit, 'success', texts.done(name))
    } catch (error) {
      // The visitor has canceled, or the account has changed.
      if (signal.aborted) return
      setRun({ ...common, status: 'failed', error, signed })
      if (!isMounted.current) showToast(kit, 'error', texts.failed(name))
      void refresh()
    } finally {
      stopWaiting()
    }
  }

  const start: ReturnType<typeof useNameRun>['start'] = (parameters) => {
    controller.current = new AbortController()
    void follow(controller.current, parameters)
  }
  return {
    run,
    start,
    cancel: () => {
      controller.current?.abort()
      setRun(undefined)
    },
  }
}
