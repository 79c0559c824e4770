import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { useRouteLoaderData } from 'react-router'
import { Icon } from '../parts/Icon.tsx'
import { TitlePage } from '../parts/TitlePage.tsx'
import { PillButton } from '../parts/Pill.tsx'
import type { loader } from '../root.tsx'
import { AccountPill } from '../wallet/AccountPill.tsx'
import { NetworkPill } from '../wallet/NetworkPill.tsx'
import { WalletProvider } from '../wallet/WalletProvider.tsx'
import { useWallet } from '../wallet/wallet.ts'

const loadAtHand = () => import('../connected/AtHand.tsx')
const AtHand = lazy(loadAtHand)
const SignForm = lazy(() => import('../forms/SignForm.tsx').then((m) => ({ default: m.SignForm })))
const SendForm = lazy(() => import('../forms/SendForm.tsx').then((m) => ({ default: m.SendForm })))

export default function CoverRoute() {
  const config = useRouteLoaderData<typeof loader>('root')
  if (!config) return null // the root renders its error page
  return (
    <WalletProvider config={config}>
      <Cover />
    </WalletProvider>
  )
}

type Task = 'sign' | 'send'

/** The home page: the connect button, or the connected account with its tasks and forms. */
function Cover() {
  const wallet = useWallet()
  const [task, setTask] = useState<Task>()
  const [last, setLast] = useState<Task>()
  const close = () => setTask(undefined)

  function start(task: Task) {
    setTask(task)
    setLast(task)
  }

  function connect() {
    wallet.open('Connect')
    // Preloads the page of the connected account while the visitor connects. A
    // failure is reported when that page renders.
    loadAtHand().catch(() => {})
  }

  const title = (
    <TitlePage heading="Book of Ethereum" line="Journey through the Ethereum saga">
      {wallet.account ? (
        <>
          <div className="row">
            <AccountPill account={wallet.account} onOpen={() => wallet.open('Account')} />
            <NetworkPill name={wallet.network?.name} onOpen={() => wallet.open('Networks')} />
          </div>
          <Suspense fallback={<div className="at-hand-space" />}>
            <AtHand />
          </Suspense>
          <Tasks start={start} focus={last} />
        </>
      ) : (
        <PillButton data-testid="connect" onClick={connect}>
          {wallet.status === 'connecting' ? 'Connecting…' : 'Connect Wallet'}
        </PillButton>
      )}
    </TitlePage>
  )
  if (!task || !wallet.account) return title
  return (
    <Suspense fallback={title}>
      {task === 'sign' ? <SignForm onClose={close} /> : <SendForm onClose={close} />}
    </Suspense>
  )
}

/** The tasks of a connected account. When a form is closed, moves the focus back to the button that opened it. */
function Tasks({ start, focus }: { start: (task: Task) => void; focus: Task | undefined }) {
  const group = useRef<HTMLDivElement>(null)
  useEffect(() => {
    group.current?.querySelector<HTMLElement>(`[data-task='${focus}']`)?.focus()
  }, [focus])
  return (
    <div className="tasks" ref={group}>
      <button type="button" className="text-button" data-task="sign" onClick={() => start('sign')}>
        <Icon name="pen" />
        Sign a message
      </button>
      <button type="button" className="text-button" data-task="send" onClick={() => start('send')}>
        <Icon name="send" />
        Send a transaction
      </button>
    </div>
  )
}
