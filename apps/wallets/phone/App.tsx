import { useEffect } from 'react'
import type { OpenWallet } from './openWallet.ts'
import { PhoneProvider, useToast } from './PhoneProvider.tsx'
import { ErrorBanner } from './parts/ErrorBanner.tsx'
import { Toast } from './parts/Toast.tsx'
import { Faults } from './screens/Faults.tsx'
import { Home } from './screens/Home.tsx'
import { Scan } from './screens/Scan.tsx'
import { SessionScreen } from './screens/SessionScreen.tsx'
import { RequestSheet } from './sheets/RequestSheet.tsx'
import { consumePairingLink } from './consumePairingLink.ts'
import { usePhone } from './usePhone.ts'
import { useRoute } from './useRoute.ts'
import { explainError } from './texts.ts'

/** The current screen, with the first pending request in a sheet over it. */
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
  const { showToast, clearError } = useToast()
  useEffect(() => {
    const link = consumePairingLink()
    if (link) phone.pair(link).catch((error: unknown) => showToast(explainError(error), true))
  }, [phone, showToast])
  const request = phone.wallet.controls.pending.find(({ hung }) => !hung)
  // The error of an earlier step no longer applies on another screen or with a new request.
  const step = `${route.screen} ${request?.id ?? ''}`
  useEffect(() => clearError, [step, clearError])
  return (
    <>
      <div className="screen" data-screen={route.screen}>
        {route.screen === 'home' && <Home />}
        {route.screen === 'scan' && <Scan />}
        {route.screen === 'faults' && <Faults />}
        {route.screen === 'session' && <SessionScreen key={route.start} start={route.start} />}
      </div>
      <div className="screen-foot">
        <ErrorBanner />
        <Toast />
      </div>
      {request && <RequestSheet key={request.id} request={request} />}
    </>
  )
}
