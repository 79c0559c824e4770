/** @jsxImportSource preact */
import type { Work } from './useWork.ts'

/** A button that runs work. While any work of the same card runs, it is disabled. */
export function WorkButton(props: {
  work: Work
  name: string
  text: string
  /** Shown while this work runs. */
  busyText?: string
  /** The accessible name, if the text is not clear enough. */
  label?: string
  isAccent?: boolean
  isDisabled?: boolean
  onWork: () => Promise<unknown>
}) {
  const { work, name, text, busyText = text, label, isAccent = false, isDisabled = false } = props
  return (
    <button
      type="button"
      class={isAccent ? 'accent' : ''}
      aria-label={label}
      disabled={work.busy !== undefined || isDisabled}
      onClick={() => void work.run(name, props.onWork)}
    >
      {work.busy === name ? busyText : text}
    </button>
  )
}
