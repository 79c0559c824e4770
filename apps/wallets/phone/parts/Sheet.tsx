import { type ReactNode, useEffect, useRef } from 'react'

/**
 * A bottom sheet that stays open until it is answered. A native modal dialog, which traps focus, makes
 * the rest inert and restores focus.
 *
 * @param props.name - accessible name
 */
export function Sheet({ name, children }: { name: string; children: ReactNode }) {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const { current } = dialog
    current?.showModal()
    // Focuses the dialog itself: with the first button focused, Enter would answer by accident.
    current?.focus()
    return () => current?.close()
  }, [])
  return (
    <dialog
      ref={dialog}
      className="sheet"
      tabIndex={-1}
      aria-label={name}
      // A request stays visible until it is answered.
      onCancel={(event) => event.preventDefault()}
      // Browsers close the dialog on a second Escape, even if `cancel` is prevented.
      onClose={() => dialog.current?.showModal()}
    >
      {children}
    </dialog>
  )
}
