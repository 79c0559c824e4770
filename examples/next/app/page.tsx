import { ConnectButton } from '@gatefold/kit/react'
import { Account } from './account'

export default function Page() {
  return (
    <main>
      <h1>Gatefold with Next.js</h1>
      <ConnectButton />
      <Account />
    </main>
  )
}
