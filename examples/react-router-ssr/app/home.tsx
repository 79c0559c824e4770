import { ConnectButton } from '@gatefold/kit/react'
import { Account } from './account'

export default function Home() {
  return (
    <main>
      <h1>Gatefold with React Router</h1>
      <ConnectButton />
      <Account />
    </main>
  )
}
