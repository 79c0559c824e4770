import { createRoot } from 'react-dom/client'
import { App } from './App.tsx'
import { readPageConfig } from './config.ts'
import { openInOneTab } from './openInOneTab.ts'
import { openWallet } from './openWallet.ts'
import { OtherTab } from './screens/OtherTab.tsx'
import './phone.css'

// Links from apps open new tabs. Only the newest tab runs the wallet, so that no request is shown or
// signed twice.
const root = createRoot(document.getElementById('wallet')!)
openInOneTab({
  open() {
    const phone = openWallet(readPageConfig(document))
    root.render(<App phone={phone} />)
    return () => {
      root.render(<OtherTab />)
      phone.close()
    }
  },
})
