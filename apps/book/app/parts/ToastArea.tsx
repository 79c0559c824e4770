import { createContext, useCallback, useContext, useEffect, useRef, useState } from 'react'
import type { ReactNode } from 'react'
import { Icon, type IconName } from './Icon.tsx'

/** How long a toast is visible, in ms. The timer restarts when the pointer leaves the toast. */
const visibleMs = 5000
/** Duration of the exit animation, in ms; the same as in the stylesheet. */
const exitMs = 125
/** Maximum number of visible toasts. */
const maxToasts = 3

type Toast = { id: number; text: string; icon: IconName }
type Show = (text: string, icon?: IconName) => void

const ToastContext = createContext<Show>(() => {})

/** Returns a function that shows a toast. */
export function useToast(): Show {
  return useContext(ToastContext)
}

/** The page with its toasts, which are amber and have no progress bar (spec §2.2.1). */
export function ToastArea({ children }: { children: ReactNode }) {
  const [toasts, setToasts] = useState<Toast[]>([])
  const next = useRef(0)
  const show = useCallback<Show>((text, icon = 'info') => {
    const id = next.current++
    setToasts((shown) => [...shown, { id, text, icon }].slice(-maxToasts))
  }, [])
  const remove = useCallback((id: number) => {
    setToasts((shown) => shown.filter((toast) => toast.id !== id))
  }, [])
  return (
    <ToastContext value={show}>
      {children}
      {/* Always mounted: screen readers ignore live regions that are inserted with their text. */}
      <div className="toasts" role="status">
        {toasts.map((toast) => (
          <ToastItem key={toast.id} toast={toast} remove={remove} />
        ))}
      </div>
    </ToastContext>
  )
}

function ToastItem({ toast, remove }: { toast: Toast; remove: (id: number) => void }) {
  const [hovered, setHovered] = useState(false)
  const [exiting, setExiting] = useState(false)
  useEffect(() => {
    if (hovered) return
    const timer = setTimeout(() => setExiting(true), visibleMs)
    return () => clearTimeout(timer)
  }, [hovered])
  useEffect(() => {
    if (!exiting) return
    const timer = setTimeout(() => remove(toast.id), exitMs)
    return () => clearTimeout(timer)
  }, [exiting, remove, toast.id])
  return (
    <div
      className="toast"
      data-exiting={exiting || undefined}
      onPointerEnter={() => setHovered(true)}
      onPointerLeave={() => setHovered(false)}
    >
      <Icon name={toast.icon} />
      {toast.text}
    </div>
  )
}
