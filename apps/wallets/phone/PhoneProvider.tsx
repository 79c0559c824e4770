import { createContext, type ReactNode, use, useCallback, useMemo, useState } from 'react'
import type { OpenWallet } from './openWallet.ts'
import { PhoneContext } from './usePhone.ts'
import { explain } from './words.ts'

/** A line that says what just happened, or what went wrong. */
export type Said = { text: string; bad: boolean }

const VoiceContext = createContext<{
  said: Said | undefined
  say: (text: string | undefined, bad?: boolean) => void
}>({ said: undefined, say: () => undefined })

/** Gives the wallet and the wallet's voice to what is drawn below. */
export function PhoneProvider({ phone, children }: { phone: OpenWallet; children: ReactNode }) {
  const [said, setSaid] = useState<Said>()
  const say = useCallback(
    (text: string | undefined, bad = false) => setSaid(text ? { text, bad } : undefined),
    [],
  )
  const voice = useMemo(() => ({ said, say }), [said, say])
  return (
    <PhoneContext value={phone}>
      <VoiceContext value={voice}>{children}</VoiceContext>
    </PhoneContext>
  )
}

export const useVoice = () => use(VoiceContext)

/** Runs what may fail, and says so where it does. */
export function useAttempt() {
  const { say } = useVoice()
  const [busy, setBusy] = useState(false)
  const attempt = useCallback(
    async (run: () => Promise<unknown>, done?: string) => {
      setBusy(true)
      try {
        await run()
        if (done) say(done)
      } catch (error) {
        say(explain(error), true)
      } finally {
        setBusy(false)
      }
    },
    [say],
  )
  return { busy, attempt }
}
