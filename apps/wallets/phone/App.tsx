import { useEffect } from 'react'
import type { OpenWallet } from './openWallet.ts'
import { PhoneProvider, useVoice } from './PhoneProvider.tsx'
import { Trouble } from './parts/Trouble.tsx'
import { Voice } from './parts/Voice.tsx'
import { Faults } from './screens/Faults.tsx'
import { Home } from './screens/Home.tsx'
import { Scan } from './screens/Scan.tsx'
import { SessionScreen } from './screens/SessionScreen.tsx'
import { Question } from './sheets/Question.tsx'
import { takeLink } from './takeLink.ts'
import { usePhone } from './usePhone.ts'
import { useRoute } from './useRoute.ts'
import { explain } from './words.ts'

/** The wallet as a person sees it: a screen, and over it what an app asks. */
export function App({ phone }: { phone: OpenWallet }) {
  return (
    <PhoneProvider phone={phone}>
      <Screen />
    </PhoneProvider>
  )
}

function Screen() {
  const phone = usePhone()
  const route = useRoute()
  const { say } = useVoice()
  useEffect(() => {
    const link = takeLink()
    if (link) phone.pair(link).catch((error: unknown) => say(explain(error), true))
  }, [phone, say])
  const question = phone.wallet.controls.pending.find(({ hung }) => !hung)
  return (
    <>
      <div className="screen" data-screen={route.screen}>
        {route.screen === 'home' && <Home />}
        {route.screen === 'scan' && <Scan />}
        {route.screen === 'faults' && <Faults />}
        {route.screen === 'session' && <SessionScreen key={route.start} start={route.start} />}
      </div>
      <div className="foot-of-screen">
        <Trouble />
        <Voice />
      </div>
      {question && <Question key={question.id} request={question} />}
    </>
  )
}
