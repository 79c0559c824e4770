import { useState } from 'preact/hooks'
import { useLanguage } from '../strings/useText.ts'
import { toProblemText } from './toProblemText.ts'

/** The work of the buttons of a card or a section. */
export type Work = {
  /** The name of the work that runs. */
  busy: string | undefined
  /** The text of the last error. */
  problem: string | undefined
  setProblem: (text: string | undefined) => void
  /** Runs work unless other work is running, and keeps the text of its error. */
  run: (name: string, work: () => Promise<unknown>) => Promise<void>
}

/** Runs work of buttons, one at a time. */
export function useWork(): Work {
  const language = useLanguage()
  const [busy, setBusy] = useState<string>()
  const [problem, setProblem] = useState<string>()
  async function run(name: string, work: () => Promise<unknown>) {
    if (busy !== undefined) return
    setBusy(name)
    setProblem(undefined)
    try {
      await work()
    } catch (error) {
      setProblem(toProblemText(error, language))
    }
    setBusy(undefined)
  }
  return { busy, problem, setProblem, run }
}
