import type { Controls } from '../createControls.ts'
import { short } from './describe.ts'
import { element } from './element.ts'

/** What the window shows while nothing is asked: who the wallet is, and what a person may change. */
export function createIdle(controls: Controls) {
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
  const lose = action('wallet-lose', () => controls.loseAccounts())
  const link = action('wallet-disconnect', () =>
    controls.connected ? controls.disconnect() : controls.connect(),
  )
  lose.textContent = 'Take accounts back'
  const node = element(
    'div',
    { class: 'body', style: 'padding: 0; overflow: visible' },
    element(
      'div',
      { class: 'say' },
      element('h2', {}, 'Nothing to approve'),
      element('p', {}, 'A demo wallet with public keys. Keep real coins away from it.'),
    ),
    element(
      'div',
      { class: 'leaf' },
      element('label', {}, element('span', {}, 'Account'), account),
      element('label', {}, element('span', {}, 'Network'), network),
      element('div', {}, element('span', {}, 'This site'), site),
    ),
    element('div', { class: 'foot' }, lock, lose, link),
  )
  return {
    node,
    update() {
      const chains = controls.chains.map(({ id, name }) => [id, name ?? `Chain ${id}`] as const)
      if (!chains.some(([id]) => id === controls.chainId)) {
        chains.push([controls.chainId, `Chain ${controls.chainId}, unknown`])
      }
      // A network no page here works on, to see what the page does about it.
      if (!chains.some(([id]) => id === 1)) chains.push([1, 'Ethereum, no node'])
      network.replaceChildren(
        ...chains.map(([id, name]) => element('option', { value: String(id) }, name)),
      )
      network.value = String(controls.chainId)
      account.value = String(controls.account)
      site.textContent = controls.permitted ? 'Connected' : 'Not connected'
      lose.hidden = !controls.permitted
      lock.textContent = controls.locked ? 'Unlock' : 'Lock'
      link.textContent = controls.connected ? 'Lose the network' : 'Find the network'
    },
  }
}

function action(testId: string, run: () => void): HTMLButtonElement {
  return element('button', { type: 'button', class: 'button', 'data-testid': testId, onclick: run })
}
