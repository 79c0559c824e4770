import { useState } from 'preact/hooks'

/** The work of the buttons of a card or a section. */
export type Work = {
  /** The name of the work that runs. */
  busy: string | undefined
  /** The text of the last error. */
  problem: string | undefined
  setProblem: (text: string | undefined) => void
  /** Runs work, unless some runs already, and keeps the text of its error. */
  run: (name: string, work: () => Promise<unknown>) => Promise<void>
}

/** Runs work of buttons, one at a time. */
export function useWork(): Work {
  const [busy, setBusy] = useState<string>()
  const [problem, setProblem] = useState<string>()
  async function run(name: string, work: () => Promise<unknown>) {
    if (busy !== undefined) return
    setBusy(name)
    setProblem(undefined)
    try {
      await work()
    } catch (error) {
      setProblem(toText(error))
    }
    setBusy(undefined)
  }
  return { busy, problem, setProblem, run }
}

function toText(error: unknown): string {
  const { shortMessage, message } = error as { shortMessage?: unknown; message?: unknown }
  if (typeof shortMessage === 'string') return shortMessage
  return typeof message === 'string' && message !== ''
    ? message
    : 'Something went wrong. Try again.'
}
