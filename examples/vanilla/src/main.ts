import { connect, createGatefold, disconnect, getAccount, signMessage } from '@gatefold/kit/core'
import { evm } from '@gatefold/kit/evm'
import { mainnet } from 'viem/chains'

const kit = createGatefold({
  metadata: { name: 'My site', description: 'What it does', url: location.origin, icons: [] },
  networks: [mainnet],
  adapters: [evm()],
})

const find = (id: string) => document.getElementById(id)!

/** Shows the account or, while no wallet is connected, a button for each wallet. */
function render() {
  const { connectors } = kit.getState()
  const account = getAccount(kit.getState())
  find('status').textContent = account?.address ?? 'No wallet is connected.'
  find('account').hidden = !account
  find('wallets').hidden = Boolean(account)
  find('wallets').replaceChildren(
    ...connectors
      .filter(({ type }) => type === 'ANNOUNCED')
      .map(({ id, name }) => {
        const button = document.createElement('button')
        button.type = 'button'
        button.textContent = name
        button.addEventListener('click', () => {
          connect(kit, { connectorId: id }).catch(showError)
        })
        return button
      }),
  )
}

/** `userMessage` is a sentence to show to the visitor, for example that they rejected the request. */
function showError(error: unknown) {
  find('status').textContent = (error as { userMessage?: string }).userMessage ?? String(error)
}

find('sign').addEventListener('click', async () => {
  try {
    find('signature').textContent = await signMessage(kit, { message: 'Hello' })
  } catch (error) {
    showError(error)
  }
})
find('disconnect').addEventListener('click', () => {
  disconnect(kit).catch(showError)
})

kit.subscribe(render)
render()
