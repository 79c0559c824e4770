import type { Controls } from '../createControls.ts'
import { short } from './describeRequest.ts'
import { element } from './element.ts'

/** The window's content while no request is pending: account, network and connection. */
export function createHomePanel(controls: Controls) {
  const account = element('select', {
    'data-testid': 'wallet-account',
    onchange: () => controls.switchAccount(Number(account.value)),
  })
  const network = element('select', {
    'data-testid': 'wallet-network',
    onchange: () => controls.switchChain(Number(network.value)),
  })
  account.append(
    ...controls.accounts.map((address, index) =>
      element('option', { value: String(index) }, short(address)),
    ),
  )
  const site = element('b', { 'data-testid': 'wallet-site' })
  const lock = action('wallet-lock', () => (controls.locked ? controls.unlock() : controls.lock()))
  const revoke = action('wallet-lose', () => controls.loseAccounts())
  const link = action('wallet-disconnect', () =>
    controls.connected ? controls.disconnect() : controls.connect(),
  )
  revoke.textContent = 'Disconnect this site'
  const node = element(
    'div',
    { class: 'body', style: 'padding: 0; overflow: visible' },
    element(
      'div',
      { class: 'heading' },
      element('h2', {}, 'No pending requests'),
      element('p', {}, 'A demo wallet with public keys. Never send real funds to it.'),
    ),
    element(
      'div',
      { class: 'group' },
      element('label', {}, element('span', {}, 'Account'), account),
      element('label', {}, element('span', {}, 'Network'), network),
      element('div', {}, element('span', {}, 'This site'), site),
    ),
    element('div', { class: 'foot' }, lock, revoke, link),
  )
  return {
    node,
    update() {
      const chains = controls.chains.map(({ id, name }) => [id, name ?? `Chain ${id}`] as const)
      if (!chains.some(([id]) => id === controls.chainId)) {
        chains.push([controls.chainId, `Chain ${controls.chainId} (unknown)`])
      }
      // Adds a network without an RPC URL, to test how pages handle it.
      if (!chains.some(([id]) => id === 1)) chains.push([1, 'Ethereum (no RPC)'])
      network.replaceChildren(
        ...chains.map(([id, name]) => element('option', { value: String(id) }, name)),
      )
      network.value = String(controls.chainId)
      account.value = String(controls.account)
      site.textContent = controls.permitted ? 'Connected' : 'Not connected'
      revoke.hidden = !controls.permitted
      lock.textContent = controls.locked ? 'Unlock' : 'Lock'
      link.textContent = controls.connected ? 'Go offline' : 'Go online'
    },
  }
}

function action(testId: string, run: () => void): HTMLButtonElement {
  return element('button', { type: 'button', class: 'button', 'data-testid': testId, onclick: run })
}
