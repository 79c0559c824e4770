import { hydrateRoot } from 'react-dom/client'

import { createServedKit, PageButtons } from './PageButtons.tsx'

const app = document.getElementById('app')
const locale = new URLSearchParams(location.search).get('locale') ?? 'en'
if (app)
  hydrateRoot(app, <PageButtons kit={createServedKit(locale)} />, {
    // React recovers silently from hydration mismatches.
    onRecoverableError: (error) => reportError(error),
  })
