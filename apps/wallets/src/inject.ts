import type { WalletChain } from './provider/createWalletState.ts'
import { installDemoWallets, type PresetWallet, presetWallets } from './installDemoWallets.ts'

/*
 * The page script. Configure it with attributes of its script tag or, if it is imported, with the query
 * of its URL:
 *
 * <script type="module" src="…/inject.js" data-gatefold-wallets="halyard,nacre"
 *   data-chains="31337 http://localhost:8545 Local, 31338 http://localhost:8546 Second"></script>
 *
 * data-approval="auto" approves everything; data-legacy="halyard" also sets window.ethereum.
 */
const tag = document.querySelector<HTMLScriptElement>('script[data-gatefold-wallets]')
const query = new URL(import.meta.url).searchParams

const names = (tag?.dataset.gatefoldWallets ?? query.get('wallets') ?? '')
  .split(',')
  .map((name) => name.trim())
  .filter((name): name is PresetWallet => Object.hasOwn(presetWallets, name))
const legacy = tag?.dataset.legacy ?? query.get('legacy')

installDemoWallets({
  chains: parseChains(tag?.dataset.chains ?? query.get('chains') ?? '31337 http://localhost:8545'),
  ...(names.length && { wallets: names }),
  approval: (tag?.dataset.approval ?? query.get('approval')) === 'auto' ? 'auto' : 'window',
  ...(legacy === 'halyard' || legacy === 'nacre' ? { legacy } : {}),
})

/** Parses `id url name, id url name`. Throws on the first invalid entry. */
function parseChains(text: string): WalletChain[] {
  return text.split(',').map((entry) => {
    const [id, rpcUrl, ...name] = entry.trim().split(/\s+/)
    if (!Number.isSafeInteger(Number(id)) || !rpcUrl || !URL.canParse(rpcUrl)) {
      throw new Error(
        `data-chains needs "id url name", separated by commas; got "${entry.trim()}".`,
      )
    }
    return { id: Number(id), rpcUrl, ...(name.length && { name: name.join(' ') }) }
  })
}
