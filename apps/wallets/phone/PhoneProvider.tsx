import { createContext, type ReactNode, use, useCallback, useMemo, useState } from 'react'
import type { OpenWallet } from './openWallet.ts'
import { explainError } from './texts.ts'
import { PhoneContext } from './usePhone.ts'

export type ToastMessage = { text: string; isError: boolean }

const ToastContext = createContext<{
  toast: ToastMessage | undefined
  showToast: (text: string | undefined, isError?: boolean) => void
  /** Removes the toast if it is an error. */
  clearError: () => void
}>({ toast: undefined, showToast: () => undefined, clearError: () => undefined })

/** Provides the wallet and its toast. */
export function PhoneProvider({ phone, children }: { phone: OpenWallet; children: ReactNode }) {
  const [toast, setToast] = useState<ToastMessage>()
  const showToast = useCallback(
    (text: string | undefined, isError = false) => setToast(text ? { text, isError } : undefined),
    [],
  )
  const clearError = useCallback(
    () => setToast((shown) => (shown?.isError ? undefined : shown)),
    [],
  )
  const value = useMemo(() => ({ toast, showToast, clearError }), [toast, showToast, clearError])
  return (
    <PhoneContext value={phone}>
      <ToastContext value={value}>{children}</ToastContext>
    </PhoneContext>
  )
}

export const useToast = () => use(ToastContext)

/** `runAction` runs an async action, then shows the toast `done`, or the action's error. */
export function useAsyncAction() {
  const { showToast } = useToast()
  const [busy, setBusy] = useState(false)
  const runAction = useCallback(
    async (run: () => Promise<unknown>, done?: string) => {
      setBusy(true)
      try {
        await run()
        if (done) showToast(done)
      } catch (error) {
        showToast(explainError(error), true)
      } finally {
        setBusy(false)
      }
    },
    [showToast],
  )
  return { busy, runAction }
}
