import { ConnectButton } from '@gatefold/kit/react'
import { createFileRoute } from '@tanstack/react-router'
import { Account } from '../account'

export const Route = createFileRoute('/')({ component: Home })

function Home() {
  return (
    <main>
      <h1>Gatefold with TanStack Start</h1>
      <ConnectButton />
      <Account />
    </main>
  )
}
