import { installDemoWallets } from '@gatefold/wallets'

declare const rpcUrl: string

// A script that tests add to a page: the wallet Halyard on Ethereum. It waits for the page to load, as the
// window of a wallet extension does.
const install = () => {
  installDemoWallets({ chains: [{ id: 1, rpcUrl, name: 'Ethereum' }], wallets: ['halyard'] })
}
if (document.readyState === 'complete') install()
else addEventListener('load', install)
