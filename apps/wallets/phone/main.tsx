import { createRoot } from 'react-dom/client'
import { App } from './App.tsx'
import { readPageConfig } from './config.ts'
import { holdWallet } from './holdWallet.ts'
import { openWallet } from './openWallet.ts'
import { Elsewhere } from './screens/Elsewhere.tsx'
import './phone.css'

/*
 * One tab holds the wallet, the one that was opened last: a link that an app follows opens a tab of its
 * own, and nobody may be asked, or sign, twice.
 */
const root = createRoot(document.getElementById('wallet')!)
holdWallet({
  open() {
    const phone = openWallet(readPageConfig(document))
    root.render(<App phone={phone} />)
    return () => {
      root.render(<Elsewhere />)
      phone.close()
    }
  },
})
