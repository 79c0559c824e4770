import { type ReactNode, useEffect, useRef } from 'react'

/**
 * What comes up from below and waits for an answer. The platform's own dialog: it holds the focus,
 * makes the rest inert and gives the focus back.
 *
 * @param props.name - for screen readers
 */
export function Sheet({ name, children }: { name: string; children: ReactNode }) {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const { current } = dialog
    current?.showModal()
    // Its name is read first; whatever comes first in it would be as good as pressed by Enter.
    current?.focus()
    return () => current?.close()
  }, [])
  return (
    <dialog
      ref={dialog}
      className="sheet"
      tabIndex={-1}
      aria-label={name}
      // A question stays in sight until it is answered.
      onCancel={(event) => event.preventDefault()}
      // Asked twice in a row, browsers close it all the same.
      onClose={() => dialog.current?.showModal()}
    >
      {children}
    </dialog>
  )
}
