import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { useRouteLoaderData } from 'react-router'
import { Icon } from '../parts/Icon.tsx'
import { Opening } from '../parts/Opening.tsx'
import { PillButton } from '../parts/Pill.tsx'
import type { loader } from '../root.tsx'
import { AccountPill } from '../wallet/AccountPill.tsx'
import { NetworkPill } from '../wallet/NetworkPill.tsx'
import { WalletProvider } from '../wallet/WalletProvider.tsx'
import { useWallet } from '../wallet/wallet.ts'

const SignSlip = lazy(() => import('../desk/SignSlip.tsx').then((m) => ({ default: m.SignSlip })))
const SendSlip = lazy(() => import('../desk/SendSlip.tsx').then((m) => ({ default: m.SendSlip })))

export default function CoverRoute() {
  const config = useRouteLoaderData<typeof loader>('root')
  if (!config) return null // the root's error screen stands in its place
  return (
    <WalletProvider config={config}>
      <Cover />
    </WalletProvider>
  )
}

type Job = 'sign' | 'send'

/** The book's cover: its title, and one thing to do; once connected, the desk. */
function Cover() {
  const wallet = useWallet()
  const [job, setJob] = useState<Job>()
  const [last, setLast] = useState<Job>()
  const close = () => setJob(undefined)

  function start(job: Job) {
    setJob(job)
    setLast(job)
  }

  const title = (
    <Opening heading="Book of Ethereum" line="Journey through the Ethereum saga">
      {wallet.account ? (
        <>
          <div className="row">
            <AccountPill account={wallet.account} onOpen={() => wallet.open('Account')} />
            <NetworkPill name={wallet.network?.name} onOpen={() => wallet.open('Networks')} />
          </div>
          <Jobs start={start} focus={last} />
        </>
      ) : (
        <PillButton data-testid="connect" onClick={() => wallet.open('Connect')}>
          {wallet.status === 'connecting' ? 'Connecting…' : 'Connect Wallet'}
        </PillButton>
      )}
    </Opening>
  )
  if (!job || !wallet.account) return title
  return (
    <Suspense fallback={title}>
      {job === 'sign' ? <SignSlip onClose={close} /> : <SendSlip onClose={close} />}
    </Suspense>
  )
}

/** What a connected wallet can do here. Focus comes back to where it left from. */
function Jobs({ start, focus }: { start: (job: Job) => void; focus: Job | undefined }) {
  const group = useRef<HTMLDivElement>(null)
  useEffect(() => {
    group.current?.querySelector<HTMLElement>(`[data-job='${focus}']`)?.focus()
  }, [focus])
  return (
    <div className="jobs" ref={group}>
      <button type="button" className="quiet" data-job="sign" onClick={() => start('sign')}>
        <Icon name="pen" />
        Sign a message
      </button>
      <button type="button" className="quiet" data-job="send" onClick={() => start('send')}>
        <Icon name="send" />
        Send a transaction
      </button>
    </div>
  )
}
