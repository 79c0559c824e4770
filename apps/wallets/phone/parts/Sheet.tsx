import { type ReactNode, useEffect, useRef } from 'react'

/**
 * A bottom sheet that stays open until the user approves or rejects. It is a native modal dialog, which
 * traps focus, makes the rest of the page inert and restores focus.
 *
 * @param props.name - accessible name
 */
export function Sheet({ name, children }: { name: string; children: ReactNode }) {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const { current } = dialog
    current?.showModal()
    // Focuses the dialog itself: if the first button were focused, Enter could approve or reject by
    // accident.
    current?.focus()
    return () => current?.close()
  }, [])
  return (
    <dialog
      ref={dialog}
      className="sheet"
      tabIndex={-1}
      aria-label={name}
      // A request stays visible until the user approves or rejects it.
      onCancel={(event) => event.preventDefault()}
      // Browsers close the dialog on a second Escape, even if `cancel` is prevented.
      onClose={() => dialog.current?.showModal()}
    >
      {children}
    </dialog>
  )
}
