import { createContext, useCallback, useContext, useEffect, useRef, useState } from 'react'
import type { ReactNode } from 'react'
import { Icon, type IconName } from './Icon.tsx'

/** How long a toast stays, in ms; longer while the pointer or the keyboard is on it. */
const stayMs = 5000
/** How long its leaving is drawn, in ms; as in the stylesheet. */
const leaveMs = 125
/** The newest of these many are shown. */
const most = 3

type Toast = { id: number; text: string; icon: IconName }
type Show = (text: string, icon?: IconName) => void

const ToastContext = createContext<Show>(() => {})

/** Shows a short notice in the page's toast area. */
export function useToast(): Show {
  return useContext(ToastContext)
}

/** The amber toast area of the page, without progress bars (§2.2.1). */
export function ToastArea({ children }: { children: ReactNode }) {
  const [toasts, setToasts] = useState<Toast[]>([])
  const next = useRef(0)
  const show = useCallback<Show>((text, icon = 'info') => {
    const id = next.current++
    setToasts((shown) => [...shown, { id, text, icon }].slice(-most))
  }, [])
  const drop = useCallback((id: number) => {
    setToasts((shown) => shown.filter((toast) => toast.id !== id))
  }, [])
  return (
    <ToastContext value={show}>
      {children}
      {/* There from the start: a live region that arrives with its words is not read out. */}
      <div className="toasts" role="status">
        {toasts.map((toast) => (
          <Notice key={toast.id} toast={toast} drop={drop} />
        ))}
      </div>
    </ToastContext>
  )
}

function Notice({ toast, drop }: { toast: Toast; drop: (id: number) => void }) {
  const [held, setHeld] = useState(false)
  const [leaving, setLeaving] = useState(false)
  useEffect(() => {
    if (held) return
    const timer = setTimeout(() => setLeaving(true), stayMs)
    return () => clearTimeout(timer)
  }, [held])
  useEffect(() => {
    if (!leaving) return
    const timer = setTimeout(() => drop(toast.id), leaveMs)
    return () => clearTimeout(timer)
  }, [leaving, drop, toast.id])
  return (
    <div
      className="toast"
      data-leaving={leaving || undefined}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
    >
      <Icon name={toast.icon} />
      {toast.text}
    </div>
  )
}
